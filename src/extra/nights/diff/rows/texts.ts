import { diffArrays } from "diff/lib/diff/array.js";
import type { TextRun } from "../../../../api/apart.ts";
import type { Moments } from "../asked.ts";
import type { TableChange } from "./rows.ts";

export interface TextChange extends Partial<Moments> {
  table: string;
  label: string;
  key: Record<string, string | number | null>;
  column: string;
  lang: string;
  before: string;
  after: string;
  words: TextRun[];
}

/**
 * Finds changed texts; none and an empty one are the same. A column with markup is left out if its `…_plain` column changed as well, and so
 * is a number that comes from another column's text.
 */
export function compareTexts(changes: readonly TableChange[]): TextChange[] {
  return changes
    .filter(({ kind }) => kind === "text")
    .flatMap(({ table, changed }) =>
      changed.flatMap(({ label, key, columns, changed_after, changed_before }) =>
        Object.entries(columns).flatMap(([column, { before, after }]) => {
          if (`${column}_plain` in columns || typeof (after ?? before) === "number") return [];
          const lang = String(key.lang);
          const [was, now] = [String(before ?? ""), String(after ?? "")];
          if (was === now) return [];
          const words = diffWords(was, now, lang);
          const moments = changed_after && changed_before ? { changed_after, changed_before } : {};
          return [{ table, label, key, column, lang, before: was, after: now, words, ...moments }];
        }),
      ),
    );
}

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
