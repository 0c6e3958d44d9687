import type { Slice } from "../../api/endpoint.ts";
import {
  DIMENSIONS,
  endpointPart,
  isNamingList,
  LEAST_OF_A_PART,
  type Part,
  partId,
  partsOf,
} from "../../api/parts.ts";
import type { PlannedCounts } from "./counts.ts";

/** A part is closed if it lacks at least this share of its slices of a complete night: answers that still come are exceptions. */
const CLOSED_SHARE = 0.9;
/** An endpoint that lacks more than this share is in trouble, whichever of its slices they are. */
const BROKEN_SHARE = 0.1;

interface Candidate<T> {
  part: Part;
  planned: number;
  /** Missing slices of the part after which enough others were answered. */
  lacking: number;
  /** Those of its missing slices that no closed part explains yet. */
  left: Set<T>;
}

/**
 * Finds the parts that missing slices have in common. Of all that lack nearly everything it takes the one that explains most of them, of
 * equals one that was closed before, then the narrower; and so on with the rest. Then it takes the endpoints that lack a good part.
 * `isVouched`: enough others were answered after the slice had failed, so that it was not the whole upstream.
 */
export function closeParts<T extends { slice: Slice }>(
  missing: readonly T[],
  isVouched: (one: T) => boolean,
  planned: PlannedCounts,
  isKnown: (part: Part) => boolean,
): { parts: Part[]; partOf: ReadonlyMap<T, number> } {
  const candidates = countCandidates(missing, isVouched, planned);
  const parts: Part[] = [];
  const partOf = new Map<T, number>();
  const close = ({ part, left }: Candidate<T>) => {
    for (const one of [...left]) {
      partOf.set(one, parts.length);
      for (const other of partsOf(one.slice)) candidates.get(partId(other))?.left.delete(one);
    }
    parts.push(part);
  };
  const closable = [...candidates.values()].filter(
    ({ lacking, planned: all }) => lacking >= LEAST_OF_A_PART && lacking >= CLOSED_SHARE * all,
  );
  for (;;) {
    const best = findBest(closable, isKnown);
    if (!best) break;
    close(best);
  }
  for (const candidate of candidates.values()) {
    const vouched = [...candidate.left].filter(isVouched).length;
    if (candidate.part.dimension === "" && vouched >= LEAST_OF_A_PART && vouched > BROKEN_SHARE * candidate.planned)
      close(candidate);
  }
  for (const one of missing) {
    // The list that names others is no evidence, but goes with its endpoint.
    const index = isNamingList(one.slice)
      ? parts.findIndex((part) => partId(part) === partId(endpointPart(one.slice.dataset)))
      : -1;
    if (index >= 0) partOf.set(one, index);
  }
  return { parts, partOf };
}

function countCandidates<T extends { slice: Slice }>(
  missing: readonly T[],
  isVouched: (one: T) => boolean,
  planned: PlannedCounts,
): Map<string, Candidate<T>> {
  const candidates = new Map<string, Candidate<T>>();
  for (const one of missing) {
    const isCounted = isVouched(one);
    for (const part of partsOf(one.slice)) {
      const id = partId(part);
      let candidate = candidates.get(id);
      if (!candidate) {
        candidate = { part, planned: planned.get(id) ?? 0, lacking: 0, left: new Set() };
        candidates.set(id, candidate);
      }
      candidate.left.add(one);
      if (isCounted) candidate.lacking += 1;
    }
  }
  return candidates;
}

function findBest<T>(candidates: readonly Candidate<T>[], isKnown: (part: Part) => boolean): Candidate<T> | undefined {
  const enough = candidates.filter(({ left }) => left.size >= LEAST_OF_A_PART);
  return enough.reduce<Candidate<T> | undefined>(
    (best, one) => (best && !isBetter(one, best, isKnown) ? best : one),
    undefined,
  );
}

function isBetter<T>(one: Candidate<T>, best: Candidate<T>, isKnown: (part: Part) => boolean): boolean {
  const order =
    one.left.size - best.left.size ||
    Number(isKnown(one.part)) - Number(isKnown(best.part)) ||
    best.planned - one.planned ||
    placeOf(best.part) - placeOf(one.part);
  return order > 0 || (order === 0 && partId(one.part) < partId(best.part));
}

/** Orders parts of the same slices: an endpoint comes first, then a value in it. */
const placeOf = ({ dataset, dimension }: Part): number =>
  dimension === "" ? 0 : DIMENSIONS.indexOf(dimension) + (dataset === "" ? 20 : 10);
