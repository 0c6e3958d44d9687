import type { Slice } from "../../api/endpoint.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import type { SliceGroup } from "../../journal/slice-group.ts";
import type { RefreshOptions } from "./base.ts";

/**
 * The steps of a night, in order: translations of changed lists; a few texts without a sign of change; English texts that may have changed;
 * their translations; slice groups of numbers; empty slices beside one that is no longer empty; slices that stay as they were.
 */
export const NIGHT_STEPS = ["lists", "audits", "originals", "translations", "numbers", "filled", "end"] as const;
export type NightStep = (typeof NIGHT_STEPS)[number];

/** The state that a step is decided from. A decision changes none of it. */
export interface Night extends RefreshOptions {
  /** The slices asked so far, and their answers. */
  journal: Pick<Journal, "header" | "slices" | "records">;
  /** All slices of a complete file that may be asked for. */
  wanted: readonly Slice[];
  /** Start of this run. */
  startedAt: Date;
  /** Requests of the day, and the number left; undefined without a budget. */
  budget: { limit: number; left: number } | undefined;
  /** Slices that were captured before the first text, and how many texts may be asked for. */
  texts: { before: number; limit: number };
  /** Slice groups that did not settle on one batch. */
  unsettled: readonly SliceGroup[];
  /** Tells whether a slice lies in a part that is closed for this run. */
  isClosed(slice: Slice): boolean;
  /** Lets other work go on between two parts of a long decision. Rejects if the crawl is stopped. */
  pause(): Promise<void>;
}

/** The next step of a night. */
export interface Decision {
  step: NightStep;
  /** Slices to ask for, in this order; those that were answered already are not asked again. */
  ask: readonly Slice[];
  /**
   * Ids of slices that may have changed: texts, numbers that show texts, and empty slices. From `numbers` on without those that were
   * answered.
   */
  suspect: ReadonlySet<string>;
  /** Slices that were not asked for after all: they stay as they are in the base, or are holes. Given at the end. */
  keep: readonly StoredSlice[];
  /** Answers of a slice group that lacks too much or did not settle: it stays as it was, and has had its turn. Given at the end. */
  giveBack: readonly StoredSlice[];
  /** Lines for the log. */
  notes: readonly Note[];
  /** Why the night cannot go on: the budget is too small for the largest slice group. */
  tooSmall?: { lists: number; largest: number; needed: number } | undefined;
}

export type Note = readonly [event: string, facts: Record<string, unknown>];

/** The outcome of a step. */
export type StepOutcome = Pick<Decision, "ask" | "suspect"> & Partial<Omit<Decision, "step">>;
