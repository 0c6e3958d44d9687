import type { Lang } from "../../src/api/enumerations.ts";
import { messagesIn } from "../../src/extra/pages/words/words.ts";

/** The words of the pages. */
export const wordsIn = messagesIn;

const plainIn = (catalogue: object): string[] =>
  Object.values(catalogue).flatMap((message) =>
    typeof message === "object" ? plainIn(message as object) : typeof message === "string" ? message : [],
  );

/** English sentences that a language has in words of its own: they are on no page in it. */
export function sentencesApart(lang: Lang): string[] {
  const own = plainIn(wordsIn(lang));
  return plainIn(wordsIn("en")).filter(
    (message, index) => message.split(" ").length > 3 && !own[index]?.includes(message),
  );
}
