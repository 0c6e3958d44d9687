import { type Column, table } from "../format.ts";
import { type Html, html, type Piece } from "../html.ts";
import type { Messages } from "../words/messages.ts";

/** Rows of a table at most; the JSON has all. */
export const MOST_ROWS = 100;

/** One kind of change. */
export interface NewsSection {
  /** What links lead to. */
  id: string;
  head: string;
  count: number;
  body: Html;
}

export interface NewsTable {
  id: string;
  head: string;
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly Piece[])[];
  note?: Html | undefined;
  folded?: boolean;
  words: Messages["mirror"]["changes"];
}

/** The first rows under a heading, and how many there are; undefined without rows. */
export function newsTable({ rows, note, folded, words, ...named }: NewsTable): NewsSection | undefined {
  const { id, head } = named;
  if (rows.length === 0) return undefined;
  const listing = firstRows(named.caption, named.columns, rows, words);
  const part = folded
    ? html`<details><summary>${words.asTable({ shown: Math.min(rows.length, MOST_ROWS), all: rows.length })}</summary>${listing}</details>`
    : listing;
  return { id, head, count: rows.length, body: html`${note}${part}` };
}

export function firstRows(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Piece[])[],
  words: Messages["mirror"]["changes"],
): Html | undefined {
  if (rows.length === 0) return undefined;
  const shown = rows.slice(0, MOST_ROWS);
  const said =
    shown.length < rows.length ? words.firstRows({ caption, shown: shown.length, all: rows.length }) : caption;
  return table(said, columns, shown);
}

export const numberColumn = (head: string): Column => ({ head, number: true });
