import { parseSliceId, sliceId } from "../api/endpoint.ts";
import { isDiskFull } from "../api/failure.ts";
import { describeGroups, isExcused } from "../api/refusals.ts";
import { yieldOrAbort } from "../base/processes.ts";
import { isUnanswered, type Journal, type StoredSlice } from "../journal/journal.ts";
import { discardJournal, nextNumber } from "../journal/listing.ts";
import { openJournal } from "../journal/open.ts";
import { findUnfinished, openRun } from "../journal/runs.ts";
import type { Header } from "../journal/schema.ts";
import { captureAnswers, workLeft } from "./answers.ts";
import { requireComplete } from "./collect.ts";
import { captureTranslations, checkLanguageInvariance, planNightlyCheck } from "./consistency/languages.ts";
import { createReconcileState, reconcile } from "./consistency/reconcile.ts";
import { findTextMismatches } from "./consistency/text-mismatches.ts";
import { diskFull, type Room, refuseSameRoom, refuseShortage, roomFor, type Work, workOfBuild } from "./disk-space.ts";
import { readNotices } from "./notices.ts";
import { countRequests, planSlices } from "./plan.ts";
import type { Progress } from "./progress.ts";
import type { Forecast } from "./refresh/forecast.ts";
import { planRefresh } from "./refresh/plan.ts";
import { refresh } from "./refresh/refresh.ts";
import { findTranslations } from "./refresh/settle.ts";
import { closeRefusals } from "./refusals/ask-again.ts";
import { concludeRefusals } from "./refusals/conclude.ts";
import { captureRoster } from "./roster.ts";
import { type CrawlOptions, type Run, startRun } from "./run.ts";
import { planStopped, stopOf, stopped } from "./stop.ts";
import { findTargets } from "./targets.ts";

/**
 * Asks the upstream for every slice of the selection. Returns the path of the finished journal; rejects with a Failure
 * when it is stopped, refused or incomplete, and goes on from there when it is called again.
 */
export async function crawl(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<string> {
  const number = nextNumber(options.data, options.lastPublished);
  const journal = openRun(options.data, headerOf(options), {
    ...options,
    fresh: options.fresh || isOutdated(options),
    published: options.lastPublished,
    isAsWanted: (finished) => isAsWanted(finished, options),
    tell: progress.log,
  });
  if (journal.header().finished_at !== null) return takeUp(journal, options, progress);
  const run = startRun(journal, options, progress, stopOf(options, interrupt));
  let isWanted = true;
  try {
    await captureAll(run);
    journal.finish(new Date().toISOString(), number);
    return journal.file;
  } catch (error) {
    isWanted = run.stop.aborted || holdsAnything(journal);
    if (isDiskFull(error)) throw diskFull(options.data, workToCome(journal, options), error);
    throw run.stop.aborted ? stopped(run) : error;
  } finally {
    await run.close();
    if (!isWanted) discardJournal(journal.file);
  }
}

/** What a whole crawl of this day has asked is not asked again: only its build did not end. */
function takeUp(journal: Journal, { data }: CrawlOptions, { log }: Progress): string {
  const { file } = journal;
  const { too_little: before } = journal.header();
  const work = workOfBuild(journal);
  // What SQLite has beside it goes when it is closed.
  journal.close();
  log("taken-up", { journal: file });
  if (before !== undefined) refuseSameRoom(data, work, before);
  refuseShortage(data, work, log);
  return file;
}

/** Whether the same is left out, and what is missing is not to be asked for. */
function isAsWanted(journal: Journal, { without, refresh: options, allowPartial = false }: CrawlOptions): boolean {
  const slices = journal.slices();
  const isSame = ({ slice, reason }: StoredSlice) => (reason === "left-out") === (without?.has(slice.dataset) ?? false);
  return slices.every(isSame) && (allowPartial || options !== undefined || !slices.some(isUnanswered));
}

/** Whether what was left unfinished is older than the snapshot in hand; one that has not come yet says nothing. */
function isOutdated({ data, startedAt, refresh: options }: CrawlOptions): boolean {
  const { policy, started_at = "" } = findUnfinished(data) ?? {};
  const published = options?.base?.startedAt ?? "";
  return policy === options?.policy && started_at < published && published <= startedAt.toISOString();
}

/** An answer, or that the upstream has asked for a pause. */
const holdsAnything = (journal: Journal) =>
  journal.slices().some(({ pages }) => pages > 0) || (journal.getState("pace")?.resumeAt ?? 0) > Date.now();

/** What is left if a disk was full under way. */
function workToCome(journal: Journal, { refresh: options }: CrawlOptions): Work {
  const slices = journal.slices();
  const toAsk = slices.filter(({ state }) => state === "pending").length;
  return { toAsk, inFile: Math.max(slices.length, options?.base?.rows.size ?? 0) };
}

/** The steps of a crawl. Each begins with what the journal holds already, so that a run that was killed goes on. */
async function captureAll(run: Run): Promise<void> {
  const { refresh: options } = run.options;
  await readNotices(run);
  leaveOut(run);
  await (options ? refresh(run, options) : captureEverything(run));
  run.troubles.end();
  tellRefused(run);
}

/** One line for each group that the upstream refuses. */
function tellRefused({ journal, options, log }: Run) {
  const groups = journal.getState("refusals") ?? [];
  const known = new Set(options.inHand?.heroes.map(String));
  const isNew = ({ dimension, value }: { dimension: string; value: string }) =>
    dimension === "hero" && options.inHand !== undefined && !known.has(value);
  for (const group of describeGroups(groups, (one) => (isNew(one) ? "; new in the list" : "")))
    log("refused", { group });
}

/** `--without` may be another one than that of the run before. */
function leaveOut({ journal, refusals }: Run) {
  const slices = journal.slices();
  const isLeftOut = ({ slice }: StoredSlice) => refusals.isLeftOut(slice.dataset);
  const again = slices.filter((stored) => stored.reason === "left-out" && !isLeftOut(stored));
  journal.requeue(again.map(({ id }) => id));
  journal.giveUp(
    slices.filter(isLeftOut).map(({ id }) => id),
    "left-out",
  );
}

async function captureEverything(run: Run): Promise<void> {
  const state = createReconcileState();
  await captureAnswers(run, (targets) => planSlices(run.options.selection, targets));
  await yieldOrAbort(run.stop);
  await reconcile(run, state);
  await yieldOrAbort(run.stop);
  const mismatches = findTextMismatches(run);
  const differing = await checkLanguageInvariance(run, mismatches);
  await captureTranslations(run, mismatches, differing);
  await reconcile(run, state);
  await closeRefusals(run);
  concludeRefusals(run);
  requireComplete(run, "answer");
  await carryRefused(run);
}

/** Notes what refused slices are carried over from. */
async function carryRefused(run: Run): Promise<void> {
  const { journal } = run;
  const refused = journal.slices().flatMap(({ slice, reason }) => (isExcused(reason) ? [sliceId(slice)] : []));
  const base = refused.length > 0 ? await run.base() : undefined;
  const translations = findTranslations(base, refused).map(parseSliceId);
  journal.addSlices(translations, "answer");
  const ids = new Set(translations.map(sliceId));
  const added = journal.slices().filter(({ slice, state }) => state === "pending" && ids.has(sliceId(slice)));
  journal.giveUp(
    added.map(({ id }) => id),
    "withdrawn",
  );
  journal.setState("base", base?.id ?? null);
}

export interface CrawlPlan {
  requests: number;
  /** At the configured rate. */
  seconds: number;
  /** Requests by path. */
  endpoints: Record<string, number>;
  /** Of the folder, for journal, draft and file. */
  disk: Room;
  /** Where it asks for less than everything: slices that it leaves out, by the rule that allows it. */
  saved?: Record<string, number>;
  /** Where it has a budget: what many nights come to. */
  forecast?: Forecast;
}

/** What a crawl would ask, told from the roster alone. */
export async function plan(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<CrawlPlan> {
  const run = startRun(openJournal(":memory:", headerOf(options)), options, progress, stopOf(options, interrupt));
  try {
    const roster = await captureRoster(run);
    const targets = await findTargets(run, roster);
    run.refusals.expect(planSlices(options.selection, targets));
    const { slices: planned, ...more } = options.refresh
      ? planRefresh(run, options.refresh, targets)
      : { slices: planSlices(options.selection, targets) };
    const slices = planned.filter((slice) => !run.refusals.isWithheld(slice));
    const seed = options.startedAt.toISOString();
    const check = planNightlyCheck(run, slices, seed);
    const endpoints = countRequests([...slices, ...check], roster.records);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    const disk = roomFor(options.data, workLeft(options, run.journal, roster, requests));
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints, disk, ...more };
  } catch (error) {
    throw run.stop.aborted ? planStopped(run) : error;
  } finally {
    await run.close();
  }
}

const headerOf = ({ upstreams, selection, startedAt, refresh: options }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  began_at: startedAt.toISOString(),
  finished_at: null,
  ...(options && { policy: options.policy }),
});
