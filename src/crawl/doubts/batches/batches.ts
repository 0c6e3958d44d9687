import type { StoredSlice } from "../../../journal/journal.ts";
import { mostCommonStamp, type SliceGroup, sliceGroup } from "../../../journal/slice-group.ts";
import type { Memory, Suspect } from "../check.ts";

export type Stamp = number | string;

/** A table in which more than one stamp is seen. */
export interface Mixed {
  group: SliceGroup;
  why: string;
  most: Stamp;
  members: readonly StoredSlice[];
}

export const stampOf = ({ facts }: Pick<StoredSlice, "facts">): Stamp => facts.stamp ?? "";

/** A stamp is a time, or names a day. */
export const isNewer = (a: Stamp, b: Stamp): boolean => (typeof a === typeof b ? a > b : String(a) > String(b));

export const suspectOf = (stored: StoredSlice): Suspect => ({ stored, seen: String(stampOf(stored)) });

/** Tables, and all of their answers that have a stamp. */
export const stampedTables = (answered: readonly StoredSlice[]): Map<SliceGroup, StoredSlice[]> =>
  Map.groupBy(
    answered.filter(({ facts }) => facts.stamp !== undefined),
    sliceGroup,
  );

export function findMixed(answered: readonly StoredSlice[]): Mixed[] {
  return [...stampedTables(answered)].flatMap(([group, members]) => {
    const stamps = [...new Set(members.map(stampOf))].sort();
    if (stamps.length < 2) return [];
    return [{ group, why: `${group}: stamps ${stamps.join(", ")}`, most: mostCommonStamp(members), members }];
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
      const before = typeof stored.facts.stamp === "number" ? Number(seen) : seen;
      return isNewer(stored.facts.stamp, before) ? [batchOf(stored.slice.rank, seen)] : [];
    }),
  );
}

export const batchOf = (rank: string | undefined, stamp: Stamp) => `${rank} ${stamp}`;
