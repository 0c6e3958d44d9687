import type SQLite from "better-sqlite3";
import type * as z from "zod";
import type { KnownEndpoint } from "../../../src/api/endpoints.ts";
import type { SHAPES } from "../../../src/api/shapes.ts";

/** By dataset, what its records are documented to be. */
export type Shapes = { [E in KnownEndpoint as E["dataset"]]: z.infer<(typeof SHAPES)[E["record"]]> };

/** A record of the archive with what it was asked with; empty and 0 where it was asked without. */
export interface Sent<T = unknown> {
  dataset: string;
  hero: number;
  subject: number;
  lane: string;
  rank: string;
  days: number;
  lang: string;
  record: T;
}

export type Cell = string | number | null;
export type Row = Record<string, Cell>;
/** The rows of a table by their key. */
export type Rows = Map<string, Row>;
export type Add = (table: string, row: Row) => void;

/** The records that a condition on coverage and record selects, in their order. */
export function* recordsWhere(db: SQLite.Database, condition: string, value: string): Generator<Sent> {
  const all = db.prepare<[string], Omit<Sent, "record"> & { json: string }>(
    `SELECT dataset, coalesce(hero_id, 0) AS hero, CAST(coalesce(subject, 0) AS INTEGER) AS subject,
       coalesce(lane, '') AS lane, coalesce(rank, '') AS rank, coalesce(days, 0) AS days, lang, json
     FROM coverage JOIN record USING (dataset, slice) WHERE ${condition} ORDER BY dataset, slice, position`,
  );
  for (const { json, ...asked } of all.iterate(value)) yield { ...asked, record: JSON.parse(json) };
}

/** A key as a text that no other key has. */
export const keyText = (row: Row, columns: readonly string[]) => columns.map((column) => row[column]).join(" · ");
