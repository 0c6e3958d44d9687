import { EXIT, Failure } from "../api/failure.ts";
import type { Journal } from "../journal/journal.ts";
import { openJournal } from "../journal/open.ts";
import { discardJournal, openRun } from "../journal/runs.ts";
import type { Header } from "../journal/schema.ts";
import { yieldOrAbort } from "../journal/yield.ts";
import { collect, requireComplete } from "./collect.ts";
import { captureTranslations, checkLanguageInvariance, planLanguageCheck } from "./consistency/languages.ts";
import { createReconcileState, reconcile } from "./consistency/reconcile.ts";
import { findTextMismatches } from "./consistency/text-mismatches.ts";
import { findShortage } from "./disk-space.ts";
import { readNotices } from "./notices.ts";
import { countRequests, planSlices } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { captureRoster, planRoster, rosterUnchanged } from "./roster.ts";
import { type CrawlOptions, type Run, startRun } from "./run.ts";
import { findTargets } from "./targets.ts";

/**
 * Asks the upstream for every slice of the selection. Returns the path of the finished journal; rejects with a Failure
 * when it is stopped, refused or incomplete, and goes on from there when it is called again.
 */
export async function crawl(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<string> {
  const stop = stopOf(options, interrupt);
  const journal = openRun(options.data, headerOf(options), options);
  const run = startRun(journal, options, progress, stop);
  let isWanted = true;
  try {
    await captureAll(run);
    return journal.file;
  } catch (error) {
    isWanted = stop.aborted || holdsAnything(journal);
    throw stop.aborted ? stopped(journal, stop) : error;
  } finally {
    await run.close();
    if (!isWanted) discardJournal(journal.file);
  }
}

/** An answer, or that the upstream has asked for a pause. */
const holdsAnything = (journal: Journal) =>
  journal.slices().some(({ pages }) => pages > 0) || (journal.getState("pace")?.resumeAt ?? 0) > Date.now();

/** The steps of a crawl. Each begins with what the journal holds already, so that a run that was killed goes on. */
async function captureAll(run: Run): Promise<void> {
  const state = createReconcileState();
  await readNotices(run);
  await captureAnswers(run);
  await yieldOrAbort(run.stop);
  await reconcile(run, state);
  await yieldOrAbort(run.stop);
  const mismatches = findTextMismatches(run);
  const differing = await checkLanguageInvariance(run, mismatches);
  await captureTranslations(run, mismatches, differing);
  await reconcile(run, state);
  await yieldOrAbort(run.stop);
  run.journal.finish(new Date().toISOString());
}

export interface Plan {
  requests: number;
  /** At the configured rate. */
  seconds: number;
  /** Requests by path. */
  endpoints: Record<string, number>;
}

/** What a crawl would ask, told from the roster alone. */
export async function plan(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<Plan> {
  const stop = stopOf(options, interrupt);
  const run = startRun(openJournal(":memory:", headerOf(options)), options, progress, stop);
  try {
    const roster = await captureRoster(run);
    const slices = planSlices(options.selection, await findTargets(run, roster));
    const check = planLanguageCheck(slices, options.selection.languages, options.startedAt.toISOString());
    const endpoints = countRequests([...slices, ...check], roster.records);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints };
  } catch (error) {
    throw stop.aborted ? planStopped(stop) : error;
  } finally {
    await run.close();
  }
}

/** Times that a plan may change under way before the upstream is called unsettled. */
const MAX_ROUNDS = 5;

/** Asks for everything, until the roster is the one that was planned for. */
async function captureAnswers(run: Run) {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const roster = await captureRoster(run);
    const targets = await findTargets(run, roster);
    await yieldOrAbort(run.stop);
    planRoster(run, roster, planSlices(run.options.selection, targets));
    warnOfShortage(run);
    await collect(run, "answer");
    // A roster that does not hold explains what is missing: it is asked again first.
    if (await rosterUnchanged(run, roster)) return requireComplete(run, "answer");
  }
  throw new Failure(
    EXIT.incomplete,
    "the upstream's roster does not settle; nothing was published",
    "run the same command again",
  );
}

/** The crawl goes on all the same: its journal stays good when the disk is full, and room may be made meanwhile. */
function warnOfShortage({ options: { data }, journal, log }: Run) {
  const missing = journal.slices().filter(({ state }) => state !== "captured").length;
  const shortage = findShortage(data, missing);
  if (shortage) log("disk-short", { folder: data, ...shortage });
}

/** A timer cannot wait longer than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const stopOf = ({ maxTimeMs }: CrawlOptions, interrupt: AbortSignal) =>
  maxTimeMs === undefined
    ? interrupt
    : AbortSignal.any([interrupt, AbortSignal.timeout(Math.min(maxTimeMs, MAX_TIMER_MS))]);

const headerOf = ({ upstreams, selection, startedAt }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  finished_at: null,
});

/** The end of a crawl that was told to stop, by a person or by `--max-time`. */
function stopped(journal: Journal, { reason }: AbortSignal): Failure {
  const slices = journal.slices();
  const captured = slices.filter(({ state }) => state === "captured").length;
  const late = (reason as Error).name === "TimeoutError";
  return new Failure(
    late ? EXIT.incomplete : EXIT.interrupted,
    `${late ? "the time of --max-time is over" : "interrupted"} with ${captured} of ${slices.length} slices in ${journal.file}`,
    "run the same command again to continue",
  );
}

/** The same of a plan, which leaves nothing behind. */
const planStopped = ({ reason }: AbortSignal) =>
  (reason as Error).name === "TimeoutError"
    ? new Failure(EXIT.incomplete, "the time of --max-time is over before the plan was made", "give it more time")
    : new Failure(EXIT.interrupted, "interrupted before the plan was made", "run the same command again");
