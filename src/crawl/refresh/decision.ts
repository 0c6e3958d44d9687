import type { Slice } from "../../api/endpoint.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import type { SliceGroup } from "../../journal/slice-group.ts";
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
  journal: Pick<Journal, "header" | "slices" | "records">;
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
  /** Whether a slice lies in a part that is closed for this run. */
  isClosed(slice: Slice): boolean;
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
  /** Slices that were not asked for after all: they stay as they are in the base, or are holes. Told at the end. */
  keep: readonly StoredSlice[];
  /** Answers of a slice group that lacks too much or did not settle: it stays as it was, and has had its turn. Told at the end. */
  giveBack: readonly StoredSlice[];
  /** Slices of other languages that stay with an English one, because they could not be told from it. Told at the end. */
  translations?: readonly Slice[] | undefined;
  /** Lines for the log. */
  notes: readonly Note[];
  /** Why the night cannot go on: the budget is too small for the largest slice group. */
  tooSmall?: { lists: number; largest: number; needed: number } | undefined;
}

export type Note = readonly [event: string, facts: Record<string, unknown>];

/** What a step says of its decision. */
export type StepOutcome = Pick<Decision, "ask" | "suspect"> & Partial<Omit<Decision, "step">>;
