import { EXIT, endOnFullDisk, Failure } from "../api/failure.ts";
import { freeBytes } from "../base/files.ts";
import type { Journal } from "../journal/journal.ts";
import { PLANNED } from "../journal/schema.ts";
import type { CrawlLog } from "./progress.ts";

/** What a crawl has yet to do. */
export interface Work {
  /** Slices that it may still ask for. */
  toAsk: number;
  /** Slices of the snapshot, also those that are carried over. */
  inFile: number;
}

/** Bytes of a slice: its answer in the journal, and its rows in the draft and in the file. Measured with a whole crawl of the sample. */
const BYTES = { answer: 5000, draft: 7000, file: 7000 };

/** Draft and file without a row. */
const EMPTY_BYTES = 1e6;

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6);

const bytesFor = ({ toAsk, inFile }: Work): number =>
  EMPTY_BYTES + toAsk * BYTES.answer + inFile * (BYTES.draft + BYTES.file);

/** What a lock and the first pages of a journal take: nothing can be begun with less. */
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
 * Throws a Failure for usage if a folder has less than half of the room that the work needs. With less than all it warns: the
 * journal stays good when the disk is full, and room may be made meanwhile.
 */
export function refuseShortage(folder: string, work: Work, log: CrawlLog): void {
  const [free, needed] = [freeBytes(folder), bytesFor(work)];
  if (free >= needed) return;
  const { free_mb, needed_mb } = roomFor(folder, work);
  if (free < needed / 2) throw tooLittle(folder, `${free_mb} MB are free, and about ${needed_mb} are needed`);
  log("disk-short", { folder, free_mb, needed_mb });
}

/** The same before anything is opened, if not even that would go. */
export function refuseFullDisk(folder: string): void {
  const free_kb = Math.floor(freeBytes(folder) / 1000);
  if (free_kb * 1000 < LEAST_BYTES) throw tooLittle(folder, `only ${free_kb} kB are free`);
}

/** The same if a build has filled the disk that began with `before` bytes. */
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

/** What is said if a disk was full before the end. */
export function diskFull(folder: string, work: Work, cause: unknown): Failure {
  const { free_mb, needed_mb } = roomFor(folder, work);
  return endOnFullDisk(folder, `about ${needed_mb} MB are needed, and ${free_mb} are free`, cause);
}
