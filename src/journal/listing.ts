import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import { Failure } from "../api/failure.ts";
import { readHeader } from "./file.ts";
import type { Header } from "./schema.ts";

/** A journal of this version. */
export interface ReadableJournal {
  file: string;
  header: Header;
}

/** A file among the journals that cannot be read as one: of another version, damaged, or not ours. */
export interface UnreadableJournal {
  file: string;
  fault: Failure;
  /** True if it is of another version and has all answers that it wanted. */
  isFinished: boolean;
}

export interface Listing {
  /** Readable journals, the newest name first. */
  runs: ReadableJournal[];
  /** Unreadable ones, in the same order. */
  unreadable: UnreadableJournal[];
  /** Files of SQLite whose journal is gone, and journals that a kill or a full disk cut short before there was a table. */
  strays: string[];
}

/** The form of our file names: a file named so is ours, whatever it holds. */
const OWN_NAME = /^\d{8}T\d{6}Z-\d{3,}\.journal$/;
const BESIDE = ["-wal", "-shm"];

export const journalFolder = (data: string) => join(data, "journals");

export function listJournals(data: string): Listing {
  const folder = journalFolder(data);
  const names = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  const journals = names.filter((name) => name.endsWith(".journal")).map((name) => readJournal(join(folder, name)));
  const faulty = journals.filter((journal) => "fault" in journal);
  const unmade = faulty.filter((journal) => hasOurName(journal) && hasNoTable(journal));
  const isStray = (name: string) =>
    BESIDE.some((end) => name.endsWith(`.journal${end}`) && !names.includes(name.slice(0, -end.length)));
  return {
    runs: journals.filter((journal) => "header" in journal),
    unreadable: faulty.filter((journal) => !unmade.includes(journal)),
    strays: [...names.filter(isStray).map((name) => join(folder, name)), ...unmade.map(({ file }) => file)],
  };
}

function readJournal(file: string): ReadableJournal | UnreadableJournal {
  try {
    return { file, header: readHeader(file) };
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    return { file, fault, isFinished: saysFinished(file) };
  }
}

/** Tells whether a journal is finished; all versions note that in the same place. */
const saysFinished = (file: string) => typeof tryToRead(file, "SELECT json ->> 'finished_at' FROM header") === "string";

const hasNoTable = ({ file }: UnreadableJournal) => tryToRead(file, "SELECT count(*) FROM sqlite_schema") === 0;

/** Reads one value of a file that is no journal of this version; undefined if it cannot be read. */
function tryToRead(file: string, sql: string): unknown {
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { fileMustExist: true });
    return db.prepare(sql).pluck().get();
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** Returns the place of a journal among the finished ones of its folder; 0 if it is not finished. */
export const numberOf = ({ header }: ReadableJournal): number => header.number ?? 0;

/** Finds the journal that was finished last. It does not go by names, which come from a clock that may have been set back. */
export const findLastFinished = ({ runs }: Pick<Listing, "runs">): ReadableJournal | undefined =>
  runs
    .filter(({ header }) => header.finished_at !== null)
    .reduce<ReadableJournal | undefined>(
      (last, run) => (last && numberOf(last) >= numberOf(run) ? last : run),
      undefined,
    );

/** Returns the number of the journal that is finished next; `published` is the highest number that a manifest names. */
export const nextNumber = (data: string, published: number): number =>
  Math.max(published, ...listJournals(data).runs.map(numberOf)) + 1;

export const hasOurName = ({ file }: UnreadableJournal): boolean => OWN_NAME.test(basename(file));

/** Removes a journal before its log: if this is interrupted, what remains is a stray. */
export function removeJournal(file: string) {
  for (const suffix of ["", ...BESIDE]) rmSync(file + suffix, { force: true });
}

/** Removes a journal, and the folder of journals if it was the only one. */
export function discardJournal(file: string) {
  removeJournal(file);
  if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
}
