import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../api/failure.ts";
import { sync } from "../../snapshot/published/fsync.ts";
import { openSnapshotFile } from "../../snapshot/read/open.ts";
import { type Folded, foldNight, type NightFacts } from "./fold.ts";
import { openHistory, refuseOther } from "./open.ts";
import { type Place, sortByPlace } from "./places.ts";
import { createSchema } from "./schema.ts";

/** A snapshot that is to be folded, and what its folder knows of it. */
export interface Night extends NightFacts {
  file: string;
}

export interface HistoryOptions {
  /** Makes a new one, which takes the place of the old one when it is whole. */
  fresh?: boolean;
  /** Lets go of nights that only the old one holds. */
  forget?: boolean;
  /** Told of each table of a night, before the night is there. */
  onTable?: (name: string) => void;
  /** Told of each night that was folded. */
  onNight?: (folded: Folded & { seconds: number }) => void;
  /** Told of each snapshot that cannot be folded: it costs its own night. */
  onDamaged?: (file: string, reason: string) => void;
}

export interface FoldedHistory {
  folded: number;
  /** Nights that are told apart from others now, or no longer: withdrawn, or not. */
  marked: number;
  damaged: number;
}

/**
 * Folds snapshots into the history, those that it has are passed over. Each night is one transaction: a kill leaves the
 * nights before it, whole. Throws a Failure for a file that is no history, and for nights that would be lost.
 */
export function foldHistory(file: string, nights: readonly Night[], options: HistoryOptions = {}): FoldedHistory {
  if (!options.fresh) return foldInto(file, nights, options);
  refuseOther(file);
  const draft = `${file}.fresh`;
  for (const name of [draft, `${draft}-journal`]) rmSync(name, { force: true });
  try {
    const done = foldInto(draft, nights, options);
    const before = readVersions(file);
    if (!options.forget) refuseLoss(file, before, readVersions(draft));
    sync(draft);
    // One that could not be played back belongs to the old one.
    rmSync(`${file}-journal`, { force: true });
    renameSync(draft, file);
    return done;
  } finally {
    for (const name of [draft, `${draft}-journal`]) rmSync(name, { force: true });
  }
}

function foldInto(file: string, nights: readonly Night[], { onTable, onNight, onDamaged }: HistoryOptions) {
  const db = openHistory(file);
  try {
    // Files are named by their version: what is folded already is not opened.
    const named = nights.filter((night) => !isFolded(db, basename(night.file, ".sqlite")));
    const { found, damaged } = readHeads(named);
    const missing = sortByPlace(found.filter(({ version }) => !isFolded(db, version)));
    // A newer program may know more; without anything to fold the file stays as it is.
    if (missing.length > 0 || isOfOld(db)) db.transaction(createSchema)(db);
    let folded = 0;
    for (const { night } of missing) {
      const begun = performance.now();
      try {
        const told = foldOne(db, night, onTable);
        folded += 1;
        onNight?.({ ...told, seconds: (performance.now() - begun) / 1000 });
      } catch (error) {
        damaged.push({ night, reason: explain(error, file) });
      }
    }
    for (const { night, reason } of damaged) onDamaged?.(night.file, reason);
    return { folded, marked: markNights(db, nights), damaged: damaged.length };
  } finally {
    db.close();
  }
}

/** The heads of all that can be read; the same version in two folders is one night. */
function readHeads(nights: readonly Night[]) {
  const found = new Map<string, Place & { night: Night }>();
  const damaged: { night: Night; reason: string }[] = [];
  for (const night of nights) {
    try {
      const db = openSnapshotFile(night.file);
      const version = db.prepare<[], string>("SELECT version FROM snapshot").pluck().get() ?? "";
      db.close();
      if (!found.has(version)) found.set(version, { night, version, sequence: night.sequence });
    } catch (error) {
      damaged.push({ night, reason: explain(error, night.file) });
    }
  }
  return { found: [...found.values()], damaged };
}

/** The first histories did not know what is withdrawn. */
const isOfOld = (db: SQLite.Database) =>
  db.prepare("SELECT 1 FROM pragma_table_info('night') WHERE name = 'withdrawn'").get() === undefined;

const isFolded = (db: SQLite.Database, version: string) =>
  db.prepare("SELECT 1 FROM night WHERE version = ?").get(version) !== undefined;

/** The snapshot is only read: a transaction that begins with reading locks nothing but what it writes. */
function foldOne(db: SQLite.Database, { file, ...facts }: Night, onTable: HistoryOptions["onTable"]): Folded {
  db.prepare("ATTACH ? AS snap").run(file);
  try {
    return db.transaction(() => foldNight(db, facts, onTable)).deferred();
  } finally {
    db.exec("DETACH snap");
  }
}

/** Why a snapshot cannot be folded. Throws what has nothing to do with it. */
function explain(error: unknown, history: string): string {
  if (error instanceof Failure) return error.message;
  if (!(error instanceof SQLite.SqliteError)) throw error;
  if (/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|ERROR|MISMATCH|TOOBIG)/.test(error.code))
    return `is damaged: ${error.message}`;
  throw new Failure(EXIT.usage, `${history}: ${error.message} (${error.code})`, "try again when nobody else writes it");
}

/** Brings up to date what folders say of nights that are folded. */
function markNights(db: SQLite.Database, nights: readonly Night[]): number {
  const mark = db.prepare(
    "UPDATE night SET withdrawn = :withdrawn WHERE version = :version AND withdrawn <> :withdrawn",
  );
  const marks = nights.map(({ file, withdrawn }) => ({
    version: basename(file, ".sqlite"),
    withdrawn: Number(withdrawn),
  }));
  return db.transaction(() => marks.reduce((total, one) => total + mark.run(one).changes, 0))();
}

/** What was pruned can not be folded again. */
function refuseLoss(file: string, before: readonly string[], now: readonly string[]) {
  const lost = before.filter((version) => !now.includes(version));
  if (lost.length === 0) return;
  const message = `${file}: holds ${lost.length} nights that lie nowhere else (${lost[0]} to ${lost.at(-1)}); it stays as it is`;
  throw new Failure(EXIT.usage, message, "name the folder that has them with --from, or let them go with --forget");
}

/**
 * None where it is no history, or damaged beyond reading. Not opened for reading only: a fold that was killed while it was
 * written is played back first, and cannot be read before.
 */
function readVersions(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const db = new SQLite(file, { fileMustExist: true });
    try {
      return db.prepare<[], string>("SELECT version FROM night ORDER BY night_id").pluck().all();
    } finally {
      db.close();
    }
  } catch (error) {
    explain(error, file);
    return [];
  }
}
