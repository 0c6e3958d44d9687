import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { makeFolder } from "../base/files.ts";
import { holdsAnswers, OtherVersion } from "./file.ts";
import type { Journal } from "./journal.ts";
import {
  findLastFinished,
  hasOurName,
  journalFolder,
  type Listing,
  listJournals,
  numberOf,
  type ReadableJournal,
  removeJournal,
} from "./listing.ts";
import { openJournal } from "./open.ts";
import type { Header } from "./schema.ts";

export interface RunOptions {
  /** Begins anew, also if an unfinished journal could be continued. */
  fresh: boolean;
  /** The highest number of a journal that a manifest names: journals up to it have been published. */
  published: number;
  /** Start of the crawl of the latest snapshot: unfinished journals from before it are not continued. */
  latest: string | undefined;
  /** Tells whether a finished journal that was never published is what the crawl wants. */
  isAsWanted: (journal: Journal) => boolean;
  /** Called for journals that are removed or damaged, and for finished ones that wait for a build. */
  tell: (event: "removed" | "not-built" | "journal-unreadable", facts: object) => void;
}

/** A journal that a run works with. */
export interface OpenedRun {
  journal: Journal;
  /** Drops unfinished journals that are not continued. They are kept until the run may begin. */
  begin: () => void;
}

/**
 * Opens the unfinished journal of these upstreams and this selection, the finished one of this day whose build did not end, or a new one.
 * The policy of the journal does not matter. A damaged journal is told of, and not continued.
 */
export function openRun(data: string, wanted: Header, options: RunOptions): OpenedRun {
  const { fresh, isAsWanted } = options;
  const listing = listJournals(data);
  if (!fresh) refuseOtherVersion(listing);
  const runs = tidy(listing, wanted, options);
  const unfinished = fresh
    ? undefined
    : runs.find(
        (run) => isUnfinished(run) && differenceTo(run, wanted) === undefined && !isOutdated(run, wanted, options),
      );
  const continued = unfinished && tryToOpen(unfinished, options);
  const begin = () => dropSuperseded(runs, listing, continued?.file, wanted, options);
  if (continued) return { journal: reopen(continued, wanted), begin };
  const last = findLastFinished(listing);
  if (last && isUnbuilt(last, options)) {
    const isOurs = !fresh && isOfDay(last, wanted) && differenceTo(last, wanted) === undefined;
    const journal = isOurs ? tryToOpen(last, options) : undefined;
    const isDone = journal && last.header.policy === wanted.policy && isAsWanted(journal);
    if (journal) return { journal: isDone ? journal : reopen(journal, wanted), begin };
    if (!isOurs) options.tell("not-built", { journal: last.file, build: "npm run build" });
  }
  return { journal: openJournal(newFile(data, wanted.started_at), wanted), begin };
}

/** Opens a journal, and reads the plan of its crawl; tells the reason and returns undefined if it is damaged. */
function tryToOpen({ file }: ReadableJournal, { tell }: RunOptions): Journal | undefined {
  let journal: Journal | undefined;
  try {
    journal = openJournal(file);
    journal.slices();
    return journal;
  } catch (error) {
    journal?.close();
    if (!(error instanceof Failure)) throw error;
    tell("journal-unreadable", { reason: error.message });
    return undefined;
  }
}

function dropSuperseded(
  runs: readonly ReadableJournal[],
  { unreadable }: Listing,
  continued: string | undefined,
  wanted: Header,
  options: RunOptions,
) {
  for (const run of runs.filter((one) => isUnfinished(one) && one.file !== continued && existsSync(one.file))) {
    const name = differenceTo(run, wanted);
    const other = name && `of other ${name}: ${JSON.stringify(run.header[name])}`;
    const older = isOutdated(run, wanted, options) ? "older than the latest snapshot" : undefined;
    drop(run.file, `it is unfinished, and ${other ?? older ?? "another one is begun"}`, options);
  }
  for (const { file, fault, isFinished } of unreadable.filter(hasOurName)) {
    const isLost = options.fresh || !(fault instanceof OtherVersion);
    if (isLost && !isFinished && existsSync(file)) drop(file, "it is unfinished, and cannot be read", options);
  }
}

const isUnfinished = ({ header }: ReadableJournal) => header.finished_at === null;

/** Tells whether the answers of a journal would replace newer ones. A latest snapshot from the future does not count. */
const isOutdated = ({ header }: ReadableJournal, wanted: Header, { latest = "" }: RunOptions) =>
  header.started_at < latest && latest <= wanted.started_at;

/** Throws if another program may go on with a journal of its version: if it is unfinished, and no readable one is newer. */
function refuseOtherVersion({ runs, unreadable }: Listing) {
  const [newest] = unreadable.filter(hasOurName);
  const isNewest = newest && runs.every(({ file }) => basename(file) < basename(newest.file));
  if (isNewest && newest.fault instanceof OtherVersion && !newest.isFinished) throw newest.fault;
}

/** Removes journals that no command would read. Returns those that stay. */
function tidy(listing: Listing, wanted: Header, options: RunOptions): ReadableJournal[] {
  const { runs, unreadable, strays } = listing;
  const last = findLastFinished(listing);
  const old = runs.filter((run) => !isUnfinished(run) && run !== last);
  const idle = runs.filter((run) => differenceTo(run, wanted) !== undefined && isUnused(run));
  for (const { file } of old) drop(file, "a newer one is finished", options);
  for (const { file } of idle) drop(file, "it holds no answer", options);
  for (const { file, fault } of unreadable.filter(hasOurName)) {
    if (!(fault instanceof OtherVersion)) options.tell("journal-unreadable", { reason: fault.message });
    if (last) drop(file, "it cannot be read, and another one is finished", options);
  }
  for (const file of strays) drop(file, "it holds nothing of a journal", options);
  return runs.filter((run) => !old.includes(run) && !idle.includes(run));
}

function drop(file: string, reason: string, { tell }: RunOptions) {
  removeJournal(file);
  tell("removed", { journal: file, reason });
}

/** Tells whether a finished journal waits for a build: none has ended, nor was one killed after it had published. */
const isUnbuilt = (run: ReadableJournal, { published }: RunOptions) =>
  run.header.built === undefined && numberOf(run) > published;

/** Tells whether the last run of a journal began on the UTC day of this one. */
const isOfDay = ({ header }: ReadableJournal, wanted: Header) =>
  header.started_at.slice(0, 10) === wanted.started_at.slice(0, 10);

function reopen(journal: Journal, { started_at, policy }: Header): Journal {
  journal.reopen(started_at, { policy });
  return journal;
}

/** Returns the journal that a build starts from. */
export function lastFinished(data: string): string {
  const run = findLastFinished(listJournals(data));
  if (run) return run.file;
  throw new Failure(
    EXIT.usage,
    `${journalFolder(data)}: holds no finished journal of this version`,
    "run `npm run crawl` first, or name one with --journal",
  );
}

/** Returns the header of a crawl that was left unfinished here, or whose build did not end. */
export function findToContinue(data: string): Header | undefined {
  const { runs } = listJournals(data);
  const last = findLastFinished({ runs });
  const unfinished = runs.find(isUnfinished)?.header;
  return unfinished ?? (last?.header.built === undefined ? last?.header : undefined);
}

/** Names the field of the header that keeps a run from continuing the journal. */
const differenceTo = ({ header }: ReadableJournal, wanted: Header) =>
  (["upstreams", "selection"] as const).find((name) => JSON.stringify(header[name]) !== JSON.stringify(wanted[name]));

/** Tells whether an unfinished journal has no answer. Such a journal binds nobody: the address of its crawl may have been a mistake. */
const isUnused = ({ file, header }: ReadableJournal) => header.finished_at === null && !holdsAnswers(file);

function newFile(data: string, startedAt: string): string {
  makeFolder(journalFolder(data));
  const stamp = startedAt.replaceAll(/[-:]|\.\d+/g, "");
  for (let number = 1; ; number += 1) {
    const file = join(journalFolder(data), `${stamp}-${String(number).padStart(3, "0")}.journal`);
    if (!existsSync(file)) return file;
  }
}
