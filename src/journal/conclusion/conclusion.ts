import { namingListOf, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { isFault } from "../../api/faults.ts";
import {
  type ClosedPart,
  type EndpointState,
  endpointPart,
  isWithin,
  type Part,
  partId,
  SELECTING,
} from "../../api/parts.ts";
import { selectEndpoints } from "../../api/selection.ts";
import type { Journal, StoredSlice } from "../journal.ts";
import type { Attempt } from "../report.ts";
import type { BaseFacts } from "./base-facts.ts";
import { closeParts } from "./close-parts.ts";
import { findEmptied } from "./emptied.ts";

/** A slice that could not be had. */
export interface MissingSlice {
  stored: StoredSlice;
  /** Its last fault, or that of others like it. */
  reason: string;
  /** The place in `Conclusion.parts` of the closed part that explains it; undefined if it is single. */
  part: number | undefined;
}

/** A closed part of this night. */
interface ConcludedPart extends ClosedPart {
  /** True if neither the base has it, nor a part that it lies within. */
  isNew: boolean;
}

/** The outcome of a night. */
export interface Conclusion {
  /** The missing slices, by `sliceId`. */
  missing: ReadonlyMap<string, MissingSlice>;
  parts: readonly ConcludedPart[];
  endpoints: readonly EndpointState[];
}

type ConcludedJournal = Pick<
  Journal,
  "header" | "slices" | "getState" | "countPlanned" | "countTables" | "lastAttempts"
>;

/** Tells whether a slice could not be had in the night of the base: it is carried over there, or a hole. */
export const isMissingIn = (base: Pick<BaseFacts, "rows"> | undefined, slice: Slice): boolean =>
  isFault(base?.rows.get(sliceId(slice))?.reason);

/**
 * Concludes for each slice without an answer why it has none, and which parts are closed. This is counted anew each night from the journal
 * and its base, so that nothing has to be remembered.
 */
export function conclude(journal: ConcludedJournal, base: BaseFacts | undefined): Conclusion {
  const emptied = new Set(findEmptied(journal, base));
  const isMissing = (stored: StoredSlice) => stored.state !== "captured" || emptied.has(stored);
  const due = journal.slices("answer").filter(isMissing);
  const closed = journal.slices("closed");
  const counts = journal.countPlanned();
  const isKnown = (part: Part) => base?.closed.some((before) => partId(before) === partId(part)) ?? false;
  const isVouched = (stored: StoredSlice) => stored.vouched || stored.purpose === "closed" || emptied.has(stored);
  const { parts, partOf } = closeParts([...due, ...closed], isVouched, counts, isKnown);
  const attempts = journal.lastAttempts();
  const faultOf = (stored: StoredSlice): Fault | undefined => {
    if (emptied.has(stored)) return { reason: "empty", status: null, code: null };
    return stored.reason === null ? undefined : toFault(stored.reason, attempts.get(stored.id));
  };
  const failed = [...due, ...closed].filter(faultOf);
  // A run closes wider parts than a night whose slices are not all due: what it did not ask has the fault of what is most like it.
  const faultNear = (stored: StoredSlice): Fault | undefined => {
    const nearest = stored.vouched ? maxBy(failed, ({ slice }) => countShared(slice, stored.slice)) : undefined;
    return nearest && faultOf(nearest);
  };
  const explained = Map.groupBy([...due, ...closed], (stored) => partOf.get(stored));
  const concluded = parts.map((part, index): ConcludedPart => {
    const slices = explained.get(index) ?? [];
    const fault =
      commonest(slices.flatMap((stored) => faultOf(stored) ?? [])) ??
      commonest(slices.flatMap((stored) => faultNear(stored) ?? []));
    return describe(journal, base, part, fault);
  });
  const missing = [...due, ...closed].map((stored): [string, MissingSlice] => {
    const part = partOf.get(stored);
    const before = base?.rows.get(sliceId(stored.slice))?.reason;
    const known = faultOf(stored)?.reason ?? (isFault(before) ? before : undefined);
    const ofPart = part === undefined ? faultNear(stored) : concluded[part];
    const reason = known ?? ofPart?.reason ?? "not-asked";
    return [sliceId(stored.slice), { stored, reason, part }];
  });
  const unnamed = (journal.getState("unnamed") ?? []).map((dataset) => closeUnnamed(journal, base, dataset, attempts));
  const all = [...concluded, ...unnamed];
  return { missing: new Map(missing), parts: all, endpoints: stateEndpoints(journal, base, all) };
}

type Fault = Pick<ClosedPart, "reason" | "status" | "code">;

const toFault = (reason: string, attempt: Attempt | undefined): Fault => ({
  reason,
  status: attempt?.said?.status ?? null,
  code: attempt?.said?.code ?? null,
});

/** Counts the parameters that two slices have in common. */
const countShared = (a: Slice, b: Slice): number => SELECTING.filter((name) => a[name] === b[name]).length;

/** Returns the first of those that have the most. */
function maxBy<T>(all: readonly T[], score: (one: T) => number): T | undefined {
  let [most, best] = [Number.NEGATIVE_INFINITY, undefined as T | undefined];
  for (const one of all) if (score(one) > most) [most, best] = [score(one), one];
  return best;
}

/** Returns the most common fault; of equally common ones the first by name. */
function commonest(faults: readonly Fault[]): Fault | undefined {
  const groups = [...Map.groupBy(faults, (fault) => JSON.stringify(fault))];
  groups.sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  return groups[0]?.[1][0];
}

/** Describes a closed part, with since when and why, which the base knows if it has the part already, or one that it lies within. */
function describe(
  journal: Pick<Journal, "header">,
  base: BaseFacts | undefined,
  { dataset, dimension, value }: Part,
  fault: Fault | undefined,
): ClosedPart & { isNew: boolean } {
  const part = { dataset, dimension, value };
  const before =
    base?.closed.find((one) => partId(one) === partId(part)) ?? base?.closed.find((outer) => isWithin(part, outer));
  const { reason, status, code } = fault ?? before ?? { reason: "not-asked", status: null, code: null };
  return {
    ...part,
    since: before?.since ?? journal.header().started_at,
    since_version: before?.since_version ?? null,
    reason,
    status,
    code,
    isNew: before === undefined,
  };
}

/** Closes endpoints whose words nobody can name, with the list that names them; they have no slices. */
function closeUnnamed(
  journal: ConcludedJournal,
  base: BaseFacts | undefined,
  dataset: string,
  attempts: ReadonlyMap<number, Attempt>,
): ConcludedPart {
  const list = namingListOf(endpointOf(dataset));
  const naming = journal.slices("answer").find(({ slice }) => slice.dataset === list && slice.lang === BASE_LANG);
  const fault = naming?.reason ? toFault(naming.reason, attempts.get(naming.id)) : undefined;
  return describe(journal, base, endpointPart(dataset), fault);
}

function stateEndpoints(
  journal: ConcludedJournal,
  base: BaseFacts | undefined,
  parts: readonly Part[],
): EndpointState[] {
  const { selection, started_at } = journal.header();
  const announced = journal.getState("announced");
  const leftOut = journal.getState("without") ?? [];
  const closed = new Set(parts.map(partId));
  const before = new Map(base?.endpoints.map((endpoint) => [endpoint.dataset, endpoint]));
  return selectEndpoints(selection).map(({ dataset }) => {
    const was = before.get(dataset);
    const isClosed = closed.has(partId(endpointPart(dataset)));
    const state = leftOut.includes(dataset) ? "left-out" : isClosed ? "closed" : "open";
    return {
      dataset,
      state,
      since: was?.state === state ? was.since : started_at,
      deprecated: announced ? Number(announced.deprecated.includes(dataset)) : (was?.deprecated ?? null),
    };
  });
}
