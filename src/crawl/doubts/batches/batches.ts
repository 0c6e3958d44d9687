import { endpointOf } from "../../../api/endpoints.ts";
import type { StoredSlice } from "../../../journal/journal.ts";
import { batchName, mostCommonStamp, type SliceGroup, sliceGroup } from "../../../journal/slice-group.ts";
import type { Memory, Suspect } from "../check.ts";

/** A table in which more than one stamp is seen. */
export interface Mixed {
  group: SliceGroup;
  why: string;
  /** The batch of most. */
  most: string;
  members: readonly StoredSlice[];
}

/** Returns the batch as the file has it: of two batches the later one is the greater text. */
export const batchOf = ({ facts }: Pick<StoredSlice, "facts">): string => batchName(facts.stamp) ?? "";

export const suspectOf = (stored: StoredSlice): Suspect => ({ stored, seen: batchOf(stored) });

/** Tables, and all of their answers that have a stamp. */
export const stampedTables = (answered: readonly StoredSlice[]): Map<SliceGroup, StoredSlice[]> =>
  Map.groupBy(
    answered.filter(({ facts }) => facts.stamp !== undefined),
    sliceGroup,
  );

export function findMixed(answered: readonly StoredSlice[]): Mixed[] {
  return [...stampedTables(answered)].flatMap(([group, members]) => {
    const batches = [...new Set(members.map(batchOf))].sort();
    if (batches.length < 2) return [];
    const most = batchName(mostCommonStamp(members)) ?? "";
    return [{ group, why: `${group}: stamps ${batches.join(", ")}`, most, members }];
  });
}

/**
 * Batches that an answer was seen to leave for a newer one, by rank: their tables are made at once. That a single answer is ahead makes no
 * batch old.
 */
export function findPassed(answered: readonly StoredSlice[], { looks }: Pick<Memory, "looks">): ReadonlySet<string> {
  const byId = new Map(answered.map((stored) => [stored.id, stored]));
  return new Set(
    looks.flatMap(({ check, id, seen }) => {
      const stored = byId.get(id);
      if (!stored || !check.endsWith("-batch") || stored.facts.stamp === undefined) return [];
      return batchOf(stored) > seen ? [ofRank(stored, seen)] : [];
    }),
  );
}

/** The day of a stamp and the last day of a trend are not the same batch, though both are written as a day. */
export const ofRank = ({ slice }: StoredSlice, batch: string) =>
  `${endpointOf(slice.dataset).stamp?.as} ${slice.rank} ${batch}`;
