import type { StoredSlice } from "./journal.ts";

/** The slices that the upstream computes at once, and so gives one stamp: those of all heroes. */
export const tableOf = ({ slice: { dataset, rank, days, lane, lang } }: Pick<StoredSlice, "slice">) =>
  `${dataset} rank=${rank}${days ? ` days=${days}` : ""}${lane ? ` lane=${lane}` : ""} lang=${lang}`;

/** The stamp that most slices carry; of two that are as common, the newer one. */
export function mostCommonStamp(slices: readonly StoredSlice[]): number | string {
  const stamps = Map.groupBy(slices, ({ facts }) => facts.stamp ?? "");
  const [[most] = [""]] = [...stamps].sort(([a, one], [b, two]) => two.length - one.length || (a < b ? 1 : -1));
  return most;
}

/** The batch in a word; nothing where a slice does not say which it is of. */
export const batchName = ({ facts: { stamp } }: StoredSlice) =>
  stamp === undefined ? null : String(stamp).replace("batch of ", "");

/** Slices of one table that are of another batch than most of it. */
export interface StaleBatch {
  table: string;
  batch: number;
  /** The batch of most slices, of which there are `of` in all batches. */
  most: number;
  of: number;
  slices: StoredSlice[];
}

/**
 * What is of another batch than the rest of its table. In a finished journal all of it has been asked again, and came back
 * as it was. Where only days are known, nothing is told.
 */
export function findStale(slices: readonly StoredSlice[]): StaleBatch[] {
  const stamped = slices.filter(({ facts }) => typeof facts.stamp === "number");
  return [...Map.groupBy(stamped, tableOf)].flatMap(([table, members]) => {
    const most = Number(mostCommonStamp(members));
    const odd = members.filter(({ facts }) => facts.stamp !== most);
    return [...Map.groupBy(odd, ({ facts }) => Number(facts.stamp))].map(
      ([batch, same]): StaleBatch => ({ table, batch, most, of: members.length, slices: same }),
    );
  });
}
