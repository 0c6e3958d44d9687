import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../api/failure.ts";
import {
  ANALYSTS_APPLICATION_ID,
  hashSchema,
  SCHEMA_HASHES,
  SNAPSHOT_APPLICATION_ID,
  toVersion,
} from "../schema/version.ts";

/** The hint for a file that cannot be served. */
export const TAKE_ANOTHER = "serve another snapshot, or build it again with `npm run build`";

const MAGIC = "SQLite format 3\0";
/** The offset in the header of an SQLite database (https://www.sqlite.org/fileformat.html). */
const APPLICATION_ID_AT = 68;

/** Opens a snapshot read-only. Reads every page, and throws a Failure for usage if it is not a complete snapshot of ours. */
export const openSnapshotFile = (file: string): SQLite.Database => open(file, refuseDamaged);

/** Opens a snapshot without reading every page: for a file that is verified elsewhere. */
export const openCheckedFile = (file: string): SQLite.Database => open(file, () => {});

/** Opens a snapshot to be verified, with every index compared with its table: `damage` is the fault of one, or `ok`. */
export function openFileToVerify(file: string): { db: SQLite.Database; damage: string } {
  let damage = "ok";
  const db = open(file, (_, opened) => {
    damage = findDamage(opened, "integrity_check");
    // The full check includes the quick one. Damage that the quick one does not find is no reason not to read the tables.
    if (damage !== "ok") refuseDamaged(file, opened);
  });
  return { db, damage };
}

function open(file: string, check: (file: string, db: SQLite.Database) => void): SQLite.Database {
  refuseForeign(file);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true, fileMustExist: true });
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    refuseOtherSchema(file, db);
    check(file, db);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof Failure ? error : refusal(file, `is damaged (${(error as Error).message})`, error);
  }
}

const refusal = (file: string, what: string, cause?: unknown) =>
  new Failure(EXIT.usage, `${file}: ${what}`, TAKE_ANOTHER, cause);

const refuseName = (file: string, what: string) =>
  new Failure(EXIT.usage, `${file}: ${what}`, "name another file; `npm run nights` lists those of a folder");

/** Refuses, before SQLite looks at it, a file that is no database, none of ours, or not as long as its header says. */
function refuseForeign(file: string) {
  if (!existsSync(file)) throw refuseName(file, "does not exist");
  if (!statSync(file).isFile()) throw refuseName(file, "is not a file");
  const header = readFileHeader(file);
  if (!header) throw refusal(file, "is not an SQLite database");
  const id = header.readUInt32BE(APPLICATION_ID_AT);
  if (id === ANALYSTS_APPLICATION_ID) {
    const message = `${file}: is a snapshot without its archive, for analysts`;
    throw new Failure(EXIT.usage, message, "take the snapshot that it was made from");
  }
  if (id !== SNAPSHOT_APPLICATION_ID) throw refusal(file, "is an SQLite database, but not a snapshot of metasnap");
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const expected = pageSize * header.readUInt32BE(28);
  const { size } = statSync(file);
  if (size !== expected) throw refusal(file, `is damaged (${size} bytes, its header says ${expected})`);
  // Reading one with a log of its own would write files beside it.
  if (header[18] !== 1 || header[19] !== 1) throw refusal(file, "is in WAL mode, as no published snapshot is");
}

/** Reads the header; undefined if the file is no SQLite database. */
function readFileHeader(file: string): Buffer | undefined {
  const header = Buffer.alloc(100);
  const handle = openSync(file, "r");
  const read = readSync(handle, header, 0, 100, 0);
  closeSync(handle);
  return read === 100 && header.toString("latin1", 0, 16) === MAGIC ? header : undefined;
}

/** Refuses a damaged file. Reads every page, which takes seconds for a large file. */
function refuseDamaged(file: string, db: SQLite.Database) {
  const damage = findDamage(db, "quick_check");
  if (damage !== "ok") throw refusal(file, `is damaged (${damage})`);
}

/** Returns the first damage that SQLite finds, in one line. */
const findDamage = (db: SQLite.Database, check: "quick_check" | "integrity_check"): string =>
  String(db.pragma(`${check}(1)`, { simple: true })).replaceAll("\n", ", ");

/** Refuses another schema, by the first of all statements: a view in the place of a table would run what its author likes. */
function refuseOtherSchema(file: string, db: SQLite.Database) {
  const version = toVersion(Number(db.pragma("user_version", { simple: true })));
  const hashes = SCHEMA_HASHES[version];
  if (hashes === undefined) {
    const message = `${file}: has schema ${version}, which is not known here (${Object.keys(SCHEMA_HASHES).join(", ")})`;
    throw new Failure(EXIT.usage, message, "update metasnap, or take another snapshot");
  }
  if (hashSchema(db) !== hashes) throw refusal(file, `does not define exactly what schema ${version} defines`);
}
