import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { holdsAnswers, readHeader } from "./file.ts";
import type { Journal } from "./journal.ts";
import { makeFolder } from "./make-folder.ts";
import { openJournal } from "./open.ts";
import type { Header } from "./schema.ts";

/** Finished journals that stay for `build`, besides the one being written. */
const KEEP_FINISHED = 1;

interface ReadableJournal {
  file: string;
  header: Header;
}

/** What lies among the journals and cannot be read as one: of another version, damaged, or not ours. */
interface UnreadableJournal {
  file: string;
  fault: unknown;
}

const folderOf = (data: string) => join(data, "journals");

export interface RunOptions {
  /** Drops an unfinished journal instead of continuing it. */
  fresh: boolean;
  /** Continues the newest journal also when it was finished with slices missing. */
  retryFailed?: boolean;
  /**
   * Start of the crawl of the snapshot in hand. A journal of the same day that was finished after it and never published, as whoever
   * built it was killed, is continued: what a day asked is asked once.
   */
  publishedUntil?: string | undefined;
}

/** The unfinished journal of this very plan, or a new one. Throws a Failure where another plan was left unfinished. */
export function openRun(data: string, wanted: Header, options: RunOptions): Journal {
  const { fresh, retryFailed = false, publishedUntil } = options;
  const all = fresh ? listFiles(data).map(tryHeader).filter(isReadable) : listJournals(data);
  const runs = all.filter((run) => differenceTo(run, wanted) === undefined || !isUnused(run));
  for (const { file } of all.filter((run) => !runs.includes(run))) removeJournal(file);
  const [newest] = runs;
  const unfinished = runs.find(({ header }) => header.finished_at === null);
  if (retryFailed) return reopen(unfinished ?? newest, data, wanted);
  const open = unfinished ?? (newest && isUnpublished(newest, wanted, publishedUntil) ? newest : undefined);
  if (open && !fresh) return reopen(open, data, wanted);
  for (const { file, header } of runs) if (header.finished_at === null) removeJournal(file);
  for (const { file } of runs.filter(({ header }) => header.finished_at !== null).slice(KEEP_FINISHED))
    removeJournal(file);
  return openJournal(newFile(data, wanted.started_at), wanted);
}

/** Makes a finished journal the run to continue. */
export function reopenJournal(file: string) {
  const journal = openJournal(file);
  journal.reopen();
  journal.close();
}

function reopen(run: ReadableJournal | undefined, data: string, wanted: Header): Journal {
  if (!run)
    throw new Failure(EXIT.usage, `${folderOf(data)}: holds no journal to retry`, "crawl without --retry-failed");
  refuseOtherPlan(run, wanted);
  const journal = openJournal(run.file);
  journal.reopen(laterDay(run.header.started_at, wanted.started_at));
  return journal;
}

function isUnpublished(run: ReadableJournal, wanted: Header, publishedUntil: string | undefined): boolean {
  const { started_at } = run.header;
  if (publishedUntil === undefined || differenceTo(run, wanted) !== undefined) return false;
  return started_at > publishedUntil && started_at.slice(0, 10) === wanted.started_at.slice(0, 10);
}

/** A night that goes on on a later day is of that day: numbers that have moved since are asked again. */
const laterDay = (started: string, now: string) => (now.slice(0, 10) > started.slice(0, 10) ? now : started);

/** The newest journal that a build can start from. */
export function newestFinished(data: string): string {
  const run = listJournals(data).find(({ header }) => header.finished_at !== null);
  if (run) return run.file;
  throw new Failure(
    EXIT.usage,
    `${folderOf(data)}: holds no finished journal`,
    "run `npm run crawl` first, or name one with --journal",
  );
}

/** What the crawl that was left unfinished here is of. */
export const findUnfinished = (data: string): Header | undefined =>
  listFiles(data)
    .map(tryHeader)
    .filter(isReadable)
    .find(({ header }) => header.finished_at === null)?.header;

/** Newest first. One that cannot be read may be the run to continue, unless a newer one can. */
function listJournals(data: string): ReadableJournal[] {
  const [newest, ...others] = listFiles(data).map(tryHeader);
  if (newest && !isReadable(newest)) throw newest.fault;
  return newest ? [newest, ...others.filter(isReadable)] : [];
}

function listFiles(data: string): string[] {
  const folder = folderOf(data);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

function tryHeader(file: string): ReadableJournal | UnreadableJournal {
  try {
    return { file, header: readHeader(file) };
  } catch (fault) {
    return { file, fault };
  }
}

const isReadable = (run: ReadableJournal | UnreadableJournal): run is ReadableJournal => "header" in run;

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
  makeFolder(folderOf(data));
  const stamp = startedAt.replaceAll(/[-:]|\.\d+/g, "");
  for (let number = 1; ; number += 1) {
    const file = join(folderOf(data), `${stamp}-${String(number).padStart(3, "0")}.journal`);
    if (!existsSync(file)) return file;
  }
}

/** Removes a journal, and the folder of journals where it was the only one. */
export function discardJournal(file: string) {
  removeJournal(file);
  if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
}

function removeJournal(file: string) {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
}
