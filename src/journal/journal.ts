/**
 * The journal of a crawl: a SQLite file with the plan, each answer as it came, failed attempts, and the state of the run.
 *
 * `runs.ts` takes up an unfinished journal of the same crawl or begins one. The crawl plans slices, stores answers and seals the journal
 * (`finish`). `conclusion/` counts from the journal and the base what is missing, and which parts are closed. The build reads it.
 *
 * The traps: a run that resumes knows only what the journal holds, so what a step must not forget goes into it (`setState`, `noteLooks`).
 * Answers name their slice by a number, which may be another slice's once the plan has changed, so each page has a hash that covers
 * the name of its slice (`check.ts`).
 */

import { type Slice, sliceId } from "../api/endpoint.ts";
import type { Reason } from "../api/faults.ts";
import type { SliceFacts } from "../api/slice-facts.ts";
import type { PlannedCounts, TableCount } from "./conclusion/counts.ts";
import type { Attempt, CrawlReport } from "./report.ts";
import type { Header, Purpose, SliceState, State } from "./schema.ts";

/** A slice of the plan with its state in the journal. */
export interface StoredSlice {
  id: number;
  slice: Slice;
  purpose: Purpose;
  /** The number of pages in hand, also of a slice that is not complete yet. */
  pages: number;
  state: SliceState;
  /** Its last fault while it has no answer. */
  reason: Reason | null;
  /** True if enough others were answered after that. */
  vouched: boolean;
  /** Start of the last run that asked for it and accepted nothing. */
  triedAt: string | null;
  facts: SliceFacts;
}

/** One page as it came. */
interface StoredAnswer {
  host: string;
  /** Epoch milliseconds. */
  at: number;
  body: Buffer;
}

/** A slice of the plan, and its purpose there. */
export interface PlannedSlice {
  slice: Slice;
  purpose: Purpose;
}

/** A record that an answer was asked again, for one doubt of one check, and how often the doubted part was the same. */
export interface Look {
  check: string;
  doubt: string;
  /** The id of the slice. */
  id: number;
  seen: string;
  times: number;
}

/**
 * The resumable archive of raw answers. Every change is in one transaction, so that a kill at any moment loses only the
 * requests in flight. Every method throws a Failure if the file does not hold what was written into it.
 */
export interface Journal {
  file: string;
  header(): Header;

  /**
   * Adds slices to the plan. One that is in it and not due becomes due if it is to be asked; all others that are in it stay as they are.
   */
  addSlices(slices: readonly Slice[], purpose: Purpose): void;
  /** Makes these the plan: slices without an answer get their purpose anew, and those that are not among them are removed. */
  plan(slices: readonly PlannedSlice[]): void;
  setPurpose(ids: readonly number[], purpose: Purpose): void;
  /** The plan, in the order in which it was made. */
  slices(purpose?: Purpose): readonly StoredSlice[];

  /**
   * Stores one page; facts come with the page that completes the slice. The first page of an answer replaces the answer in hand. Resolves
   * when the page is in the file.
   */
  saveAnswer(id: number, page: number, answer: StoredAnswer, facts: SliceFacts | undefined): Promise<void>;
  /** Notes a failed attempt; `dropPages` forgets the pages of a slice that must be asked again from the first. */
  recordAttempt(id: number, page: number, attempt: Attempt, dropPages: boolean): void;
  /** Gives a slice up; asking for it again later is still possible. */
  markFailed(id: number, reason: Reason): void;
  /** Says of slices that failed, or were not asked because others like them had, that enough others were answered after that. */
  vouch(ids: readonly number[]): void;
  /** Forgets the answers of slices. */
  forget(ids: readonly number[]): void;
  /** Forgets the answers of slices and what was said of them, so that they are asked again. */
  requeue(ids: readonly number[]): void;
  /** Returns the looks at answers that were doubted. */
  looks(): Look[];
  /** Notes one more look at each of these. */
  noteLooks(looks: readonly Omit<Look, "times">[]): void;
  /** Forgets the answers of slices, which stay as the base has them; the journal still knows that they were asked for. */
  giveBack(ids: readonly number[]): void;

  /** Returns the bodies of a slice, by page. */
  pages(id: number): Buffer[];
  /** Returns the records of a captured slice, over all its pages. */
  records(stored: Pick<StoredSlice, "id" | "slice">): unknown[];
  /** Returns when the last page of a slice came, in epoch milliseconds; 0 if none has. */
  answeredAt(id: number): number;
  /** Counts the characters of the facts of all slices. */
  factsChars(): number;
  /** Returns the last failed attempt of all. */
  lastAttempt(): Attempt | undefined;
  /** Returns the last failed attempt of each slice without an answer, by the id of the slice. */
  lastAttempts(): ReadonlyMap<number, Attempt>;
  report(): CrawlReport;
  /** Counts the slices that a complete night has of each part. */
  countPlanned(): PlannedCounts;
  countTables(): TableCount[];

  setState<Name extends keyof State>(name: Name, value: State[Name]): void;
  getState<Name extends keyof State>(name: Name): State[Name] | undefined;

  /** Marks the journal as finished and seals it; `number` is its place among the finished ones. */
  finish(finishedAt: string, number: number): void;
  /**
   * Makes the journal that of a run of this policy that began at `startedAt`, which dates what the run asks. Without them it goes on as it
   * was.
   */
  reopen(startedAt?: string, more?: Partial<Pick<Header, "policy">>): void;
  /** Forgets answers that say that they were asked after this run began, so that they are asked again. Returns how many there were. */
  forgetLater(): number;
  close(): void;
}

/** Returns the slices that have a complete answer. */
export const capturedSlices = (journal: Pick<Journal, "slices">, purpose: Purpose = "answer"): StoredSlice[] =>
  journal.slices(purpose).filter(({ state }) => state === "captured");

/** Tells whether a slice has no answer yet. */
export const isUnanswered = ({ state }: Pick<StoredSlice, "state">): boolean => state !== "captured";

/** Returns the slices that are due, by `sliceId`. */
export const dueIds = (journal: Pick<Journal, "slices">): ReadonlySet<string> =>
  new Set(journal.slices().map(({ slice }) => sliceId(slice)));

const byId = (slices: readonly StoredSlice[]): ReadonlyMap<string, StoredSlice> =>
  new Map(slices.map((stored) => [sliceId(stored.slice), stored]));

/** Returns the slices that have a complete answer, by `sliceId`. */
export const capturedById = (journal: Pick<Journal, "slices">): ReadonlyMap<string, StoredSlice> =>
  byId(capturedSlices(journal));

/**
 * Picks the slices that have a complete answer from those wanted, by `sliceId`; if one was asked for both purposes, the answer to compare
 * counts.
 */
export const findCaptured = (
  journal: Pick<Journal, "slices">,
  isWanted: (slice: Slice) => boolean,
): ReadonlyMap<string, StoredSlice> =>
  byId(
    [...capturedSlices(journal, "answer"), ...capturedSlices(journal, "proof")].filter(({ slice }) => isWanted(slice)),
  );
