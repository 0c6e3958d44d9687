/** The questions of the page to its worker, and the answers. */

/** A value of SQLite; a blob as its hex digits in `x'…'`. */
export type Value = string | number | bigint | null;

/** The file as the page names it. */
export interface FileAddress {
  path: string;
  /** Its length in bytes. */
  size: number;
  /** Bytes at its start that have the first page of each table and index, and so nearly all of its schema. */
  head: number;
}

export interface Question {
  file: FileAddress;
  sql: string;
  mostRows: number;
  /** The query may read so much; then the user is asked whether it may go on. */
  mostBytes: number;
  seconds: number;
}

/** The cost of a query. */
export interface Cost {
  requests: number;
  bytes: number;
  milliseconds: number;
}

/** A mistake in a statement. */
export interface Mistake {
  /** The words of SQLite, or ours. */
  text: string;
  /** Its place in the text of the statement, if that is known. */
  token?: { start: number; end: number };
  /** A name that is there, and is nearly the one that is not. */
  meant?: string;
}

export type Answer = { cost: Cost } & (
  | { kind: "rows"; columns: string[]; rows: Value[][]; more: boolean }
  /** The query has read as many bytes as it may. `whole` is about how many bytes the tables have that it reads from end to end; 0 if there is no such table. */
  | { kind: "spent"; whole: number }
  | ({ kind: "fault" } & Mistake)
);

/** A row as a chart draws it. */
export interface ChartPoint {
  label: string;
  x: number;
  y: number;
}
