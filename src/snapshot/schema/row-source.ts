import type { Path } from "../../api/body/path.ts";
import type { Slice } from "../../api/endpoint.ts";

/**
 * The source of rows of a table, as data: which records, which of their list elements, and how each cell is read. The deriver reads it, so
 * that unexpected values are treated alike in all tables.
 */
export interface RowSource extends DefinedRows {
  /** Sources of cells by column; a column that is not here is null. */
  cells: Readonly<Record<string, CellSource>>;
}

/** Rows as a table's definition has them; its columns define most cells. */
export interface DefinedRows {
  datasets: readonly string[];
  /** The records that give rows: only those of the base language, or those of each language. */
  langs: "base" | "each";
  /** One row for each element of these lists, one inside the other; left out, one for each record. */
  each?: readonly ListStep[];
  /** Cells that differ between the sources of one dataset. */
  cells?: Readonly<Record<string, CellSource>>;
  /** A record gives no row if this cell is an empty text. */
  blank?: string;
  /**
   * The treatment of a row whose key a row of an earlier dataset has: `fill` puts its cells where the other is empty, `add` does so too and
   * makes no rows of its own. Left out, the first row stays.
   */
  merge?: "fill" | "add";
  /** Rows of a longer series take the place of those of a shorter one. */
  longest?: true;
  /**
   * The column with the number of the slice that the cells come from, if it is not `slice_id`: one for each source that fills rows of
   * another.
   */
  slice?: string;
}

/** A list: of objects, of values, or of whole numbers in a text with any separators. */
export interface ListStep {
  path: Path;
  of: "objects" | "values" | "numbers";
  /** The value with which the upstream fills empty places. */
  padding?: "" | 0;
}

type Padding = Pick<ListStep, "padding">;

export const objects = (path: Path, padding: Padding = {}): ListStep => ({ path, of: "objects", ...padding });
export const values = (path: Path, padding: Padding = {}): ListStep => ({ path, of: "values", ...padding });
/** Makes a list of the numbers in a text, which may have none. */
export const numbers = (path: Path): ListStep => ({ path, of: "numbers" });

/** A slice with its number in the file, from 1. */
export interface NumberedSlice {
  id: number;
  slice: Slice;
}

/** A parameter of the slice, or its dataset. */
export type SliceField = keyof Slice;

export type CellSource =
  | { kind: "asked"; name: SliceField; otherwise?: number }
  /** A value in the element of a list: the innermost, or the one of that level, from 0. The empty path is the element itself. */
  | { kind: "element"; path: Path; level?: number }
  /** A value in the record: the first of these paths that is there. */
  | { kind: "record"; paths: readonly Path[] }
  /** The place in the list of that level, from 1; in the innermost by default. */
  | { kind: "place"; level?: number }
  | { kind: "constant"; value: string | number }
  /** Our word for a number of the publisher's, if this table of the file holds it. */
  | { kind: "code"; path: Path; codes: readonly { code: string; id: string }[]; table: string }
  /** The number of the slice. */
  | { kind: "slice" }
  /** A value in another column's text. */
  | { kind: "made"; column: string; how: "plain" | "cooldown" | "mana" };

export const asked = (name: SliceField, otherwise?: number): CellSource => ({
  kind: "asked",
  name,
  ...(otherwise !== undefined && { otherwise }),
});
export const at = (path: Path, level?: number): CellSource => ({
  kind: "element",
  path,
  ...(level !== undefined && { level }),
});
export const inRecord = (...paths: Path[]): CellSource => ({ kind: "record", paths });
export const place = (level?: number): CellSource => ({ kind: "place", ...(level !== undefined && { level }) });
export const constant = (value: string | number): CellSource => ({ kind: "constant", value });
export const codeOf = (path: Path, table: string, codes: readonly { code: string; id: string }[]): CellSource => ({
  kind: "code",
  path,
  codes,
  table,
});
/** Makes the text of a column without markup. */
export const plainOf = (column: string): CellSource => ({ kind: "made", column, how: "plain" });
/** Makes seconds, or mana, from a text such as `CD: 12.5   Mana Cost: 95`, in any language. */
export const cooldownOf = (column: string): CellSource => ({ kind: "made", column, how: "cooldown" });
export const manaOf = (column: string): CellSource => ({ kind: "made", column, how: "mana" });
