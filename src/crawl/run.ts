import type { Selection } from "../api/selection.ts";
import type { Journal } from "../journal/journal.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Progress } from "./progress.ts";
import { createHosts, type Hosts } from "./upstream/hosts.ts";
import { MAX_MEMORY, MAX_UNDER_WAY } from "./upstream/limits.ts";
import { createPace, type Pace, type PaceState } from "./upstream/rate-limiter.ts";
import { createPatience, type Patience } from "./upstream/retry-budget.ts";
import { openUpstream } from "./upstream/upstream.ts";
import { createDoubts, type Doubts } from "./validate/doubts.ts";
import type { Growth } from "./validate/growth.ts";

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

/** What every step of a crawl works with. */
export interface Run extends Pick<Progress, "log"> {
  options: CrawlOptions;
  journal: Journal;
  hosts: Hosts;
  pace: Pace;
  patience: Patience;
  doubts: Doubts;
  /** Of what is remembered of slices. */
  memory: Budget;
  stop: AbortSignal;
  progress: Progress;
  /** Of the hosts and of the journal. */
  close(): Promise<void>;
}

/** Milliseconds that answers on their way have when the crawl is told to stop. */
const GRACE = 400;

export function startRun(journal: Journal, options: CrawlOptions, progress: Progress, stop: AbortSignal): Run {
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
  const hosts = createHosts(upstreams, progress.log);
  // What is on its way may still come, and is kept; what takes longer is asked for again by the next run.
  stop.addEventListener("abort", () => setTimeout(hosts.close, GRACE).unref());
  return {
    options,
    journal,
    hosts,
    pace,
    patience: createPatience(options.attempts),
    doubts: createDoubts(),
    memory: createBudget(MAX_MEMORY),
    stop,
    progress,
    log: progress.log,
    async close() {
      await hosts.close();
      journal.close();
    },
  };
}
