import { LANG_CODES } from "../../src/api/enumerations.ts";
import { loadMessages, messagesIn } from "../../src/pages/messages/messages.ts";

await Promise.all(LANG_CODES.map(loadMessages));

/** The words of the pages, which are loaded in all languages. */
export const wordsIn = messagesIn;
