import { Failure } from "../api/failure.ts";
import type { Selection } from "../api/selection.ts";
import type { Journal } from "../journal/journal.ts";
import { describeProxy } from "../network/proxy.ts";
import { openBudget, type RequestBudget } from "./budget.ts";
import { type ClockCheck, createClockCheck } from "./clock.ts";
import type { Progress } from "./progress.ts";
import { asOf, type CrawlBase, type RefreshOptions } from "./refresh/base.ts";
import type { InHand } from "./refusals/known.ts";
import { createRefusals, type Refusals } from "./refusals/refusals.ts";
import { hasTroubles, openTroubleDays } from "./refusals/trouble-days.ts";
import { createHosts, type Hosts } from "./upstream/hosts.ts";
import { createMemoryBudget, MAX_ALL_FACTS_CHARS, MAX_IN_FLIGHT_BYTES, type MemoryBudget } from "./upstream/limits.ts";
import { type AdaptiveRateLimiter, createRateLimiter } from "./upstream/rate-limiter.ts";
import { createRetryBudget, type RetryBudget } from "./upstream/retry-budget.ts";
import { openUpstream } from "./upstream/upstream.ts";
import { createSecondLooks, type SecondLooks } from "./validate/empty.ts";
import type { Growth } from "./validate/growth.ts";
import { type CheckKind, createKindCheck } from "./validate/kind.ts";

export interface CrawlOptions extends Growth {
  upstreams: string[];
  data: string;
  selection: Selection;
  concurrency: number;
  /** Requests a second. */
  rate: number;
  /** For one whole answer. */
  timeoutMs: number;
  /** For one slice. */
  attempts: number;
  fresh: boolean;
  /** Goes on without the slices that could not be captured. */
  allowPartial?: boolean;
  /** Reopens the last journal if it was finished with slices missing. */
  retryFailed?: boolean;
  /** After this time it stops as if interrupted. */
  maxTimeMs?: number | undefined;
  startedAt: Date;
  /** ISO 8601 in UTC: the newest time in the data folder, to check the clock by. Undefined if the start was told and is not checked. */
  clock?: { newest: string | undefined } | undefined;
  /** Where the operator can be reached: it goes into the `User-Agent`. */
  contact?: string | undefined;
  /** Asks for less than everything. */
  refresh?: RefreshOptions | undefined;
  /** Datasets that are not asked. */
  without?: ReadonlySet<string>;
  /** Milliseconds between the first refusal of a slice and the round that asks it again before it counts as refused; ten minutes by default. */
  confirmAfterMs?: number;
  /** Milliseconds that the upstream may be overloaded at the lowest pace without one answer; ten minutes by default. */
  patienceMs?: number;
  /** What the snapshot that the crawl goes on from says about itself; undefined before the first. */
  inHand?: InHand | undefined;
  /** Opens that snapshot, if what is refused is carried over from it and it is not open yet. Rejects with a Failure if it is damaged. */
  openBase?: () => Promise<CrawlBase | undefined>;
  /** The highest number of a journal that a manifest in the folder names. */
  lastPublished: number;
  /** Whether the numbers of the snapshots in the folder are made up; undefined if the folder has no snapshot. */
  sample?: boolean | undefined;
}

/** What every step of a crawl works with. */
export interface Run extends Pick<Progress, "log"> {
  options: CrawlOptions;
  journal: Journal;
  hosts: Hosts;
  limiter: AdaptiveRateLimiter;
  /** Where a day may take only so many requests; the limiter counts them. */
  budget: RequestBudget | undefined;
  retryBudget: RetryBudget;
  refusals: Refusals;
  secondLooks: SecondLooks;
  troubles: Troubles;
  clock: ClockCheck;
  /** What refused slices are carried over from; undefined if there is nothing. */
  base(): Promise<CrawlBase | undefined>;
  /** Characters of the facts of all slices, which are in memory at once. */
  factsMemory: MemoryBudget;
  checkKind: CheckKind;
  stop: AbortSignal;
  progress: Progress;
  /** Of the hosts and of the journal. */
  close(): Promise<void>;
}

/** What ends a night the first times, and is how the upstream is after that. */
interface Troubles {
  /** Returns on how many UTC days in a row it was met, this one included. */
  note(what: string): number;
  /** Forgets what this crawl has not met. */
  end(): void;
}

/** Why a crawl stops when the upstream does not bear even the lowest pace. */
export class Overload extends Error {
  override name = "Overload";
}

/** How long answers in flight may still come in when the crawl is told to stop. */
const GRACE_MS = 400;

export function startRun(journal: Journal, told: CrawlOptions, progress: Progress, stopped: AbortSignal): Run {
  const options = withoutLaterTimes(told);
  const overload = new AbortController();
  const stop = AbortSignal.any([stopped, overload.signal]);
  const checkKind = createKindCheck(journal, options);
  const inFlight = createMemoryBudget(MAX_IN_FLIGHT_BYTES);
  const { concurrency: connections, timeoutMs, contact } = options;
  const limits = { connections, timeoutMs, inFlight, contact };
  const upstreams = options.upstreams.map((base) => openUpstream(base, limits));
  for (const { host, proxy } of upstreams) if (proxy) progress.log("proxy", { host, through: describeProxy(proxy) });
  const perDay = options.refresh?.requestsPerDay;
  const budget = perDay === undefined ? undefined : openBudget(options.data, perDay);
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
  // What is on its way may still come, and is kept; what takes longer is asked for again by the next run.
  stop.addEventListener("abort", () => setTimeout(hosts.close, GRACE_MS).unref());
  return {
    options,
    journal,
    hosts,
    limiter: budget ? limitByBudget(paced, budget) : paced,
    budget,
    retryBudget: createRetryBudget(options.attempts),
    refusals: createRefusals(journal, options),
    secondLooks: createSecondLooks(journal, options.inHand, budget !== undefined),
    troubles: createTroubles(options),
    clock: createClockCheck(options, journal, budget, progress.log),
    base: lazyBase(options, progress),
    factsMemory: createMemoryBudget(MAX_ALL_FACTS_CHARS),
    checkKind,
    stop,
    progress,
    log: progress.log,
    async close() {
      await hosts.close();
      journal.close();
      budget?.close();
    },
  };
}

/** What the snapshot in hand dates after the start of this crawl counts as never asked. */
function withoutLaterTimes(options: CrawlOptions): CrawlOptions {
  const { refresh, startedAt } = options;
  if (!refresh?.base) return options;
  return { ...options, refresh: { ...refresh, base: asOf(refresh.base, startedAt.toISOString()) } };
}

/** The file is open only while something is counted: nearly all nights have no troubles. */
function createTroubles({ data, startedAt }: CrawlOptions): Troubles {
  const met = new Set<string>();
  return {
    note(what) {
      met.add(what);
      using days = openTroubleDays(data);
      return days.note(what, startedAt.toISOString().slice(0, 10));
    },
    end() {
      if (met.size === 0 && !hasTroubles(data)) return;
      using days = openTroubleDays(data);
      days.keepOnly([...met]);
    },
  };
}

/** A crawl that asks for everything can do without the snapshot in hand: one that is damaged is told, and no reason to end. */
function lazyBase({ refresh, openBase }: CrawlOptions, { log }: Progress): Run["base"] {
  let opened: Promise<CrawlBase | undefined> | undefined;
  const open = async () => {
    if (refresh) return refresh.base;
    try {
      return await openBase?.();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log("base-unreadable", { reason: error.message });
      return undefined;
    }
  };
  return () => {
    opened ??= open();
    return opened;
  };
}

/** A request is counted when it may start. */
const limitByBudget = (limiter: AdaptiveRateLimiter, budget: RequestBudget): AdaptiveRateLimiter => ({
  async acquire() {
    const permit = await limiter.acquire();
    try {
      budget.spend();
    } catch (error) {
      permit.release("error");
      throw error;
    }
    return permit;
  },
});
