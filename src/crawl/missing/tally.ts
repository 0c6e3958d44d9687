import type { Slice } from "../../api/endpoint.ts";
import type { Reason } from "../../api/faults.ts";
import {
  endpointPart,
  isInPart,
  isWithin,
  LEAST_OF_A_PART,
  type Part,
  partId,
  partsOf,
  SELECTING,
} from "../../api/parts.ts";
import type { StoredSlice } from "../../journal/journal.ts";

/** So many others must be answered after a failure before it is blamed on its own part, and not on the upstream. */
export const WITNESSES = 20;
/** So many slices in a row without an answer, of so many endpoints, and so many witnesses mean that the upstream is gone. */
const DEAD = { row: 50, endpoints: 3, witnesses: 3 };
/** If less than this share of the last slices and witnesses was answered, the upstream counts as gone. */
const SCARCE = { of: 200, share: 0.1 };
/** After so many failures in a row, of an endpoint or of all, others are asked in between. */
const TROUBLED = 3;

type Failed = Pick<StoredSlice, "id" | "slice">;

/** The results of this run so far, by slices, parts and the upstream. None of it is kept for the next run. */
export interface Tally {
  /** Takes the slices that are due. */
  expect(due: readonly Slice[]): void;
  answered(stored: Failed): void;
  /** Notes that the slice is given up for now; `isPart`: that says something about its parts. */
  failed(stored: Failed, reason: Reason, isPart: boolean): void;
  witnessed(isAnswered: boolean): void;
  /** Tells whether a slice lies in a part that is closed for this run. */
  isClosed(slice: Slice): boolean;
  /** Tells whether the part of a slice would be closed if enough others were answered. */
  isAlmostClosed(slice: Slice): boolean;
  /** Returns the widest parts that are closed for this run, with their failures. */
  closedParts(): Suspicion[];
  /** Tells whether an endpoint has any answer. */
  isProven(dataset: string): boolean;
  /** Tells whether an endpoint has failed several times in a row. */
  isTroubled(dataset: string): boolean;
  /** Returns the part within the endpoint of a failed slice that may be closed and has failed most, with its failures. */
  suspicionOf(slice: Slice): Suspicion | undefined;
  /** Returns the attempts that a slice has failed since its last answer. */
  triesOf(id: number): number;
  /**
   * Counts failed attempts, of which a fault that rarely heals takes several. Returns whether others are to be asked in between, or a
   * witness, since several requests in a row have failed.
   */
  tried(id: number, attempts: number): boolean;
  /** Returns the time of the last failure, in epoch milliseconds; 0 if there was none. */
  lastFailureAt(): number;
  /** Tells whether a witness is to be asked before the run goes on. */
  needsWitness(): boolean;
  /** Tells whether the last witnesses have failed. */
  areWitnessesGone(): boolean;
  /** Returns the last failure once the upstream is gone. It stays so, even if an answer that was in flight still comes. */
  dead(): Reason | undefined;
  hasAnswers(): boolean;
  /** Returns the ids of failed slices after which enough others were answered, and how many answers the others lack. */
  vouched(): { ids: number[]; lacking: number };
}

interface Suspicion {
  part: Part;
  failed: Slice[];
  /** Answers before the first of the failures. */
  since: number;
  /** True if the failures are enough, and differ in all parameters that tell the slices of the part apart. */
  isRipe: boolean;
}

export function createTally(): Tally {
  let due: readonly Slice[] = [];
  let answers = 0;
  const answeredParts = new Set<string>();
  /** Suspicions by part; a part with an answer has none. */
  const suspicions = new Map<string, Suspicion>();
  const ripe = new Set<string>();
  const failedAt = new Map<number, number>();
  const tries = new Map<number, number>();
  const inRow = new Map<string, number>();
  const row = { count: 0, datasets: new Set<string>(), deadWitnesses: 0 };
  let requestsInRow = 0;
  const last: boolean[] = [];
  let lastReason: Reason | undefined;
  let gone: Reason | undefined;
  let failureAt = 0;

  function note(isAnswered: boolean) {
    last.push(isAnswered);
    if (last.length > SCARCE.of) last.shift();
  }

  function there() {
    answers += 1;
    requestsInRow = 0;
    row.count = 0;
    row.datasets.clear();
    row.deadWitnesses = 0;
  }

  function suspect(part: Part, slice: Slice) {
    const id = partId(part);
    if (answeredParts.has(id)) return;
    const suspicion = suspicions.get(id) ?? { part, failed: [], since: answers, isRipe: false };
    suspicion.failed.push(slice);
    suspicions.set(id, suspicion);
    if (suspicion.failed.length < LEAST_OF_A_PART || !differ(suspicion.failed, spreadOf(part))) return;
    suspicion.isRipe = true;
    ripe.add(id);
  }

  /** The parameters that tell the due slices of a part apart. They are computed for few parts: only those that seem closed. */
  const spreads = new Map<string, (typeof SELECTING)[number][]>();
  function spreadOf(part: Part) {
    const known = spreads.get(partId(part));
    if (known) return known;
    const members = due.filter((slice) => isInPart(part, slice));
    const spread = SELECTING.filter((name) => members.some((slice) => slice[name] !== members[0]?.[name]));
    spreads.set(partId(part), spread);
    return spread;
  }

  const isOver = ({ since }: Suspicion) => answers - since >= WITNESSES;
  const ripeOf = (slice: Slice): Suspicion[] =>
    ripe.size === 0
      ? []
      : partsOf(slice).flatMap((part) => (ripe.has(partId(part)) ? (suspicions.get(partId(part)) ?? []) : []));

  return {
    expect(slices) {
      due = slices;
      spreads.clear();
    },
    answered({ id, slice }) {
      there();
      note(true);
      failedAt.delete(id);
      tries.delete(id);
      inRow.delete(slice.dataset);
      for (const part of partsOf(slice)) {
        const name = partId(part);
        answeredParts.add(name);
        if (suspicions.delete(name)) ripe.delete(name);
      }
    },
    failed({ id, slice }, reason, isPart) {
      note(false);
      row.count += 1;
      row.datasets.add(slice.dataset);
      inRow.set(slice.dataset, (inRow.get(slice.dataset) ?? 0) + 1);
      lastReason = reason;
      failureAt = Date.now();
      if (!isPart) return;
      const isFirst = !failedAt.has(id);
      failedAt.set(id, answers);
      if (isFirst) for (const part of partsOf(slice)) suspect(part, slice);
    },
    witnessed(isAnswered) {
      note(isAnswered);
      if (isAnswered) there();
      else row.deadWitnesses += 1;
    },
    isClosed: (slice) => ripeOf(slice).some(isOver),
    isAlmostClosed: (slice) => ripeOf(slice).some((suspicion) => !isOver(suspicion)),
    closedParts() {
      const closed = [...ripe].flatMap((id) => suspicions.get(id) ?? []).filter(isOver);
      return closed.filter((one) => !closed.some((outer) => outer !== one && isWithin(one.part, outer.part)));
    },
    isTroubled: (dataset) => (inRow.get(dataset) ?? 0) >= TROUBLED,
    isProven: (dataset) => answeredParts.has(partId(endpointPart(dataset))),
    suspicionOf(slice) {
      const within = partsOf(slice).filter(({ dataset }) => dataset !== "");
      const open = within.flatMap((part) => suspicions.get(partId(part)) ?? []).filter(({ isRipe }) => !isRipe);
      return open.reduce<Suspicion | undefined>(
        (most, one) => (most && most.failed.length >= one.failed.length ? most : one),
        undefined,
      );
    },
    triesOf: (id) => tries.get(id) ?? 0,
    tried(id, attempts) {
      tries.set(id, (tries.get(id) ?? 0) + attempts);
      requestsInRow = (requestsInRow + 1) % TROUBLED;
      return requestsInRow === 0;
    },
    lastFailureAt: () => failureAt,
    needsWitness: () =>
      row.count >= DEAD.row && row.datasets.size < DEAD.endpoints && row.deadWitnesses < DEAD.witnesses,
    areWitnessesGone: () => row.deadWitnesses >= DEAD.witnesses,
    dead() {
      const isRow =
        row.count >= DEAD.row && (row.datasets.size >= DEAD.endpoints || row.deadWitnesses >= DEAD.witnesses);
      const isScarce = last.length >= SCARCE.of && last.filter(Boolean).length < SCARCE.of * SCARCE.share;
      if (isRow || isScarce) gone ??= lastReason;
      return gone;
    },
    hasAnswers: () => answers > 0,
    vouched() {
      const isVouched = (at: number) => answers - at >= WITNESSES;
      const ids = [...failedAt].flatMap(([id, at]) => (isVouched(at) ? [id] : []));
      const latest = Math.max(-1, ...[...failedAt.values()].filter((at) => !isVouched(at)));
      return { ids, lacking: latest < 0 ? 0 : latest + WITNESSES - answers };
    },
  };
}

const differ = (slices: readonly Slice[], names: readonly (typeof SELECTING)[number][]) =>
  names.every((name) => slices.some((slice) => slice[name] !== slices[0]?.[name]));
