import type { Slice } from "../../api/endpoint.ts";
import type { Reason } from "../../api/faults.ts";
import type { HoleReason } from "../../api/refusals.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import type { SliceGroup } from "../../journal/stale.ts";
import type { Refusals } from "../refusals/refusals.ts";
import type { RefreshOptions } from "./base.ts";

/**
 * The steps of a night, in order: translations of changed lists; a few texts without a sign of change; English texts that may have
 * changed; their translations; slice groups of numbers; empty slices beside one that no longer is empty; what stays as it was.
 */
export const NIGHT_STEPS = ["lists", "audits", "originals", "translations", "numbers", "filled", "end"] as const;
export type NightStep = (typeof NIGHT_STEPS)[number];

/** What a step is decided from. A decision changes none of it. */
export interface Night extends RefreshOptions {
  /** What was asked so far, and what came. */
  journal: Pick<Journal, "header" | "slices" | "records" | "lastAttempt">;
  /** All slices of a whole file that may be asked for. */
  wanted: readonly Slice[];
  /** Start of this run. */
  startedAt: Date;
  /** Requests of the day, and those that are left of them; undefined without a budget. */
  budget: { limit: number; left: number } | undefined;
  /** Slices that were captured before the first text, and how many texts may be asked for. */
  texts: { before: number; limit: number };
  /** Slice groups that did not settle on one batch. */
  unsettled: readonly SliceGroup[];
  refusals: Pick<Refusals, "isWaiting" | "isReopened">;
  /** Lets other work go on between two parts of a long decision. Rejects if the crawl is stopped. */
  pause(): Promise<void>;
}

/** What a night does next. */
export interface Decision {
  step: NightStep;
  /** Slices to ask for, in this order; what has come already is not asked again. */
  ask: readonly Slice[];
  /** Ids of slices that may have changed: texts, numbers that show texts, and empty slices. From `numbers` on without those that have come. */
  suspect: ReadonlySet<string>;
  /** Ids of slices that were not asked for: they stay as they are in the base, or are holes. Told at the end. */
  carry: readonly string[];
  /**
   * Slices that are given up: those without an answer, and the answers of a slice group that is not whole or did not settle. Told at the
   * end.
   */
  drop: readonly Dropped[];
  /** Lines for the log. */
  notes: readonly Note[];
  /** Why the night cannot go on: the budget is too small for the largest slice group. */
  tooSmall?: { lists: number; largest: number; needed: number } | undefined;
}

export interface Dropped {
  reason: Reason | HoleReason;
  slices: readonly StoredSlice[];
}

export type Note = readonly [event: string, facts: Record<string, unknown>];

/** What a step says of its decision. */
export type StepOutcome = Pick<Decision, "ask" | "suspect"> & Partial<Omit<Decision, "step">>;
