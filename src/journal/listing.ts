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

/** What lies among the journals and cannot be read as one: of another version, damaged, or not ours. */
export interface UnreadableJournal {
  file: string;
  fault: Failure;
  /** Of another version, with all answers that it wanted. */
  isFinished: boolean;
}

export interface Listing {
  /** The newest name first. */
  runs: ReadableJournal[];
  /** The same. */
  unreadable: UnreadableJournal[];
  /** Files of SQLite whose journal is gone. */
  strays: string[];
}

/** What is named so is ours, whatever it holds. */
const OWN_NAME = /^\d{8}T\d{6}Z-\d{3,}\.journal$/;
const BESIDE = ["-wal", "-shm"];

export const journalFolder = (data: string) => join(data, "journals");

export function listJournals(data: string): Listing {
  const folder = journalFolder(data);
  const names = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  const journals = names.filter((name) => name.endsWith(".journal")).map((name) => readJournal(join(folder, name)));
  const isStray = (name: string) =>
    BESIDE.some((end) => name.endsWith(`.journal${end}`) && !names.includes(name.slice(0, -end.length)));
  return {
    runs: journals.filter((journal) => "header" in journal),
    unreadable: journals.filter((journal) => "fault" in journal),
    strays: names.filter(isStray).map((name) => join(folder, name)),
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

/** All versions have said so in the same place. */
function saysFinished(file: string): boolean {
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { fileMustExist: true });
    const finishedAt = db.prepare("SELECT json ->> 'finished_at' FROM header").pluck().get();
    return typeof finishedAt === "string";
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

/** Where a journal stands among the finished ones of its folder. */
export const numberOf = ({ header }: ReadableJournal): number => header.number ?? 0;

/** Not by name, which comes from a clock that may have been set back. */
export const findLastFinished = ({ runs }: Pick<Listing, "runs">): ReadableJournal | undefined =>
  runs
    .filter(({ header }) => header.finished_at !== null)
    .reduce<ReadableJournal | undefined>(
      (last, run) => (last && numberOf(last) >= numberOf(run) ? last : run),
      undefined,
    );

/** The number of the journal that is finished next; `published` is the highest that a manifest names. */
export const nextNumber = (data: string, published: number): number =>
  Math.max(published, ...listJournals(data).runs.map(numberOf)) + 1;

export const hasOurName = ({ file }: UnreadableJournal): boolean => OWN_NAME.test(basename(file));

/** The journal first: what it leaves behind if it is cut is a stray. */
export function removeJournal(file: string) {
  for (const suffix of ["", ...BESIDE]) rmSync(file + suffix, { force: true });
}

/** Removes a journal, and the folder of journals if it was the only one. */
export function discardJournal(file: string) {
  removeJournal(file);
  if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
}
