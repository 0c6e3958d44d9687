import { diffArrays } from "diff";
import type { TextRun } from "../../../api/apart.ts";

/**
 * The difference of two texts, word by word as the language has them: Chinese, Japanese, Thai and Khmer use no spaces.
 */
export function diffWords(before: string, after: string, lang: string): TextRun[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const split = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  return diffArrays(split(before), split(after)).map(({ added, removed, value }) => [
    added ? "+" : removed ? "-" : "=",
    value.join(""),
  ]);
}
