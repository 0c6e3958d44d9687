import type { Journal } from "../journal/journal.ts";
import type { Budget } from "./budget.ts";
import type { Log } from "./progress.ts";
import type { Hosts } from "./upstream/hosts.ts";
import type { Pace } from "./upstream/rate-limiter.ts";
import type { Patience } from "./upstream/retry-budget.ts";
import type { Doubts } from "./validate/doubts.ts";

/** What every step of a run works with. */
export interface Run {
  journal: Journal;
  hosts: Hosts;
  pace: Pace;
  patience: Patience;
  doubts: Doubts;
  /** Of what is remembered of slices. */
  memory: Budget;
  stop: AbortSignal;
  log: Log;
}
