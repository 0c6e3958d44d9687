import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { makeFolder } from "../base/files.ts";
import { holdsAnswers } from "./file.ts";
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
  /** Drops what is unfinished, of whatever version, instead of continuing it. */
  fresh: boolean;
  /** Continues the last journal also when it was finished with slices missing. */
  retryFailed?: boolean;
  /** The highest number of a journal that a manifest names: what is as high has been published. */
  published: number;
  /** Whether a finished journal that was never published is what the crawl wants. */
  isAsWanted: (journal: Journal) => boolean;
  /** Is told what is removed, and what was finished and waits for a build. */
  tell: (event: "removed" | "not-built", facts: object) => void;
}

/**
 * The unfinished journal of this very plan, the finished one of this day whose build did not end, or a new one. Throws a
 * Failure if another plan was left unfinished.
 */
export function openRun(data: string, wanted: Header, options: RunOptions): Journal {
  const { fresh, retryFailed = false, isAsWanted } = options;
  const listing = listJournals(data);
  if (!fresh) refuseUnreadable(listing);
  const runs = tidy(listing, wanted, options);
  const unfinished = runs.find(isUnfinished);
  const last = findLastFinished(listing);
  if (retryFailed) return reopen(unfinished ?? last, data, wanted);
  if (unfinished && !fresh) return reopen(unfinished, data, wanted);
  for (const { file } of runs.filter(isUnfinished)) drop(file, "it is unfinished", options);
  if (!last || !isUnbuilt(last, options)) return openJournal(newFile(data, wanted.started_at), wanted);
  if (!fresh && isOfDay(last, wanted) && differenceTo(last, wanted) === undefined) {
    const journal = openJournal(last.file);
    if (isAsWanted(journal)) return journal;
    journal.close();
    return reopen(last, data, wanted);
  }
  options.tell("not-built", { journal: last.file, build: "npm run build" });
  return openJournal(newFile(data, wanted.started_at), wanted);
}

const isUnfinished = ({ header }: ReadableJournal) => header.finished_at === null;

/** One that cannot be read may be the run to continue, unless a newer one can. */
function refuseUnreadable({ runs, unreadable }: Listing) {
  const [newest] = unreadable.filter(hasOurName);
  const isNewest = newest && runs.every(({ file }) => basename(file) < basename(newest.file));
  if (isNewest && !newest.isFinished) throw newest.fault;
}

/** Removes what no command would read. Returns the journals that stay. */
function tidy(listing: Listing, wanted: Header, options: RunOptions): ReadableJournal[] {
  const { runs, unreadable, strays } = listing;
  const last = findLastFinished(listing);
  const old = runs.filter((run) => !isUnfinished(run) && run !== last);
  const idle = runs.filter((run) => differenceTo(run, wanted) !== undefined && isUnused(run));
  for (const { file } of old) drop(file, "a newer one is finished", options);
  for (const { file } of idle) drop(file, "it holds no answer", options);
  for (const { file, isFinished } of unreadable.filter(hasOurName)) {
    if (last) drop(file, "it cannot be read, and another one is finished", options);
    else if (options.fresh && !isFinished) drop(file, "it is unfinished, and cannot be read", options);
  }
  for (const file of strays) drop(file, "its journal is gone", options);
  return runs.filter((run) => !old.includes(run) && !idle.includes(run));
}

function drop(file: string, reason: string, { tell }: RunOptions) {
  removeJournal(file);
  tell("removed", { journal: file, reason });
}

/** Whether no build of it has ended, nor was killed after it had published. */
const isUnbuilt = (run: ReadableJournal, { published }: RunOptions) =>
  run.header.built === undefined && numberOf(run) > published;

/** Whether its last run began on the UTC day of this one. */
const isOfDay = ({ header }: ReadableJournal, wanted: Header) =>
  header.started_at.slice(0, 10) === wanted.started_at.slice(0, 10);

function reopen(run: ReadableJournal | undefined, data: string, wanted: Header): Journal {
  if (!run)
    throw new Failure(EXIT.usage, `${journalFolder(data)}: holds no journal to retry`, "crawl without --retry-failed");
  refuseOtherPlan(run, wanted);
  const journal = openJournal(run.file);
  journal.reopen(wanted.started_at);
  return journal;
}

/** The journal that a build starts from. */
export function lastFinished(data: string): string {
  const run = findLastFinished(listJournals(data));
  if (run) return run.file;
  throw new Failure(
    EXIT.usage,
    `${journalFolder(data)}: holds no finished journal of this version`,
    "run `npm run crawl` first, or name one with --journal",
  );
}

/** What the crawl that was left unfinished here is of. */
export const findUnfinished = (data: string): Header | undefined => listJournals(data).runs.find(isUnfinished)?.header;

/** The same, or what the crawl is of whose build did not end. */
export function findToContinue(data: string): Header | undefined {
  const last = findLastFinished(listJournals(data));
  return findUnfinished(data) ?? (last?.header.built === undefined ? last?.header : undefined);
}

/** Where its plan is another one. */
const differenceTo = ({ header }: ReadableJournal, wanted: Header) =>
  (["upstreams", "selection", "policy"] as const).find(
    (name) => JSON.stringify(header[name]) !== JSON.stringify(wanted[name]),
  );

const POLICY_WORDS = {
  all: "of a crawl that asks for everything",
  reuse: "of a crawl with --reuse",
  budget: "of a crawl with --budget",
} as const;

function refuseOtherPlan(run: ReadableJournal, wanted: Header) {
  const name = differenceTo(run, wanted);
  if (name === undefined) return;
  throw new Failure(
    EXIT.usage,
    `${run.file}: is an unfinished journal ${name === "policy" ? POLICY_WORDS[run.header.policy ?? "all"] : `with other ${name}: ${JSON.stringify(run.header[name])}`}`,
    "repeat the options of that crawl to finish it, or drop it with --fresh",
  );
}

/** A journal without one answer binds nobody: the address of its crawl may have been a mistake. */
const isUnused = ({ file, header }: ReadableJournal) => header.finished_at === null && !holdsAnswers(file);

function newFile(data: string, startedAt: string): string {
  makeFolder(journalFolder(data));
  const stamp = startedAt.replaceAll(/[-:]|\.\d+/g, "");
  for (let number = 1; ; number += 1) {
    const file = join(journalFolder(data), `${stamp}-${String(number).padStart(3, "0")}.journal`);
    if (!existsSync(file)) return file;
  }
}
