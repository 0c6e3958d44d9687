import { mkdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../api/failure.ts";
import { openSnapshotFile } from "../../snapshot/open.ts";
import { type Folded, foldNight } from "./fold.ts";
import { createSchema, HISTORY_APPLICATION_ID, HISTORY_VERSION } from "./schema.ts";

export interface HistoryOptions {
  /** Begin anew. */
  fresh?: boolean;
  /** Told of each table of a night, before the night is there. */
  onTable?: (name: string) => void;
  /** Told of each night that was folded. */
  onNight?: (folded: Folded & { seconds: number }) => void;
}

/**
 * Folds snapshots into the history, those that it has are passed over. Each night is one transaction: a kill leaves the
 * nights before it, whole. Returns how many were folded.
 */
export function foldHistory(
  file: string,
  snapshots: readonly string[],
  { fresh, onTable, onNight }: HistoryOptions = {},
): number {
  if (fresh) for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
  const db = openHistory(file);
  try {
    // Files are named by their version: what is folded already is not opened.
    const named = snapshots.filter((snapshot) => !isFolded(db, basename(snapshot, ".sqlite")));
    const nights = readHeads(named).filter(({ version }) => !isFolded(db, version));
    // A newer program may know more tables; without a night to fold the file stays as it is.
    if (nights.length > 0) db.transaction(createSchema)(db);
    for (const { snapshot, version } of nights) {
      refuseOlder(db, version, file);
      const begun = performance.now();
      const folded = foldOne(db, snapshot, onTable);
      onNight?.({ ...folded, seconds: (performance.now() - begun) / 1000 });
    }
    return nights.length;
  } finally {
    db.close();
  }
}

function openHistory(file: string): SQLite.Database {
  mkdirSync(dirname(file), { recursive: true });
  const db = new SQLite(file);
  try {
    const isNew = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
    if (isNew) beginHistory(db);
    else refuseForeign(db, file);
    // Kibibytes: what a night touches.
    db.pragma("cache_size = -65536");
    db.pragma("temp_store = MEMORY");
    // A snapshot from somewhere else must not run functions through its own views.
    db.pragma("trusted_schema = OFF");
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Failure || !/NOTADB|CORRUPT/.test(String((error as { code?: string }).code))) throw error;
    throw new Failure(EXIT.usage, `${file}: is damaged or no database`, "fold it anew with --fresh", error);
  }
}

function beginHistory(db: SQLite.Database) {
  db.transaction(() => {
    db.pragma(`application_id = ${HISTORY_APPLICATION_ID}`);
    db.pragma(`user_version = ${HISTORY_VERSION}`);
    createSchema(db);
  })();
}

function refuseForeign(db: SQLite.Database, file: string) {
  const application = db.pragma("application_id", { simple: true });
  if (application !== HISTORY_APPLICATION_ID)
    throw new Failure(EXIT.usage, `${file}: is not a history of metasnap`, "name another file with --file");
  const version = db.pragma("user_version", { simple: true });
  if (version !== HISTORY_VERSION)
    throw new Failure(
      EXIT.usage,
      `${file}: is a history of form ${version}, this is ${HISTORY_VERSION}`,
      "fold it anew with --fresh",
    );
}

/** In the order of the nights; the same version in two folders is one night. */
function readHeads(snapshots: readonly string[]) {
  const heads = snapshots.map((snapshot) => {
    const db = openSnapshotFile(snapshot);
    const version = db.prepare<[], string>("SELECT version FROM snapshot").pluck().get() ?? "";
    db.close();
    return { snapshot, version };
  });
  const known = new Map(heads.map((head) => [head.version, head]));
  return [...known.values()].sort((a, b) => (a.version < b.version ? -1 : 1));
}

const isFolded = (db: SQLite.Database, version: string) =>
  db.prepare("SELECT 1 FROM night WHERE version = ?").get(version) !== undefined;

/** What follows a night is told by the night before it: one in between would change what is written. */
function refuseOlder(db: SQLite.Database, version: string, file: string) {
  const last = db.prepare<[], string>("SELECT max(version) FROM night").pluck().get();
  if (last && version < last)
    throw new Failure(
      EXIT.usage,
      `${file}: goes to ${last} already, ${version} is older`,
      "fold all nights anew with --fresh",
    );
}

function foldOne(db: SQLite.Database, snapshot: string, onTable: HistoryOptions["onTable"]): Folded {
  db.prepare("ATTACH ? AS snap").run(snapshot);
  try {
    return db.transaction(() => foldNight(db, onTable)).immediate();
  } finally {
    db.exec("DETACH snap");
  }
}
