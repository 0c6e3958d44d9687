import type { Selection } from "../api/selection.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import { describeProxy } from "../network/proxy.ts";
import { createPageSizes, type PageSizes } from "./ask/page-size.ts";
import { openBudget, type RequestBudget } from "./budget.ts";
import { type ClockCheck, createClockCheck } from "./clock.ts";
import { createTally, type Tally } from "./missing/tally.ts";
import type { Progress } from "./progress.ts";
import { asOf, type RefreshOptions } from "./refresh/base.ts";
import { createHosts, type Hosts } from "./upstream/hosts.ts";
import { createMemoryBudget, MAX_ALL_FACTS_CHARS, MAX_IN_FLIGHT_BYTES, type MemoryBudget } from "./upstream/limits.ts";
import { type AdaptiveRateLimiter, createRateLimiter } from "./upstream/rate-limiter.ts";
import { openUpstream } from "./upstream/upstream.ts";
import type { Growth } from "./validate/growth.ts";
import { type CheckKind, createKindCheck } from "./validate/kind.ts";

export interface CrawlOptions extends Growth, RefreshOptions {
  upstreams: string[];
  data: string;
  selection: Selection;
  concurrency: number;
  /** The pace in requests a second. */
  rate: number;
  /** The timeout of one complete answer. */
  timeoutMs: number;
  /** The attempts for one slice in one run. */
  attempts: number;
  fresh: boolean;
  /** The time after which the run stops as if interrupted. */
  maxTimeMs?: number | undefined;
  startedAt: Date;
  /** The newest time in the data folder, ISO 8601 in UTC, to check the clock by. Undefined if the start was given and is not checked. */
  clock?: { newest: string | undefined } | undefined;
  /** The address of the operator for the `User-Agent`. */
  contact?: string | undefined;
  /** Datasets that are not asked. */
  without: ReadonlySet<string>;
  /** The percentage of due slices that may be missing outside closed parts. */
  maxMissing: number;
  /** Milliseconds between the last failure and the closing round. */
  closingPauseMs: number;
  /** Milliseconds for which the upstream may be overloaded at the lowest pace without one answer; ten minutes by default. */
  patienceMs?: number;
  /** Milliseconds in which a host name that cannot be resolved may become known; a minute by default, 0 for none. */
  namePatienceMs?: number;
  /** The highest number of a journal that a manifest in the folder names. */
  lastPublished: number;
  /** True if the numbers of the snapshots in the folder are made up; undefined if the folder has no snapshot. */
  sample?: boolean | undefined;
}

/** Default options. One slice in a hundred may fail for an unknown reason. */
export const DEFAULTS = {
  policy: "all",
  base: undefined,
  without: new Set(),
  maxMissing: 1,
  closingPauseMs: 300_000,
} as const satisfies Partial<CrawlOptions>;

/** The request for a crawl: its options, of which those with defaults may be left out. */
export type CrawlRequest = Omit<CrawlOptions, keyof typeof DEFAULTS> &
  Partial<Pick<CrawlOptions, keyof typeof DEFAULTS>>;

/** The state of a run, which every step of a crawl works with. */
export interface Run extends Pick<Progress, "log"> {
  options: CrawlOptions;
  journal: Journal;
  hosts: Hosts;
  limiter: AdaptiveRateLimiter;
  /** The budget if a day may take only so many requests; the limiter counts them. */
  budget: RequestBudget | undefined;
  tally: Tally;
  pageSizes: PageSizes;
  clock: ClockCheck;
  /** Characters of the facts of all slices, which are in memory at once. */
  factsMemory: MemoryBudget;
  checkKind: CheckKind;
  stop: AbortSignal;
  progress: Progress;
  /** Answered slices that are asked again to see whether the upstream is there; the next one first. */
  witnesses: StoredSlice[];
  /**
   * Parts of the base that were probed, those of them that are open again, and closed ones of which the closing round has asked samples; by
   * `partId`.
   */
  probed: Set<string>;
  opened: Set<string>;
  sampled: Set<string>;
  /** Called once the list of heroes is there: only then other journals are dropped for this one. */
  begin(): void;
  /** Closes the hosts and the journal. */
  close(): Promise<void>;
}

/** The reason of a crawl that stops because the upstream does not bear even the lowest pace. */
export class Overload extends Error {
  override name = "Overload";
}

/** Milliseconds in which answers in flight may still come in after the crawl was told to stop. */
const GRACE_MS = 400;

export function startRun(
  journal: Journal,
  told: CrawlOptions,
  progress: Progress,
  stopped: AbortSignal,
  begin: () => void = () => {},
): Run {
  const options = withoutLaterTimes(told);
  const overload = new AbortController();
  const stop = AbortSignal.any([stopped, overload.signal]);
  const checkKind = createKindCheck(journal, options);
  const inFlight = createMemoryBudget(MAX_IN_FLIGHT_BYTES);
  const { concurrency: connections, timeoutMs, contact } = options;
  const limits = { connections, timeoutMs, inFlight, contact };
  const upstreams = options.upstreams.map((base) => openUpstream(base, limits));
  for (const { host, proxy } of upstreams) if (proxy) progress.log("proxy", { host, through: describeProxy(proxy) });
  const perDay = options.requestsPerDay;
  const budget = perDay === undefined ? undefined : openBudget(options.data, perDay);
  if (budget?.lost) progress.log("budget-unreadable", { reason: budget.lost });
  const paced = createRateLimiter({
    rate: options.rate,
    concurrency: options.concurrency,
    stop,
    state: journal.getState("pace"),
    save: (state) => journal.setState("pace", state),
    patienceMs: options.patienceMs,
    onOverload: () => overload.abort(new Overload()),
  });
  const hosts = createHosts(upstreams, progress.log);
  // An answer in flight may still come, and is kept; one that takes longer is asked for again by the next run.
  stop.addEventListener("abort", () => setTimeout(hosts.close, GRACE_MS).unref());
  return {
    options,
    journal,
    hosts,
    limiter: budget ? limitByBudget(paced, budget) : paced,
    budget,
    tally: createTally(),
    pageSizes: createPageSizes(journal),
    clock: createClockCheck(options, journal, budget, progress.log),
    factsMemory: createMemoryBudget(MAX_ALL_FACTS_CHARS),
    checkKind,
    stop,
    progress,
    log: progress.log,
    witnesses: [],
    probed: new Set(),
    opened: new Set(),
    sampled: new Set(),
    begin,
    async close() {
      await hosts.close();
      journal.close();
      budget?.close();
    },
  };
}

/** Marks slices of the base with a date after the start of this crawl as never asked. */
const withoutLaterTimes = (options: CrawlOptions): CrawlOptions => ({
  ...options,
  base: options.base && asOf(options.base, options.startedAt.toISOString()),
});

/** Limits requests by the budget: each is counted when it may start. */
const limitByBudget = (limiter: AdaptiveRateLimiter, budget: RequestBudget): AdaptiveRateLimiter => ({
  async acquire() {
    const permit = await limiter.acquire();
    try {
      budget.spend();
    } catch (error) {
      permit.release("error", "");
      throw error;
    }
    return permit;
  },
});
