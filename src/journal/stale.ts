import type { StoredSlice } from "./journal.ts";

/** The slices of all heroes in one endpoint, rank, window, lane and language. The upstream computes them at once and gives them one stamp. */
export type SliceGroup = string;

/** The name of the group that a slice is in. */
export const sliceGroup = ({ slice: { dataset, rank, days, lane, lang } }: Pick<StoredSlice, "slice">): SliceGroup =>
  `${dataset} rank=${rank}${days ? ` days=${days}` : ""}${lane ? ` lane=${lane}` : ""} lang=${lang}`;

/** The stamp that most slices carry; of two that are as common, the newer one. */
export function mostCommonStamp(slices: readonly StoredSlice[]): number | string {
  const stamps = Map.groupBy(slices, ({ facts }) => facts.stamp ?? "");
  const [[most] = [""]] = [...stamps].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? 1 : -1));
  return most;
}

/** The batch in a word; null if the slice does not say which it is of. */
export const batchName = ({ facts: { stamp } }: StoredSlice) =>
  stamp === undefined ? null : String(stamp).replace("batch of ", "");

/** Slices that are of another batch than most of their group. */
export interface StaleBatch {
  group: SliceGroup;
  batch: number;
  /** The batch of most slices, of which there are `of` in all batches. */
  most: number;
  of: number;
  slices: StoredSlice[];
}

/**
 * What is of another batch than the rest of its group. In a finished journal all of it has been asked again, and came back
 * as it was. If stamps are only days, nothing is told.
 */
export function findStale(slices: readonly StoredSlice[]): StaleBatch[] {
  const stamped = slices.filter(({ facts }) => typeof facts.stamp === "number");
  return [...Map.groupBy(stamped, sliceGroup)].flatMap(([group, members]) => {
    const most = Number(mostCommonStamp(members));
    const odd = members.filter(({ facts }) => facts.stamp !== most);
    return [...Map.groupBy(odd, ({ facts }) => Number(facts.stamp))].map(
      ([batch, same]): StaleBatch => ({ group, batch, most, of: members.length, slices: same }),
    );
  });
}
