import { keyOf } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, Failure } from "../api/failure.ts";
import type { Selection } from "../api/selection.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { listen } from "../journal/listen.ts";
import { openRun } from "../journal/runs.ts";
import type { Header } from "../journal/schema.ts";
import { createBudget } from "./budget.ts";
import { collect } from "./collect.ts";
import { planProof, proveLanguages } from "./consistency/languages.ts";
import { createLooks, settleMoment } from "./consistency/reconcile.ts";
import { findUnlisted } from "./consistency/text-mismatches.ts";
import { planStopped, refuseIncomplete, stopped } from "./endings.ts";
import { countRequests, type Named, planSlices, selectEndpoints, widen } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { captureRoster, planRoster, type Roster, rosterHolds, selectHeroes } from "./roster.ts";
import type { Run } from "./run.ts";
import { createHosts } from "./upstream/hosts.ts";
import { MAX_MEMORY, MAX_UNDER_WAY } from "./upstream/limits.ts";
import { createPace, type PaceState } from "./upstream/rate-limiter.ts";
import { createPatience } from "./upstream/retry-budget.ts";
import { openUpstream } from "./upstream/upstream.ts";
import { createDoubts } from "./validate/doubts.ts";
import type { Growth } from "./validate/growth.ts";
import { captureWords } from "./words.ts";

export interface CrawlOptions extends Growth {
  upstreams: string[];
  data: string;
  selection: Selection;
  concurrency: number;
  /** Requests a second. */
  rate: number;
  /** Seconds. */
  timeout: number;
  attempts: number;
  fresh: boolean;
  /** Goes on without the slices that could not be captured. */
  allowPartial?: boolean;
  /** Reopens the last journal if it was finished with slices missing. */
  retryFailed?: boolean;
  /** Milliseconds, after which it stops as if interrupted. */
  maxTime?: number | undefined;
  startedAt: Date;
}

/** Milliseconds that answers on their way have when the crawl is told to stop. */
const GRACE = 400;
/** Times that a plan may change under way before the upstream is called unsettled. */
const ROUNDS = 5;

/** Asks the upstream for every slice of the selection. Returns the path of the finished journal. */
export async function crawl(options: CrawlOptions, progress: Progress, interrupt: AbortSignal): Promise<string> {
  const stop = stopOf(options, interrupt);
  const journal = openRun(options.data, headerOf(options), options);
  const run = openDeps(journal, options, progress, stop);
  try {
    await captureWhole(run, options, progress);
    await listen(stop);
    const settle = createSettle(run, options, progress);
    await settle();
    await listen(stop);
    await prove(run, options, progress, settle);
    await listen(stop);
    journal.finish(new Date().toISOString());
    return journal.file;
  } catch (error) {
    throw stop.aborted ? stopped(journal, stop) : error;
  } finally {
    await run.hosts.close();
    journal.close();
  }
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
  const journal = openJournal(":memory:", headerOf(options));
  const run = openDeps(journal, options, progress, stop);
  try {
    const roster = await captureRoster(run, options);
    const slices = planSlices(options.selection, await nameAll(run, options, roster));
    const proof = planProof(slices, options.selection.languages, options.startedAt.toISOString());
    const endpoints = countRequests([...slices, ...proof], roster.records);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints };
  } catch (error) {
    throw stop.aborted ? planStopped(stop) : error;
  } finally {
    await run.hosts.close();
    journal.close();
  }
}

/** Asks for everything, until the roster is the one that was planned for. */
async function captureWhole(run: Run, options: CrawlOptions, progress: Progress) {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const roster = await captureRoster(run, options);
    const named = await nameAll(run, options, roster);
    await listen(run.stop);
    planRoster(run, roster, planSlices(options.selection, named));
    await collect(run, "answer", options.concurrency, progress);
    // A roster that does not hold explains what is missing: it is asked again first.
    if (!(await rosterHolds(run, roster))) continue;
    if (!options.allowPartial) refuseIncomplete(run, "answer");
    return;
  }
  throw new Failure(
    EXIT.incomplete,
    "the upstream's roster does not settle; nothing was published",
    "run the same command again",
  );
}

/** Everything that paths will name. */
async function nameAll(run: Run, options: CrawlOptions, roster: Roster): Promise<Named> {
  const heroes = selectHeroes(options.selection, roster);
  return { heroes, words: await captureWords(run, selectEndpoints(options.selection), options) };
}

function createSettle(run: Run, options: CrawlOptions, progress: Progress): () => Promise<void> {
  const looks = createLooks();
  return () => settleMoment(run, looks, () => collectAnswers(run, options, progress));
}

async function prove(run: Run, options: CrawlOptions, progress: Progress, settle: () => Promise<void>) {
  const { languages } = options.selection;
  const planned = run.journal.slices().map(({ slice }) => slice);
  const base = planned.filter(({ lang }) => lang === BASE_LANG);
  await listen(run.stop);
  const unlisted = findUnlisted(run.journal, languages, run.log);
  const odd = new Set(unlisted.map((slice) => keyOf({ ...slice, lang: BASE_LANG })));
  const shared = base.filter((slice) => !odd.has(keyOf(slice)));
  const proof = planProof(shared, languages, proofSeed(run));
  run.journal.expect(proof, "proof");
  const differing = await proveLanguages(run, proof, async () => {
    await collect(run, "proof", options.concurrency, progress);
    await collectAnswers(run, options, progress);
    if (!options.allowPartial) refuseIncomplete(run, "proof");
  });
  const widened = base.filter((slice) => differing.includes(slice.dataset));
  run.journal.expect([...unlisted, ...widen(widened, languages)], "answer");
  await collectAnswers(run, options, progress);
  await settle();
}

/** The same samples again when the crawl goes on, also on another day. */
function proofSeed({ journal }: Run): string {
  const seed = (journal.recall("proof_seed") ?? journal.header().started_at) as string;
  journal.remember("proof_seed", seed);
  return seed;
}

async function collectAnswers(run: Run, options: CrawlOptions, progress: Progress) {
  await collect(run, "answer", options.concurrency, progress);
  if (!options.allowPartial) refuseIncomplete(run, "answer");
}

/** A timer cannot wait longer than this. */
const LONGEST = 2 ** 31 - 1;

const stopOf = ({ maxTime }: CrawlOptions, interrupt: AbortSignal) =>
  maxTime === undefined ? interrupt : AbortSignal.any([interrupt, AbortSignal.timeout(Math.min(maxTime, LONGEST))]);

function openDeps(journal: Journal, options: CrawlOptions, progress: Progress, stop: AbortSignal): Run {
  const budget = createBudget(MAX_UNDER_WAY);
  const limits = { connections: options.concurrency, timeout: options.timeout * 1000, budget };
  const upstreams = options.upstreams.map((base) => openUpstream(base, limits));
  const pace = createPace({
    rate: options.rate,
    concurrency: options.concurrency,
    stop,
    state: (journal.recall("pace") ?? undefined) as PaceState | undefined,
    save: (state) => journal.remember("pace", state),
  });
  const { log } = progress;
  const [hosts, patience] = [createHosts(upstreams, log), createPatience(options.attempts)];
  // What is on its way may still come, and is kept; what takes longer is asked for again by the next run.
  stop.addEventListener("abort", () => setTimeout(hosts.close, GRACE).unref());
  return { journal, hosts, pace, patience, doubts: createDoubts(), memory: createBudget(MAX_MEMORY), stop, log };
}

const headerOf = ({ upstreams, selection, startedAt }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  finished_at: null,
});
