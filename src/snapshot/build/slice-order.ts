import type { Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANE_CODES, LANG_CODES, RANK_CODES } from "../../api/enumerations.ts";

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
 * Sorts by endpoint, language, lane, rank, window, hero and subject: the order of the archive. It does not depend on when a slice was
 * planned or asked.
 */
export const sortBySlice = <T>(items: readonly T[], sliceOf: (item: T) => Slice): T[] =>
  items.toSorted((a, b) => compareSlices(sliceOf(a), sliceOf(b)));
