import { hash } from "node:crypto";
import type SQLite from "better-sqlite3";

export const SNAPSHOT_APPLICATION_ID = 0x4d53_6e31; // "MSn1"
/** The application id of a snapshot without its archive. */
export const ANALYSTS_APPLICATION_ID = 0x4d53_6131; // "MSa1"

/** Readers are broken by a new major only. */
export const SCHEMA_VERSION = "1.0.0";

/**
 * sha256 over everything that a file of each schema that is read defines, as `sqlite_schema` has it. Verification rebuilds the derived
 * tables: a change that makes other rows from the same archive needs a new version too.
 */
export const SCHEMA_HASHES: Readonly<Record<string, string>> = {
  "1.0.0": "75aa022040580855eebb8bdd395cd93989c0fb0f2ab71151b2e365089b8654da",
};

/** Returns the number for `PRAGMA user_version`. */
export const toUserVersion = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major * 10_000 + minor * 100 + patch;
};

/** Returns the schema that a `PRAGMA user_version` stands for. */
export const toVersion = (userVersion: number): string =>
  [Math.floor(userVersion / 10_000), Math.floor(userVersion / 100) % 100, userVersion % 100].join(".");

/** The largest schema that is hashed; ours have about two hundred objects, and 40 kB of statements. */
const MAX_SCHEMA = { objects: 1000, bytes: 1_000_000 };

/** Makes the hash of a file's schema; undefined if it defines more than any of ours. */
export function hashSchema(db: SQLite.Database): string | undefined {
  const { objects, bytes } = db
    .prepare<[], typeof MAX_SCHEMA>("SELECT count(*) AS objects, total(octet_length(sql)) AS bytes FROM sqlite_schema")
    .get() ?? { objects: 0, bytes: 0 };
  if (objects > MAX_SCHEMA.objects || bytes > MAX_SCHEMA.bytes) return undefined;
  // SQLite's own indexes too: an object that is skipped by name could hide under that name.
  const rows = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").raw().all();
  return hash("sha256", JSON.stringify(rows));
}
