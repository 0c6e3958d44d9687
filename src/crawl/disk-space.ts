import { EXIT, endOnFullDisk, Failure } from "../api/failure.ts";
import { freeBytes } from "../base/files.ts";
import type { Journal } from "../journal/journal.ts";
import { listJournals } from "../journal/listing.ts";
import { openJournal } from "../journal/open.ts";
import { PLANNED } from "../journal/schema.ts";
import type { CrawlLog } from "./progress.ts";

/** The work that a crawl has left. */
export interface Work {
  /** Slices that it may still ask for. */
  toAsk: number;
  /** Slices of the snapshot, also those that are carried over. */
  inFile: number;
}

/** Bytes of a slice: its answer in the journal, and its rows in the draft and in the file. Measured in a complete crawl of the sample. */
const BYTES = { answer: 5000, draft: 7000, file: 7000 };

/** Draft and file without a row. */
const EMPTY_BYTES = 1e6;

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6);

const bytesFor = ({ toAsk, inFile }: Work): number =>
  EMPTY_BYTES + toAsk * BYTES.answer + inFile * (BYTES.draft + BYTES.file);

/** With less room a crawl cannot even make its lock and the first pages of a journal. */
const LEAST_BYTES = 1e6;

export interface Room {
  free_mb: number;
  needed_mb: number;
}

export const roomFor = (folder: string, work: Work): Room => ({
  free_mb: toMegabytes(freeBytes(folder)),
  needed_mb: toMegabytes(bytesFor(work)),
});

/**
 * Throws a Failure for usage if a folder has less than half of the room that the work needs. If it has less than all it warns: the journal
 * stays good when the disk is full, and room may be made meanwhile.
 */
export function refuseShortage(folder: string, work: Work, log: CrawlLog): void {
  const [free, needed] = [freeBytes(folder), bytesFor(work)];
  if (free >= needed) return;
  const { free_mb, needed_mb } = roomFor(folder, work);
  if (free < needed / 2) throw tooLittle(folder, `${free_mb} MB are free, and about ${needed_mb} are needed`);
  log("disk-short", { folder, free_mb, needed_mb });
}

/** Throws a Failure for usage before anything is asked, if there is no room for a lock and the first pages of a journal. */
export function refuseFullDisk(folder: string): void {
  const free = freeBytes(folder);
  if (free >= LEAST_BYTES) return;
  throw tooLittle(folder, `only ${Math.floor(free / 1000)} kB are free, and ${describeNeed(workOfLast(folder))}`);
}

/** Throws a Failure for usage if there is no more room than `before` bytes, with which a build has filled the disk. */
export function refuseSameRoom(folder: string, work: Work, before: number): void {
  if (freeBytes(folder) > before) return;
  const { free_mb, needed_mb } = roomFor(folder, work);
  throw tooLittle(
    folder,
    `${free_mb} MB are free, no more than when a build filled the disk, and about ${needed_mb} are needed`,
  );
}

const tooLittle = (folder: string, what: string) =>
  new Failure(
    EXIT.usage,
    `${folder}: ${what} for journal, draft and file; nothing was published`,
    "free space, or name a folder on a larger disk with --data",
  );

export const workOfBuild = (journal: Journal): Work => ({
  toAsk: 0,
  inFile: PLANNED.reduce((sum, purpose) => sum + journal.slices(purpose).length, 0),
});

/** Returns the work that is left for an unfinished journal. */
function workToCome(journal: Journal): Work {
  const toAsk = journal.slices().filter(({ state }) => state === "pending").length;
  return { ...workOfBuild(journal), toAsk };
}

/**
 * Returns the work that is left for the newest journal of a folder, or that of a complete night like it if it is built; undefined without a
 * readable journal.
 */
function workOfLast(folder: string): Work | undefined {
  let journal: Journal | undefined;
  try {
    const [last] = listJournals(folder).runs;
    journal = last && openJournal(last.file);
    if (!journal) return undefined;
    const work = workToCome(journal);
    return last?.header.built === undefined ? work : { ...work, toAsk: work.inFile };
  } catch {
    // A damaged journal is no reason to hide that the disk is full.
    return undefined;
  } finally {
    journal?.close();
  }
}

const describeNeed = (work: Work | undefined): string =>
  work ? `about ${toMegabytes(bytesFor(work))} MB are needed` : `at least ${toMegabytes(LEAST_BYTES)} MB is needed`;

/** Makes the Failure for a disk that was full before a crawl or a build ended. `work`: what a build still had to do. */
export const diskFull = (folder: string, cause: unknown, work = workOfLast(folder)): Failure =>
  endOnFullDisk(folder, `${describeNeed(work)}, and ${toMegabytes(freeBytes(folder))} are free`, cause);
