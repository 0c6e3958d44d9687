import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../../api/failure.ts";
import { openStage, sweepStage } from "../../../base/release.ts";
import { countOf } from "../../../base/words.ts";
import { openSnapshotFile } from "../../../snapshot/read/open.ts";
import { type IngestedNight, ingestNight, type NightInfo } from "./ingest.ts";
import { type NightSequence, sortByPublication } from "./night-order.ts";
import { explainHistory, openHistory, requireReplaceable } from "./open.ts";
import { createSchema } from "./schema.ts";

/** A snapshot to be added, and what its folder knows of it. */
export interface NightFile extends NightInfo {
  file: string;
  /** The version that was the latest before it; null if there was none, or nobody knows. */
  follows?: string | null;
}

export interface HistoryOptions {
  /** Builds the history anew; the new one replaces the old one when it is complete. */
  fresh?: boolean;
  /** Accepts, with `fresh`, the loss of nights that only the old one holds. */
  forget?: boolean;
  /** Called for each table of a night, before the night is committed. */
  onTable?: (name: string) => void;
  /** Called for each night that was added. */
  onNight?: (night: IngestedNight & { seconds: number }) => void;
  /** Called for each snapshot that cannot be added, with its file and why; the others are added anyway. */
  onDamaged?: (reason: string) => void;
}

export interface IngestResult {
  ingested: number;
  /** Nights that became withdrawn, or are no longer. */
  marked: number;
  damaged: number;
}

/**
 * Adds snapshots to the history; those that it has are skipped. Each night is one transaction, so a kill leaves the
 * nights before it. Throws `Failure(EXIT.usage)` for a file that is no history, and for nights that `fresh` would lose.
 */
export function updateHistory(file: string, nights: readonly NightFile[], options: HistoryOptions = {}): IngestResult {
  if (!options.fresh) {
    sweepStage(dirname(file), basename(file));
    return ingestInto(file, nights, options);
  }
  requireReplaceable(file);
  using stage = openStage(dirname(file), basename(file));
  const draft = stage.draft(basename(file));
  const result = ingestInto(draft, nights, options);
  const before = readHistoryVersions(file);
  if (!options.forget) requireNoLoss(file, before, readHistoryVersions(draft));
  // A rollback journal that is left belongs to the old file.
  stage.release([
    [
      { file: `${file}-journal`, gone: true },
      { file, draft },
    ],
  ]);
  return result;
}

function ingestInto(
  file: string,
  nights: readonly NightFile[],
  { onTable, onNight, onDamaged }: HistoryOptions,
): IngestResult {
  const db = openHistory(file);
  try {
    // Files are named by their version: those that the history has need not be opened.
    const candidates = nights.filter((night) => !hasNight(db, basename(night.file, ".sqlite")));
    const { found, damaged } = readSnapshotVersions(candidates);
    const missing = sortByPublication(found.filter(({ version }) => !hasNight(db, version)));
    // The schema may have grown since; with nothing to add the file stays as it is.
    if (missing.length > 0) db.transaction(createSchema)(db);
    let ingested = 0;
    for (const { night } of missing) {
      const startedAt = performance.now();
      try {
        const counts = ingestFile(db, night, onTable);
        ingested += 1;
        onNight?.({ ...counts, seconds: (performance.now() - startedAt) / 1000 });
      } catch (error) {
        damaged.push(describeDamage(error, night.file, file));
      }
    }
    for (const reason of damaged) onDamaged?.(reason);
    return { ingested, marked: updateWithdrawn(db, nights), damaged: damaged.length };
  } catch (error) {
    throw explainHistory(error, file);
  } finally {
    db.close();
  }
}

/** The versions of all snapshots that can be read; one version in two folders is one night. */
function readSnapshotVersions(nights: readonly NightFile[]) {
  const byVersion = new Map<string, NightSequence & { night: NightFile }>();
  const damaged: string[] = [];
  for (const night of nights) {
    try {
      const db = openSnapshotFile(night.file);
      const version = db.prepare<[], string>("SELECT version FROM snapshot").pluck().get() ?? "";
      db.close();
      if (!byVersion.has(version)) byVersion.set(version, { night, version, sequence: night.sequence });
    } catch (error) {
      damaged.push(describeDamage(error, night.file));
    }
  }
  return { found: [...byVersion.values()], damaged };
}

const hasNight = (db: SQLite.Database, version: string) =>
  db.prepare("SELECT 1 FROM night WHERE version = ?").get(version) !== undefined;

/** The transaction is deferred, so that the attached snapshot is never locked for writing. */
function ingestFile(
  db: SQLite.Database,
  { file, ...info }: NightFile,
  onTable: HistoryOptions["onTable"],
): IngestedNight {
  db.prepare("ATTACH ? AS snap").run(file);
  try {
    return db.transaction(() => ingestNight(db, info, onTable)).deferred();
  } finally {
    db.exec("DETACH snap");
  }
}

/** Describes why a snapshot cannot be added. Rethrows an error that is not the snapshot's fault. */
function describeDamage(error: unknown, file: string, history = file): string {
  if (error instanceof Failure) return error.message;
  if (!(error instanceof SQLite.SqliteError)) throw error;
  if (/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|ERROR|MISMATCH|TOOBIG)/.test(error.code))
    return `${file}: is damaged: ${error.message}`;
  throw explainHistory(error, history);
}

/**
 * Updates which nights are withdrawn, as their folders say now. A night that another one follows which stands is not, also if the
 * folder no longer has it.
 */
function updateWithdrawn(db: SQLite.Database, nights: readonly NightFile[]): number {
  const update = db.prepare(
    "UPDATE night SET withdrawn = :withdrawn WHERE version = :version AND withdrawn <> :withdrawn",
  );
  const marks = nights.map(({ file, withdrawn }) => ({
    version: basename(file, ".sqlite"),
    withdrawn: Number(withdrawn),
  }));
  for (const { withdrawn, follows } of nights)
    if (!withdrawn && follows && marks.every(({ version }) => version !== follows))
      marks.push({ version: follows, withdrawn: 0 });
  return db.transaction(() => marks.reduce((total, mark) => total + update.run(mark).changes, 0))();
}

/** A snapshot that was pruned cannot be added again. */
function requireNoLoss(file: string, before: readonly string[], now: readonly string[]) {
  const lost = before.filter((version) => !now.includes(version));
  if (lost.length === 0) return;
  const message = `${file}: holds ${countOf(lost.length, "night")} that ${lost.length === 1 ? "lies" : "lie"} nowhere else (${lost[0]} to ${lost.at(-1)}); it stays as it is`;
  throw new Failure(EXIT.usage, message, "name the folder that has them with --from, or let them go with --forget");
}

/**
 * Returns the versions in a history; none for a file that is no history, or too damaged to read. It is not opened read-only: after a kill
 * in the middle of a transaction SQLite has to roll it back first.
 */
function readHistoryVersions(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const db = new SQLite(file, { fileMustExist: true });
    try {
      return db.prepare<[], string>("SELECT version FROM night ORDER BY night_id").pluck().all();
    } finally {
      db.close();
    }
  } catch (error) {
    describeDamage(error, file);
    return [];
  }
}
