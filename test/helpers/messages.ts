import { LANG_CODES } from "../../src/api/enumerations.ts";
import { loadMessages, messagesIn } from "../../src/pages/messages/messages.ts";

await Promise.all(LANG_CODES.map(loadMessages));

/** The words of the pages, which are loaded in all languages. */
export const wordsIn = messagesIn;

const plainIn = (catalogue: object): string[] =>
  Object.values(catalogue).flatMap((message) =>
    typeof message === "object" ? plainIn(message as object) : typeof message === "string" ? message : [],
  );

/** Such a sentence is on no page in another language. */
export const ENGLISH_SENTENCES = plainIn(wordsIn("en")).filter((message) => message.split(" ").length > 3);
