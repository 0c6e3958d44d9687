import { type Slice, sliceId } from "../api/endpoint.ts";
import type { Reason } from "../api/faults.ts";
import type { SliceFacts } from "../api/slice-facts.ts";
import type { PlannedCounts, TableCount } from "./conclusion/counts.ts";
import type { Attempt, CrawlReport } from "./report.ts";
import type { Header, Purpose, SliceState, State } from "./schema.ts";

/** A slice of the plan and what the journal holds of it. */
export interface StoredSlice {
  id: number;
  slice: Slice;
  purpose: Purpose;
  /** Pages in hand, also of a slice that is not whole yet. */
  pages: number;
  state: SliceState;
  /** Its last fault while it has no answer. */
  reason: Reason | null;
  /** Whether enough others were answered after that. */
  vouched: boolean;
  /** Start of the last run that asked for it and took nothing. */
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

/** A slice of the plan, and what it is in it for. */
export interface PlannedSlice {
  slice: Slice;
  purpose: Purpose;
}

/** That an answer was asked again, for one doubt of one check, and how often what was seen of it was the same. */
export interface Look {
  check: string;
  doubt: string;
  /** Of the slice. */
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
   * Adds slices to the plan. What is in it and not due becomes so if it is to be asked; all else that is in it stays as it is.
   */
  addSlices(slices: readonly Slice[], purpose: Purpose): void;
  /** Makes these the plan: what has no answer gets its purpose anew, and what is not among them is taken out. */
  plan(slices: readonly PlannedSlice[]): void;
  setPurpose(ids: readonly number[], purpose: Purpose): void;
  /** The plan, in the order in which it was made. */
  slices(purpose?: Purpose): readonly StoredSlice[];
  /** Takes slices out of the plan, with all that is known of them. */
  removeSlices(ids: readonly number[]): void;

  /** Takes one page; facts come with the page that makes the slice whole. Resolves when the page is in the file. */
  saveAnswer(id: number, page: number, answer: StoredAnswer, facts: SliceFacts | undefined): Promise<void>;
  /** Notes a failed attempt; `dropPages` forgets the pages of a slice that must be asked again from the first. */
  recordAttempt(id: number, page: number, attempt: Attempt, dropPages: boolean): void;
  /** Gives a slice up; asking for it again later is still possible. */
  markFailed(id: number, reason: Reason): void;
  /** Says of slices that failed, or were not asked because others like them had, that enough others were answered after that. */
  vouch(ids: readonly number[]): void;
  /** Forgets the answers of slices, so that they are asked again. */
  requeue(ids: readonly number[]): void;
  /** What was asked again because it was doubted. */
  looks(): Look[];
  /** Notes one more look at each of these, and forgets their answers and those of `beside`, so that they are asked again. */
  lookAgain(looks: readonly Omit<Look, "times">[], beside: readonly number[]): void;
  /** Forgets the answers of slices, which stay as the base has them; that they were asked for stays known. */
  giveBack(ids: readonly number[]): void;

  /** The bodies of a slice, by page. */
  pages(id: number): Buffer[];
  /** The records of a captured slice, over all its pages. */
  records(stored: Pick<StoredSlice, "id" | "slice">): unknown[];
  /** When the last page of a slice came, epoch milliseconds; 0 if none has. */
  answeredAt(id: number): number;
  /** Characters of the facts of all slices. */
  factsChars(): number;
  /** The last failed attempt, of one slice or of all. */
  lastAttempt(slice?: Slice): Attempt | undefined;
  /** By the id of the slice, of those that have no answer. */
  lastAttempts(): ReadonlyMap<number, Attempt>;
  report(): CrawlReport;
  /** How many slices a whole night has of each part. */
  countPlanned(): PlannedCounts;
  countTables(): TableCount[];

  setState<Name extends keyof State>(name: Name, value: State[Name]): void;
  getState<Name extends keyof State>(name: Name): State[Name] | undefined;

  /** Marks the journal as whole and seals it; `number` is its place among the finished ones. */
  finish(finishedAt: string, number: number): void;
  /** Makes a journal the one of a run of this policy that began `startedAt`: what that asks is dated by it. Without them it goes on as it was. */
  reopen(startedAt?: string, more?: Partial<Pick<Header, "policy">>): void;
  /** Forgets answers that say that they were asked after this run began, so that they are asked again. Returns how many there were. */
  forgetLater(): number;
  close(): void;
}

/** What a crawl has a whole answer for. */
export const capturedSlices = (journal: Pick<Journal, "slices">, purpose: Purpose = "answer"): StoredSlice[] =>
  journal.slices(purpose).filter(({ state }) => state === "captured");

/** Whether a slice has no answer yet. */
export const isUnanswered = ({ state }: Pick<StoredSlice, "state">): boolean => state !== "captured";

/** What is due, by `sliceId`. */
export const dueIds = (journal: Pick<Journal, "slices">): ReadonlySet<string> =>
  new Set(journal.slices().map(({ slice }) => sliceId(slice)));

const byId = (slices: readonly StoredSlice[]): ReadonlyMap<string, StoredSlice> =>
  new Map(slices.map((stored) => [sliceId(stored.slice), stored]));

/** What a crawl has a whole answer for, by `sliceId`. */
export const capturedById = (journal: Pick<Journal, "slices">): ReadonlyMap<string, StoredSlice> =>
  byId(capturedSlices(journal));

/**
 * What is wanted of all that a crawl has a whole answer for, by `sliceId`; of what was asked for both purposes the answer to compare
 * counts.
 */
export const findCaptured = (
  journal: Pick<Journal, "slices">,
  isWanted: (slice: Slice) => boolean,
): ReadonlyMap<string, StoredSlice> =>
  byId(
    [...capturedSlices(journal, "answer"), ...capturedSlices(journal, "proof")].filter(({ slice }) => isWanted(slice)),
  );
