import { diffArrays } from "diff";

/** A run of text: kept, taken away or put in. */
export type Word = ["=" | "-" | "+", string];

/** The difference of two texts in words of the language; Chinese, Japanese, Thai and Khmer have them without spaces. */
export function compareWords(before: string, after: string, lang: string): Word[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const split = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  return diffArrays(split(before), split(after)).map(({ added, removed, value }) => [
    added ? "+" : removed ? "-" : "=",
    value.join(""),
  ]);
}
