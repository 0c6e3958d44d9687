import { keyOf, type Slice, sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { BASE_LANG } from "../api/languages.ts";
import type { Selection } from "../api/selection.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { openRun } from "../journal/runs.ts";
import type { Header, Purpose } from "../journal/schema.ts";
import { createBudget } from "./budget.ts";
import type { Run } from "./capture.ts";
import { collect } from "./collect.ts";
import { createDoubts } from "./doubts.ts";
import { createHosts } from "./hosts.ts";
import { MAX_UNDER_WAY } from "./limits.ts";
import { createPace, type PaceState } from "./pace.ts";
import { createPatience } from "./patience.ts";
import { countRequests, type Named, planSlices, selectEndpoints, widen } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { planProof, proveLanguages } from "./proof.ts";
import { captureRoster, planRoster, type Roster, rosterHolds, selectHeroes } from "./roster.ts";
import { createLooks, settleMoment } from "./settle.ts";
import { findUnlisted } from "./unlisted.ts";
import { openUpstream } from "./upstream.ts";
import { captureWords } from "./words.ts";

export interface CrawlOptions {
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
  startedAt: Date;
}

/** Times that a plan may change under way before the upstream is called unsettled. */
const ROUNDS = 5;

/** Asks the upstream for every slice of the selection. Returns the path of the finished journal. */
export async function crawl(options: CrawlOptions, progress: Progress, stop: AbortSignal): Promise<string> {
  const journal = openRun(options.data, headerOf(options), options);
  const run = openDeps(journal, options, progress, stop);
  try {
    await captureWhole(run, options, progress);
    const settle = createSettle(run, options, progress);
    await settle();
    await prove(run, options, progress, settle);
    journal.finish(new Date().toISOString());
    return journal.file;
  } catch (error) {
    throw stop.aborted ? interrupted(journal) : error;
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
export async function plan(options: CrawlOptions, progress: Progress, stop: AbortSignal): Promise<Plan> {
  const journal = openJournal(":memory:", headerOf(options));
  const run = openDeps(journal, options, progress, stop);
  try {
    const roster = await captureRoster(run);
    const slices = planSlices(options.selection, await nameAll(run, options.selection, roster));
    const proof = planProof(slices, options.selection.languages, options.startedAt.toISOString());
    const endpoints = countRequests([...slices, ...proof], roster.records);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints };
  } finally {
    await run.hosts.close();
    journal.close();
  }
}

/** Asks for everything, until the roster is the one that was planned for. */
async function captureWhole(run: Run, options: CrawlOptions, progress: Progress) {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const roster = await captureRoster(run);
    const named = await nameAll(run, options.selection, roster);
    planRoster(run, roster, planSlices(options.selection, named));
    await collect(run, "answer", options.concurrency, progress);
    // A roster that does not hold explains what is missing: it is asked again first.
    if (!(await rosterHolds(run, roster))) continue;
    if (!options.allowPartial) refuseIncomplete(run, progress, "answer");
    return;
  }
  throw new Failure(
    EXIT.incomplete,
    "the upstream's roster does not settle; nothing was published",
    "run the same command again",
  );
}

/** Everything that paths will name. */
async function nameAll(run: Run, selection: Selection, roster: Roster): Promise<Named> {
  const heroes = selectHeroes(selection, roster);
  return { heroes, words: await captureWords(run, selectEndpoints(selection)) };
}

function createSettle(run: Run, options: CrawlOptions, progress: Progress): () => Promise<void> {
  const looks = createLooks();
  return () => settleMoment(run, looks, () => collectAnswers(run, options, progress));
}

async function prove(run: Run, options: CrawlOptions, progress: Progress, settle: () => Promise<void>) {
  const { languages } = options.selection;
  const planned = run.journal.slices().map(({ slice }) => slice);
  const base = planned.filter(({ lang }) => lang === BASE_LANG);
  const unlisted = findUnlisted(run.journal, languages, run.log);
  const odd = new Set(unlisted.map((slice) => keyOf({ ...slice, lang: BASE_LANG })));
  const shared = base.filter((slice) => !odd.has(keyOf(slice)));
  const proof = planProof(shared, languages, run.journal.header().started_at);
  run.journal.expect(proof, "proof");
  const differing = await proveLanguages(run, proof, async () => {
    await collect(run, "proof", options.concurrency, progress);
    await collectAnswers(run, options, progress);
    if (!options.allowPartial) refuseIncomplete(run, progress, "proof");
  });
  const widened = base.filter((slice) => differing.includes(slice.dataset));
  run.journal.expect([...unlisted, ...widen(widened, languages)], "answer");
  await collectAnswers(run, options, progress);
  await settle();
}

async function collectAnswers(run: Run, options: CrawlOptions, progress: Progress) {
  await collect(run, "answer", options.concurrency, progress);
  if (!options.allowPartial) refuseIncomplete(run, progress, "answer");
}

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
  return { journal, hosts, pace, patience, doubts: createDoubts(), stop, log };
}

const headerOf = ({ upstreams, selection, startedAt }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  finished_at: null,
});

function refuseIncomplete({ journal, patience, hosts }: Run, { log }: Progress, purpose: Purpose) {
  const slices = journal.slices(purpose);
  const missing = slices.filter(({ state }) => state !== "captured");
  if (missing.length === 0) return;
  for (const { slice, reason } of missing) log("missing", { ...describeSlice(slice), reason: reason ?? "not-asked" });
  const last = patience.exhausted();
  const shape = missing.find(({ reason }) => reason === "wrong-shape" || reason === "wrong-envelope");
  if (shape) throw shapeChanged(journal, shape.slice);
  throw new Failure(
    last === "unreachable" || last === "timeout" ? EXIT.unreachable : EXIT.incomplete,
    `${missing.length} of ${slices.length} slices are missing${last ? `, ${hosts.active().host} answers no more (${last})` : ""}; nothing was published`,
    "run the same command again to ask for the missing slices only",
  );
}

function shapeChanged(journal: Journal, slice: Slice): Failure {
  const { detail } = journal.lastAttempt(slice) ?? { detail: "" };
  return new Failure(
    EXIT.shapeChanged,
    `the upstream's shape has changed: ${slice.dataset} ${sliceKey(slice)}: ${detail}; nothing was published`,
    "metasnap must learn the new shape first; other slices are kept",
  );
}

const describeSlice = (slice: Slice) => ({ dataset: slice.dataset, slice: sliceKey(slice) });

function interrupted(journal: Journal): Failure {
  const slices = journal.slices();
  const captured = slices.filter(({ state }) => state === "captured").length;
  return new Failure(
    EXIT.interrupted,
    `interrupted with ${captured} of ${slices.length} slices in ${journal.file}`,
    "run the same command again to continue",
  );
}
