import { BASE_LANG } from "../../api/enumerations.ts";
import type { RowSource, SliceField } from "./row-source.ts";
import { quoteName } from "./sql.ts";

/** The cell of `coverage` that holds a parameter of a slice. */
export const SLICE_COLUMNS: Record<SliceField, string> = {
  dataset: "dataset",
  hero: "hero_id",
  subject: "subject",
  lane: "lane",
  rank: "rank",
  days: "days",
  lang: "lang",
};

/** The columns of the key of a row that name its slice, by one of its sources. */
export const sliceKeyOf = (key: readonly string[], { cells }: RowSource): string[] =>
  key.filter((column) => cells[column]?.kind === "asked");

/**
 * SQL conditions for `slice`, a row with the cells of `coverage`, being one that a row comes from by this source; `own` gives the
 * SQL of a column of its key. What all languages say alike counts as the base language's.
 */
export function matchSlices(key: readonly string[], source: RowSource, cellOf: (column: string) => string): string[] {
  const { datasets, langs, cells } = source;
  const names = datasets.map((dataset) => `'${dataset}'`).join(", ");
  const columns = sliceKeyOf(key, source);
  const isByLanguage = langs === "each" && columns.includes("lang");
  const parameters = columns.map((column) => {
    const cell = cells[column];
    if (cell?.kind !== "asked") return "true";
    const value = `slice.${quoteName(SLICE_COLUMNS[cell.name])}`;
    return `${cellOf(column)} = ${cell.otherwise === undefined ? value : `ifnull(${value}, ${cell.otherwise})`}`;
  });
  return [`slice.dataset IN (${names})`, ...(isByLanguage ? [] : [`slice.lang = '${BASE_LANG}'`]), ...parameters];
}

/** SQL conditions for a row being of this source at all, and not of another one of its table. */
export const matchRows = (key: readonly string[], { cells }: RowSource, cellOf: (column: string) => string): string[] =>
  key.flatMap((column) => {
    const cell = cells[column];
    if (cell?.kind !== "constant") return [];
    return [`${cellOf(column)} = ${typeof cell.value === "number" ? cell.value : `'${cell.value}'`}`];
  });
