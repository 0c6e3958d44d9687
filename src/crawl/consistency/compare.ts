import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { tableOf } from "../../journal/stale.ts";

/** Something that does not fit together, and the part of it to ask again; none when that would be of no use. */
export interface Disagreement {
  /** Tells one from another over rounds. */
  key: string;
  what: string;
  older: number[];
  /** Two batches in one table must never be published; what an upstream never makes agree is reported. */
  fatal: boolean;
}

const rankAndDays = ({ slice: { lane, rank, days } }: StoredSlice) =>
  `rank=${rank}${days ? ` days=${days}` : ""}${lane ? ` lane=${lane}` : ""}`;

/**
 * Rank lists, which carry no stamp, against the same rates in the heroes' own answers. What was answered before the list
 * is older; where everything came after it, the list is.
 */
export function compareRates(slices: readonly StoredSlice[], answeredAt: Journal["answeredAt"]): Disagreement[] {
  const rated = slices.filter(({ facts }) => facts.rates);
  const lists = new Map(rated.filter(({ slice }) => slice.hero === undefined).map((list) => [rankAndDays(list), list]));
  const own = Map.groupBy(
    rated.filter(({ slice }) => slice.hero !== undefined),
    tableOf,
  );
  return [...own].flatMap(([table, members]) => {
    const list = members[0] && lists.get(rankAndDays(members[0]));
    if (!list) return [];
    const listed = new Map(list.facts.rates?.map(({ hero, rates }) => [hero, rates.join()]));
    const others = members.filter(({ slice, facts }) => {
      const [rates] = facts.rates ?? [];
      const known = listed.get(slice.hero ?? 0);
      return rates && known !== undefined && !rates.rates.includes(null) && rates.rates.join() !== known;
    });
    if (others.length === 0) return [];
    const before = others.filter(({ id }) => answeredAt(id) < answeredAt(list.id)).map(({ id }) => id);
    const what = `${table}: ${others.length} heroes with other rates than in the rank list`;
    return [{ key: `${table} rates`, what, older: before.length > 0 ? before : [list.id], fatal: false }];
  });
}
