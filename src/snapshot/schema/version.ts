import { hash } from "node:crypto";
import type SQLite from "better-sqlite3";

export const SNAPSHOT_APPLICATION_ID = 0x4d534e50; // "MSNP"

/** Readers are broken by a new major only; `PRAGMA user_version` carries it as major × 10000 + minor × 100 + patch. */
export const SCHEMA = { major: 1, minor: 8, patch: 0 };
export const SCHEMA_VERSION = `${SCHEMA.major}.${SCHEMA.minor}.${SCHEMA.patch}`;
export const USER_VERSION = SCHEMA.major * 10_000 + SCHEMA.minor * 100 + SCHEMA.patch;

/**
 * sha256 over everything that a file of each schema defines, as `sqlite_schema` has it. Verification rebuilds
 * the derived tables: where a change makes other rows from the same archive, that is a new version too.
 */
export const SCHEMA_HASHES: Readonly<Record<string, string>> = {
  "1.0.0": "88abf9fd048ee23da1fa9c93819b2256377fa9ef6f97362aceddc2c7233c7c81",
  "1.1.0": "865c786cb2bd5a25aace29a79ffaca6806051186f558e03b208f0accba5f5f85",
  "1.2.0": "17b5f0d92cad976063611b183e67fd24e64865e65749023153d72f1918a96811",
  "1.3.0": "81e0b21872428eb57e2b57a5ea31da434193ce616655e1406d386a14d1bbe834",
  "1.4.0": "031f2e48aa96a78edde9b7ea0f42e905fd13d9778f3e5232455b86bd7a3ece5d",
  "1.5.0": "9b7bbf915db25778e9f234d89f1d079ac514ca2a14cc54340a2623937df07630",
  "1.6.0": "5fb8b2480da79b435421e4afcde876893be8919bf37e19354db0c19f9444546d",
  "1.7.0": "413c8216943a91b51704b60e97d343afa85e17d191b3776a947d3f593180b91c",
  "1.8.0": "6ce7e18f733b89842ba7cb96529ea80a1e9377a851218111fdceaa7fb5389bdf",
};

/** Whether a schema is older than a minor version: a patch changes no rows. */
function isBefore(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

/** Whether files of a schema have addresses of pictures in their tables as they were sent; later ones have no proxies there. */
export const hasPicturesAsSent = (version: string): boolean => isBefore(version, 1, 8);

/** Ours have about two hundred objects, and 40 kB of statements. */
const MAX_SCHEMA = { objects: 1000, bytes: 1_000_000 };

/** The hash of a file's schema; undefined where it defines more than any of ours. */
export function hashSchema(db: SQLite.Database): string | undefined {
  const { objects, bytes } = db
    .prepare<[], typeof MAX_SCHEMA>("SELECT count(*) AS objects, total(octet_length(sql)) AS bytes FROM sqlite_schema")
    .get() ?? { objects: 0, bytes: 0 };
  if (objects > MAX_SCHEMA.objects || bytes > MAX_SCHEMA.bytes) return undefined;
  // SQLite's own indexes too: what is skipped by name could be used to hide something under that name.
  const rows = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").raw().all();
  return hash("sha256", JSON.stringify(rows));
}
