import { parseSliceId, type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANE_CODES, LANG_CODES, RANK_CODES } from "../../api/enumerations.ts";
import { isExcused, NOT_ASKED } from "../../api/refusals.ts";
import { UNKNOWN_TIME } from "../../api/slice-facts.ts";
import { isUnanswered, type Journal } from "../../journal/journal.ts";
import { batchName, findStale } from "../../journal/stale.ts";
import { answeredIn, type SnapshotBase } from "../read/base.ts";
import type { Coverage } from "../schema/row-types.ts";

/** A slice of the file to be, asked by the journal's crawl or carried over from its base. */
export interface SliceSource {
  slice: Slice;
  /** What does not follow from its records. */
  told: Pick<Coverage, "reason" | "batch" | "stale" | "asked_at" | "suspect">;
  /** Undefined where it is missing. */
  bodies: (() => Buffer[]) | undefined;
}

/** All slices, in the order of the archive. Throws a Failure where the journal is damaged. */
export function listSources(journal: Journal, base: SnapshotBase | undefined): SliceSource[] {
  const asked = journal.slices();
  const stale = new Set(findStale(asked).flatMap((batch) => batch.slices));
  const { started_at, policy } = journal.header();
  const suspects = new Set(journal.getState("suspect"));
  const carry = (slice: Slice, reason: string | null) => carryOver(base, slice, reason, started_at, suspects);
  const fromJournal = asked.map((stored): SliceSource => {
    const { id, slice, state, reason, facts } = stored;
    const isThere = state === "captured";
    // What has failed is carried over only where the crawl asks for less than everything.
    if (!isThere && (isExcused(reason) || policy)) return carry(slice, reason);
    const told = {
      reason: isThere ? null : (reason ?? NOT_ASKED),
      batch: batchName(stored),
      stale: Number(stale.has(stored)),
      asked_at: isThere ? (facts.asked_at ?? started_at) : null,
      suspect: 0,
    };
    return { slice, told, bodies: isThere ? () => journal.pages(id) : undefined };
  });
  const carried = (journal.getState("carried") ?? []).map((id) => carry(parseSliceId(id), null));
  return sortBySlice([...fromJournal, ...carried], ({ slice }) => slice);
}

/** An answer of the base, with its reason if it is carried over because the upstream or the operator wants it so. */
function carryOver(
  base: SnapshotBase | undefined,
  slice: Slice,
  reason: string | null,
  startedAt: string,
  suspects: ReadonlySet<string>,
): SliceSource {
  const row = answeredIn(base, slice);
  if (!base || !row) {
    const told = { reason: reason ?? NOT_ASKED, batch: null, stale: 0, asked_at: null, suspect: 0 };
    return { slice, told, bodies: undefined };
  }
  const { batch, stale } = row;
  // Nothing can be carried over from a later time: the clock of that night was wrong.
  const asked_at = row.asked_at !== null && row.asked_at > startedAt ? UNKNOWN_TIME : row.asked_at;
  const why = isExcused(reason) ? reason : null;
  const told = { reason: why, batch, stale, asked_at, suspect: Number(suspects.has(sliceId(slice))) };
  return { slice, told, bodies: () => [base.body(slice)] };
}

/** The cells of coverage that name a slice. */
export const cellsOf = (slice: Slice) => ({
  dataset: slice.dataset,
  slice: sliceKey(slice),
  hero_id: slice.hero ?? null,
  subject: slice.subject ?? null,
  lane: slice.lane ?? null,
  rank: slice.rank ?? null,
  days: slice.days === undefined ? null : Number(slice.days),
  lang: slice.lang,
});

/** Whether a snapshot has slices that its own crawl did not ask for, or not to the end. What is refused is no such slice. */
export const isRolling = (journal: Journal): boolean =>
  (journal.getState("carried") ?? []).length > 0 ||
  (journal.header().policy !== undefined && journal.slices().some(isUnanswered));

/** The place of each value in the order of its dimension; of a slice without one it is the first. */
const placesOf = (values: readonly string[]): ReadonlyMap<string | undefined, number> =>
  new Map(values.map((value, index) => [value, index + 1]));

const DATASETS = placesOf(ENDPOINTS.map(({ dataset }) => dataset));
const LANGS = placesOf(LANG_CODES);
const LANES = placesOf(LANE_CODES);
const RANKS = placesOf(RANK_CODES);

const placeIn = (places: ReadonlyMap<string | undefined, number>, value: string | undefined) => places.get(value) ?? 0;

function compareSlices(a: Slice, b: Slice): number {
  const [subjectA = "", subjectB = ""] = [a.subject, b.subject];
  return (
    placeIn(DATASETS, a.dataset) - placeIn(DATASETS, b.dataset) ||
    placeIn(LANGS, a.lang) - placeIn(LANGS, b.lang) ||
    placeIn(LANES, a.lane) - placeIn(LANES, b.lane) ||
    placeIn(RANKS, a.rank) - placeIn(RANKS, b.rank) ||
    Number(a.days ?? 0) - Number(b.days ?? 0) ||
    (a.hero ?? 0) - (b.hero ?? 0) ||
    Number(subjectA > subjectB) - Number(subjectA < subjectB)
  );
}

/**
 * By endpoint, language, lane, rank, window, hero and subject: the order of the archive and of the content hash. It does
 * not depend on when a slice was planned or asked.
 */
export const sortBySlice = <T>(items: readonly T[], sliceOf: (item: T) => Slice): T[] =>
  items.toSorted((a, b) => compareSlices(sliceOf(a), sliceOf(b)));
