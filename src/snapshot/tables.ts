import type { Insertable, Selectable } from "kysely";

export const SNAPSHOT_APPLICATION_ID = 0x4d534e50; // "MSNP"

/** Readers are broken by a new major only; `PRAGMA user_version` carries it as major × 10000 + minor × 100 + patch. */
export const SCHEMA = { major: 1, minor: 0, patch: 0 };
export const SCHEMA_VERSION = `${SCHEMA.major}.${SCHEMA.minor}.${SCHEMA.patch}`;
export const USER_VERSION = SCHEMA.major * 10_000 + SCHEMA.minor * 100 + SCHEMA.patch;

export interface SnapshotTable {
  version: string;
  content_hash: string;
  schema_version: string;
  started_at: string;
  game_version: string | null;
  heroes: number;
  licence: string;
  attribution: string;
}

export interface CoverageTable {
  dataset: string;
  slice: string;
  hero_id: number | null;
  rank: string | null;
  days: number | null;
  lang: string;
  status: "captured" | "empty" | "failed";
  reason: string | null;
  records: number;
  sha256: string | null;
}

export interface RecordTable {
  dataset: string;
  slice: string;
  position: number;
  json: string;
}

export interface Tables {
  snapshot: SnapshotTable;
  coverage: CoverageTable;
  record: RecordTable;
}

export type Coverage = Selectable<CoverageTable>;
export type NewSnapshot = Insertable<SnapshotTable>;

export const DDL = `
CREATE TABLE snapshot (
  version TEXT NOT NULL PRIMARY KEY,
  content_hash TEXT NOT NULL,
  schema_version TEXT NOT NULL,
  started_at TEXT NOT NULL,
  game_version TEXT,
  heroes INTEGER NOT NULL,
  licence TEXT NOT NULL,
  attribution TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE coverage (
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  hero_id INTEGER,
  rank TEXT,
  days INTEGER,
  lang TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('captured', 'empty', 'failed')),
  reason TEXT,
  records INTEGER NOT NULL,
  sha256 TEXT,
  PRIMARY KEY (dataset, slice)
) STRICT, WITHOUT ROWID;
CREATE TABLE record (
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  position INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (dataset, slice, position),
  FOREIGN KEY (dataset, slice) REFERENCES coverage
) STRICT;
CREATE TABLE language_proof (
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  lang TEXT NOT NULL,
  difference TEXT,
  PRIMARY KEY (dataset, slice)
) STRICT, WITHOUT ROWID;
CREATE TABLE text_quality (
  dataset TEXT NOT NULL,
  lang TEXT NOT NULL,
  texts INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  same_as_english INTEGER NOT NULL,
  wrong_script INTEGER NOT NULL,
  placeholder INTEGER NOT NULL,
  PRIMARY KEY (dataset, lang)
) STRICT, WITHOUT ROWID;
CREATE TABLE shape (
  dataset TEXT NOT NULL,
  path TEXT NOT NULL,
  types TEXT NOT NULL,
  seen INTEGER NOT NULL,
  parents INTEGER NOT NULL,
  example TEXT NOT NULL,
  PRIMARY KEY (dataset, path)
) STRICT, WITHOUT ROWID;
`;
