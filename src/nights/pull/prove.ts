import { statSync } from "node:fs";
import SQLite from "better-sqlite3";
import { Failure } from "../../api/failure.ts";
import { createTables, finishTables } from "../../snapshot/derive/deriver.ts";
import { hashFile } from "../../snapshot/durable.ts";
import { openSnapshotFile } from "../../snapshot/open.ts";
import type { Pointer } from "../../snapshot/publish.ts";
import { SCHEMA_VERSION, type SnapshotTable } from "../../snapshot/tables.ts";
import { verifySnapshot } from "../../snapshot/verify.ts";
import { Refused } from "./trouble.ts";

/** Whether the file is, byte for byte, the one that the source points to. */
export async function proveBytes(draft: string, { version, size, sha256 }: Pointer): Promise<void> {
  if (statSync(draft).size !== size || (await hashFile(draft)) !== sha256)
    throw new Refused(`${version} is not what its manifest says: another sha256`);
}

/** Believes nothing of a file from elsewhere: schema, and every record by its hash, as `verify` does. */
export async function proveContents(draft: string, pointer: Pointer): Promise<void> {
  const { version } = pointer;
  const db = open(draft, version);
  try {
    refuseForeignSchema(db, version);
    refuseOther(db, pointer);
    const checks = await verifySnapshot(draft, db);
    // Holes are no damage; whether they may be published is decided as in a build.
    const wrong = checks.find(({ name, state }) => state === "FAILED" && name !== "coverage");
    if (wrong) throw new Refused(`${version} does not hold what it says, ${wrong.name}: ${wrong.figure}`);
  } finally {
    db.close();
  }
}

function open(draft: string, version: string): SQLite.Database {
  try {
    return openSnapshotFile(draft);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.exit, error.message.replace(draft, version), error.hint, error);
  }
}

function refuseOther(db: SQLite.Database, pointer: Pointer) {
  const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get();
  const names = ["version", "content_hash", "schema_version", "started_at"] as const;
  const wrong = names.find((name) => head?.[name] !== pointer[name]);
  if (wrong) throw new Refused(`${pointer.version} says another ${wrong} inside than its manifest`);
}

const SCHEMA = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";

interface Thing {
  type: string;
  name: string;
  sql: string | null;
}

/**
 * A trigger, a view in the place of a table or a table of a module would run what its author likes whenever somebody asks
 * the file. Of our own schema nothing but our own statements may be there; an older one has tables and views only.
 */
function refuseForeignSchema(db: SQLite.Database, version: string) {
  const found = db.prepare<[], Thing>(SCHEMA).all();
  const strange = found.find(({ type, sql }) => type === "trigger" || /^\s*CREATE\s+VIRTUAL/i.test(sql ?? ""));
  const same = db.prepare("SELECT schema_version FROM snapshot").pluck().get() === SCHEMA_VERSION;
  const other = strange ?? (same ? findOther(found, ownSchema()) : undefined);
  if (other) throw new Refused(`${version} has a ${other.type} ${other.name} that is not of metasnap`);
}

function findOther(found: readonly Thing[], own: readonly Thing[]): Thing | undefined {
  const idOf = ({ type, name, sql }: Thing) => `${type} ${name} ${sql}`;
  const known = new Set(own.map(idOf));
  const here = new Set(found.map(idOf));
  return found.find((thing) => !known.has(idOf(thing))) ?? own.find((thing) => !here.has(idOf(thing)));
}

function ownSchema(): Thing[] {
  const db = new SQLite(":memory:");
  try {
    createTables(db);
    finishTables(db);
    return db.prepare<[], Thing>(SCHEMA).all();
  } finally {
    db.close();
  }
}
