/** What the page asks its worker, and what that answers. */

/** A value of SQLite; a blob as its hex digits in `x'…'`. */
export type Value = string | number | bigint | null;

export interface Question {
  /** Path of the file. */
  file: string;
  /** Its length in bytes. */
  size: number;
  sql: string;
  mostRows: number;
  /** To be read for this query; more is a fault. */
  mostBytes: number;
  seconds: number;
  /** The user has agreed that the query may read much. */
  confirmed: boolean;
}

/** What a query cost. */
export interface Cost {
  requests: number;
  bytes: number;
  milliseconds: number;
}

export type Answer = { cost: Cost } & (
  | { kind: "rows"; columns: string[]; rows: Value[][]; more: boolean }
  | { kind: "scan"; bytes: number }
  | { kind: "fault"; text: string }
);
