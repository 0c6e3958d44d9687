import type SQLite from "better-sqlite3";
import type * as z from "zod";
import type {
  catalogRecord,
  equipmentRecord,
  expandedEquipmentRecord,
  rankStepRecord,
  roleRecord,
  spellRecord,
  talentRecord,
  versionRecord,
} from "../../../src/api/records/academy.ts";
import type { buildsRecord, timelineRecord } from "../../../src/api/records/builds.ts";
import type {
  heroDetailRecord,
  heroListRecord,
  positionRecord,
  skillComboRecord,
} from "../../../src/api/records/hero.ts";
import type { ratingRecord, ratingsRecord } from "../../../src/api/records/ratings.ts";
import type {
  academyStatsRecord,
  matrixRecord,
  pairingRecord,
  rankRecord,
  trendRecord,
} from "../../../src/api/records/statistics.ts";

/** What the records of a dataset are. */
export interface Shapes extends Record<"counters" | "compatibility" | "stats", z.infer<typeof pairingRecord>> {
  heroes: z.infer<typeof heroListRecord>;
  hero: z.infer<typeof heroDetailRecord>;
  positions: z.infer<typeof positionRecord>;
  relations: z.infer<typeof heroListRecord>;
  "skill-combos": z.infer<typeof skillComboRecord>;
  rank: z.infer<typeof rankRecord>;
  trends: z.infer<typeof trendRecord>;
  versions: z.infer<typeof versionRecord>;
  catalog: z.infer<typeof catalogRecord>;
  roles: z.infer<typeof roleRecord>;
  equipment: z.infer<typeof equipmentRecord>;
  "equipment-expanded": z.infer<typeof expandedEquipmentRecord>;
  spells: z.infer<typeof spellRecord>;
  emblems: z.infer<typeof talentRecord>;
  ranks: z.infer<typeof rankStepRecord>;
  "academy-stats": z.infer<typeof academyStatsRecord>;
  timeline: z.infer<typeof timelineRecord>;
  builds: z.infer<typeof buildsRecord>;
  "academy-counters": z.infer<typeof matrixRecord>;
  teammates: z.infer<typeof matrixRecord>;
  ratings: z.infer<typeof ratingsRecord>;
  rating: z.infer<typeof ratingRecord>;
}

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
