import type SQLite from "better-sqlite3";

/** A record of the archive with what it was asked with; empty and 0 where it was asked without. */
export interface Sent {
  dataset: string;
  hero: number;
  subject: number;
  lane: string;
  rank: string;
  days: number;
  lang: string;
  record: unknown;
}

export type Row = Record<string, string | number | null>;

/** The records that a condition on coverage and record selects, in their order. */
export function* recordsWhere(db: SQLite.Database, condition: string, value: string): Generator<Sent> {
  const all = db.prepare<[string], Omit<Sent, "record"> & { json: string }>(
    `SELECT dataset, coalesce(hero_id, 0) AS hero, CAST(coalesce(subject, 0) AS INTEGER) AS subject,
       coalesce(lane, '') AS lane, coalesce(rank, '') AS rank, coalesce(days, 0) AS days, lang, json
     FROM coverage JOIN record USING (slice_id) WHERE ${condition} ORDER BY dataset, slice, position`,
  );
  for (const { json, ...asked } of all.iterate(value)) yield { ...asked, record: JSON.parse(json) };
}
