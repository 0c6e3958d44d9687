import { parseSlice, type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANE_CODES, LANG_CODES, RANK_CODES } from "../../api/enumerations.ts";
import { UNKNOWN_TIME } from "../../api/slice-facts.ts";
import type { Conclusion } from "../../journal/conclusion/conclusion.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { PLANNED } from "../../journal/schema.ts";
import { batchName, findStale } from "../../journal/stale.ts";
import { answeredIn, type SnapshotBase } from "../read/base.ts";
import type { Coverage } from "../schema/row-types.ts";

/** A slice of the file to be, asked by the journal's crawl or carried over from its base. */
export interface SliceSource {
  slice: Slice;
  /** What does not follow from its records. */
  told: Pick<Coverage, "reason" | "part_id" | "batch" | "stale" | "asked_at" | "tried_at" | "suspect">;
  /** Undefined where it is missing. */
  bodies: (() => Buffer[]) | undefined;
}

/** All slices, in the order of the archive. Throws a Failure where the journal is damaged. */
export function listSources(
  journal: Journal,
  base: SnapshotBase | undefined,
  { missing }: Pick<Conclusion, "missing">,
): SliceSource[] {
  const answers = journal.slices("answer");
  const stale = new Set(
    findStale(answers.filter(({ slice }) => !missing.has(sliceId(slice)))).flatMap(({ slices }) => slices),
  );
  const { started_at } = journal.header();
  const suspects = new Set(journal.getState("suspect"));
  // Nothing can be carried over from a later time: the clock of that night was wrong.
  const notLater = (time: string | null) => (time !== null && time > started_at ? UNKNOWN_TIME : time);

  function toAnswer(stored: StoredSlice): SliceSource {
    const { id, slice, facts } = stored;
    const told = {
      reason: null,
      part_id: null,
      batch: batchName(stored),
      stale: Number(stale.has(stored)),
      asked_at: facts.asked_at ?? started_at,
      tried_at: null,
      suspect: 0,
    };
    return { slice, told, bodies: () => journal.pages(id) };
  }

  /** As the base has it, with the reason if it was due or has no answer. */
  function toCarried({ slice, purpose, triedAt }: StoredSlice): SliceSource {
    const row = answeredIn(base, slice);
    const before = base?.rows.get(sliceId(slice));
    const { reason, part } = missing.get(sliceId(slice)) ?? {};
    const notDue =
      purpose === "left-out"
        ? "left-out"
        : row
          ? null
          : triedAt === null
            ? (before?.reason ?? "not-asked")
            : "unsettled";
    const said = {
      reason: reason ?? notDue,
      part_id: part === undefined ? null : part + 1,
      tried_at: triedAt ?? notLater(before?.tried_at ?? null),
    };
    if (!base || !row)
      return { slice, told: { ...said, batch: null, stale: 0, asked_at: null, suspect: 0 }, bodies: undefined };
    const { batch, stale: wasStale } = row;
    const asked_at = notLater(row.asked_at);
    const suspect = Number(purpose === "keep" && suspects.has(sliceId(slice)));
    return { slice, told: { ...said, batch, stale: wasStale, asked_at, suspect }, bodies: () => [base.body(slice)] };
  }

  const all = PLANNED.flatMap((purpose) => journal.slices(purpose));
  const isAnswered = ({ slice, purpose }: StoredSlice) => purpose === "answer" && !missing.has(sliceId(slice));
  return sortBySlice(
    all.map((stored) => (isAnswered(stored) ? toAnswer(stored) : toCarried(stored))),
    ({ slice }) => slice,
  );
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

/** The slice that a row of coverage names. Other columns that say otherwise differ from the rebuilt ones. */
export const toSlice = ({ dataset, slice }: Pick<Coverage, "dataset" | "slice">): Slice => parseSlice(dataset, slice);

/** Whether a snapshot has slices that its own crawl was not to ask for. What could not be had, or is left out, is no such slice. */
export const isRolling = (journal: Journal): boolean =>
  journal.header().policy !== "all" && journal.slices("keep").length > 0;

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
