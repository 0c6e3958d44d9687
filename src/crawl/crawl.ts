import pLimit from "p-limit";
import { type Slice, sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import type { Selection } from "../api/selection.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { openRun } from "../journal/runs.ts";
import type { Header } from "../journal/schema.ts";
import { type CaptureDeps, captureSlice } from "./capture.ts";
import { createPace } from "./pace.ts";
import { createPatience } from "./patience.ts";
import { countRequests, planSlices } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { captureRoster, selectHeroes } from "./roster.ts";
import { openUpstream } from "./upstream.ts";

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
  startedAt: Date;
}

/** Asks the upstream for every slice of the selection. Returns the path of the finished journal. */
export async function crawl(options: CrawlOptions, progress: Progress, stop: AbortSignal): Promise<string> {
  const journal = openRun(options.data, headerOf(options), options.fresh);
  const deps = openDeps(journal, options, progress, stop);
  try {
    const roster = await captureRoster(deps);
    journal.expect(planSlices(options.selection, selectHeroes(options.selection, roster)));
    await captureAll(deps, options.concurrency, progress);
    refuseIncomplete(journal, deps, progress);
    journal.finish(new Date().toISOString());
    return journal.file;
  } catch (error) {
    throw stop.aborted ? interrupted(journal) : error;
  } finally {
    await deps.upstream.close();
    journal.close();
  }
}

/** What a crawl would ask, told from the roster alone. */
export async function plan(options: CrawlOptions, progress: Progress, stop: AbortSignal) {
  const journal = openJournal(":memory:", headerOf(options));
  const deps = openDeps(journal, options, progress, stop);
  try {
    const roster = await captureRoster(deps);
    const slices = planSlices(options.selection, selectHeroes(options.selection, roster));
    const endpoints = countRequests(slices, roster.length);
    const requests = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
    return { requests, seconds: Math.ceil(requests / options.rate), endpoints };
  } finally {
    await deps.upstream.close();
    journal.close();
  }
}

function openDeps(journal: Journal, options: CrawlOptions, progress: Progress, stop: AbortSignal): CaptureDeps {
  const [first = ""] = options.upstreams;
  const upstream = openUpstream(first, { connections: options.concurrency, timeout: options.timeout * 1000 });
  const pace = createPace(options.rate, stop);
  return { journal, upstream, pace, patience: createPatience(options.attempts), stop, log: progress.log };
}

const headerOf = ({ upstreams, selection, startedAt }: CrawlOptions): Header => ({
  upstreams,
  selection,
  started_at: startedAt.toISOString(),
  finished_at: null,
});

async function captureAll(deps: CaptureDeps, concurrency: number, progress: Progress) {
  const slices = deps.journal.slices();
  const missing = slices.filter(({ state }) => state !== "captured");
  progress.begin(slices.length, slices.length - missing.length);
  const limit = pLimit(concurrency);
  const tasks = missing.map((stored) =>
    limit(async () => {
      if (deps.patience.exhausted()) return;
      progress.advance((await captureSlice(stored, deps)) === undefined);
    }),
  );
  // A stop rejects the waiting tasks; those in flight end by themselves and are kept.
  await Promise.allSettled(tasks);
  progress.end();
  deps.stop.throwIfAborted();
  await Promise.all(tasks);
}

function refuseIncomplete(journal: Journal, { patience, upstream }: CaptureDeps, { log }: Progress) {
  const slices = journal.slices();
  const missing = slices.filter(({ state }) => state !== "captured");
  if (missing.length === 0) return;
  for (const { slice, reason } of missing) log("missing", { ...describeSlice(slice), reason: reason ?? "not asked" });
  const reason = patience.exhausted();
  throw new Failure(
    reason === "unreachable" || reason === "timeout" ? EXIT.unreachable : EXIT.incomplete,
    `${missing.length} of ${slices.length} slices are missing${reason ? `, ${upstream.host} answers no more (${reason})` : ""}; nothing was published`,
    "run the same command again to ask for the missing slices only",
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
