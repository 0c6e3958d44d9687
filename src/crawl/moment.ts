import type { Journal, StoredSlice } from "../journal/journal.ts";

/** Something that does not fit together, and the part of it to ask again. */
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
const tableOf = (stored: StoredSlice) => `${stored.slice.dataset} ${rankAndDays(stored)} lang=${stored.slice.lang}`;
const batchOf = ({ slice, facts }: StoredSlice) => `${slice.rank} ${facts.stamp}`;

/**
 * Tables seen under two stamps. What carries a stamp that is known to be outdated in its rank is older too, in whatever
 * table; those stamps are added to `outdated`, so that later rounds know them.
 */
export function compareStamps(slices: readonly StoredSlice[], outdated: Set<string>): Disagreement[] {
  const stamped = slices.filter(({ facts }) => facts.stamp !== undefined);
  const tables = Map.groupBy(stamped, tableOf);
  const newest = new Map([...tables].map(([table, members]) => [table, newestStamp(members)]));
  for (const stored of stamped) if (stored.facts.stamp !== newest.get(tableOf(stored))) outdated.add(batchOf(stored));
  return [...tables].flatMap(([table, members]) => {
    const older = members.filter((stored) => outdated.has(batchOf(stored))).map(({ id }) => id);
    if (older.length === 0) return [];
    const stamps = [...new Set(members.map(({ facts }) => facts.stamp ?? ""))].sort();
    const fatal = stamps.length > 1 && stamps.every((stamp) => typeof stamp === "number");
    return [{ key: table, what: `${table}: stamps ${stamps.join(", ")}`, older, fatal }];
  });
}

function newestStamp(members: readonly StoredSlice[]) {
  return members.map(({ facts }) => facts.stamp ?? "").reduce((a, b) => (b > a ? b : a));
}

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
