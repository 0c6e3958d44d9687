import type { TableChange } from "./rows.ts";
import { compareWords, type Word } from "./words.ts";

export interface TextChange {
  table: string;
  label: string;
  key: Record<string, string | number | null>;
  column: string;
  lang: string;
  before: string;
  after: string;
  words: Word[];
}

/** The texts that changed, by what they are of and by language. A text with markup is shown without, where it is there so. */
export function compareTexts(changes: readonly TableChange[]): TextChange[] {
  return changes
    .filter(({ kind }) => kind === "text")
    .flatMap(({ table, changed }) =>
      changed.flatMap(({ label, key, columns }) =>
        Object.entries(columns).flatMap(([column, { before, after }]) => {
          if (`${column}_plain` in columns) return [];
          const lang = String(key.lang);
          const [was, now] = [String(before ?? ""), String(after ?? "")];
          return [{ table, label, key, column, lang, before: was, after: now, words: compareWords(was, now, lang) }];
        }),
      ),
    );
}
