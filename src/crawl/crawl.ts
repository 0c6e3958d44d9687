/**
 * The crawl: asks an upstream for all that is due, and leaves a finished journal. `captureAll` is the list of its steps.
 *
 * `plan.ts` makes slices of the selection and the roster, and `refresh/` decides which of them are due. `ask/` asks for them through
 * `upstream/`, which keeps the pace and chooses the host, and `validate/` checks each answer. `doubts/` looks for answers that contradict
 * each other, `languages/` for numbers that depend on the language, and `missing/` at what could not be had.
 *
 * The trap: a crawl can be killed at any moment, and the next run does all steps again with what the journal holds by then. So a step
 * begins by asking the journal what is left, and keeps in `Run` only what may be forgotten.
 */

import type { Slice } from "../api/endpoint.ts";
import { isDiskFull } from "../api/failure.ts";
import { findEmptied } from "../journal/conclusion/emptied.ts";
import type { Journal } from "../journal/journal.ts";
import { discardJournal, nextNumber } from "../journal/listing.ts";
import { openJournal } from "../journal/open.ts";
import { openRun } from "../journal/runs.ts";
import type { Header } from "../journal/schema.ts";
import { captureAnswers, workLeft } from "./answers.ts";
import { diskFull, type Room, refuseSameRoom, refuseShortage, roomFor, workOfBuild } from "./disk-space.ts";
import { settleDoubts, takeBack } from "./doubts/settle.ts";
import { planNightlyCheck } from "./languages/samples.ts";
import { captureTranslations } from "./languages/translations.ts";
import { askClosingRounds } from "./missing/closing.ts";
import { judgeNight } from "./missing/judge.ts";
import { askWitnesses } from "./missing/witness.ts";
import { readNotices } from "./notices.ts";
import { countRequests } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { purposeOf } from "./purposes.ts";
import type { Forecast } from "./refresh/forecast.ts";
import { planRefresh, planWanted } from "./refresh/plan.ts";
import { askFilled, settleNight } from "./refresh/refresh.ts";
import { captureRoster } from "./roster.ts";
import { type CrawlOptions, type CrawlRequest, DEFAULTS, type Run, startRun } from "./run.ts";
import { planStopped, stopOf, stopped } from "./stop.ts";
import { findTargets } from "./targets.ts";

/**
 * Asks the upstream for every slice of the selection. Returns the path of the finished journal; rejects with a Failure if it is stopped,
 * refused or incomplete, and resumes from there when it is called again.
 */
export async function crawl(told: CrawlRequest, progress: Progress, interrupt: AbortSignal): Promise<string> {
  const options: CrawlOptions = { ...DEFAULTS, ...told };
  try {
    return await captureNight(options, progress, interrupt);
  } catch (error) {
    throw isDiskFull(error) ? diskFull(options.data, error) : error;
  }
}

async function captureNight(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<string> {
  const number = nextNumber(options.data, options.lastPublished);
  const { journal, begin } = openRun(options.data, headerOf(options), {
    ...options,
    published: options.lastPublished,
    latest: options.base?.startedAt,
    isAsWanted: (finished) => isAsWanted(finished, options),
    tell: progress.log,
  });
  if (journal.header().finished_at !== null) return takeUp(journal, options, progress);
  const run = startRun(journal, options, progress, stopOf(options, interrupt), begin);
  let isWanted = true;
  try {
    await captureAll(run);
    journal.finish(new Date().toISOString(), number);
    return journal.file;
  } catch (error) {
    isWanted = run.stop.aborted || holdsAnything(journal);
    throw run.stop.aborted && !isDiskFull(error) ? stopped(run) : error;
  } finally {
    await run.close();
    if (!isWanted) discardJournal(journal.file);
  }
}

/** Takes up a complete crawl of this day whose build did not end: nothing is asked again. */
function takeUp(journal: Journal, { data }: CrawlOptions, { log }: Progress): string {
  const { file } = journal;
  const { too_little: before } = journal.header();
  const work = workOfBuild(journal);
  // SQLite removes the files beside it when it is closed.
  journal.close();
  log("taken-up", { journal: file });
  if (before !== undefined) refuseSameRoom(data, work, before);
  refuseShortage(data, work, log);
  return file;
}

/** Tells whether a journal leaves out the same endpoints. */
const isAsWanted = (journal: Journal, { without }: CrawlOptions): boolean =>
  String(journal.getState("without")) === String([...without].sort());

/** Tells whether the journal holds an answer, or a pause that the upstream has asked for. */
const holdsAnything = (journal: Journal) =>
  journal.slices().some(({ pages }) => pages > 0) || (journal.getState("pace")?.resumeAt ?? 0) > Date.now();

/** The steps of a crawl. */
async function captureAll(run: Run): Promise<void> {
  await readNotices(run);
  requeueMissing(run);
  const due = await captureAnswers(run);
  await settleDoubts(run);
  const filled = await askFilled(run, due);
  const differing = await captureTranslations(run);
  await askClosingRounds(run);
  const unsettled = takeBack(run, await settleDoubts(run));
  await settleNight(run, filled, differing, unsettled);
  await askWitnesses(run);
  judgeNight(run);
}

/** Requeues slices that an earlier run asked in vain, or rejected because they were empty, as if they had not been asked. */
function requeueMissing({ journal, options }: Run) {
  const failed = [...journal.slices(), ...journal.slices("closed")].filter(({ state }) => state === "failed");
  journal.requeue([...failed, ...findEmptied(journal, options.base)].map(({ id }) => id));
}

export interface CrawlPlan {
  requests: number;
  /** The seconds that it takes at the configured rate. */
  seconds: number;
  /** Requests by path. */
  endpoints: Record<string, number>;
  /** The room in the folder for journal, draft and file. */
  disk: Room;
  /** With a policy that skips slices: the number of slices skipped, by the rule that allows it. */
  saved?: Record<string, number>;
  /** With a budget: the forecast of many nights. */
  forecast?: Forecast;
}

/** Tells what a crawl would ask, from the roster alone. */
export async function plan(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<CrawlPlan> {
  // Somebody waits for it: a name that nobody knows is a mistake at once.
  const impatient = { ...options, namePatienceMs: 0 };
  const run = startRun(openJournal(":memory:", headerOf(options)), impatient, progress, stopOf(options, interrupt));
  try {
    const roster = await captureRoster(run);
    const targets = await findTargets(run, roster);
    const wanted = planWanted(run.options, targets).filter((slice) => isToAsk(run.options, slice));
    const { slices, ...more } = options.policy === "all" ? { slices: wanted } : planRefresh(run, wanted);
    const seed = options.startedAt.toISOString();
    const check = planNightlyCheck(run, slices, seed);
    const endpoints = countRequests([...slices, ...check], targets.roster.length);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    const disk = roomFor(options.data, workLeft(run, roster, requests));
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints, disk, ...more };
  } catch (error) {
    throw run.stop.aborted ? planStopped(run) : error;
  } finally {
    await run.close();
  }
}

const isToAsk = (options: CrawlOptions, slice: Slice): boolean => {
  const purpose = purposeOf(options, slice);
  return purpose === "answer" || purpose === "keep";
};

const headerOf = ({ upstreams, selection, startedAt, policy }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  began_at: startedAt.toISOString(),
  finished_at: null,
  policy,
});
