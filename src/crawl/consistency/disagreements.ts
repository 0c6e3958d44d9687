import { truncate } from "../../base/words.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/stale.ts";

/** Something that does not fit together. */
export interface Disagreement {
  /** Tells one from another over rounds. */
  key: string;
  what: string;
  /** The older part of it, to be asked again; none when that would be of no use. */
  staleIds: number[];
  /** Two batches in one slice group must never be published; what an upstream never makes agree is reported. */
  fatal: boolean;
}

const rankAndDays = ({ slice: { lane, rank, days } }: StoredSlice) =>
  `rank=${rank}${days ? ` days=${days}` : ""}${lane ? ` lane=${lane}` : ""}`;

/**
 * Rank lists, which carry no stamp, against the same rates in the heroes' own answers. What was answered before the list
 * is older; if everything came after it, the list is.
 */
export function compareRankLists(slices: readonly StoredSlice[], answeredAt: Journal["answeredAt"]): Disagreement[] {
  const rated = slices.filter(({ facts }) => facts.rates);
  const lists = new Map(rated.filter(({ slice }) => slice.hero === undefined).map((list) => [rankAndDays(list), list]));
  const byGroup = Map.groupBy(
    rated.filter(({ slice }) => slice.hero !== undefined),
    sliceGroup,
  );
  return [...byGroup].flatMap(([group, members]) => {
    const list = members[0] && lists.get(rankAndDays(members[0]));
    if (!list) return [];
    const listed = new Map(list.facts.rates?.map(({ hero, rates }) => [hero, rates.join()]));
    const others = members.filter(({ slice, facts }) => {
      const [rates] = facts.rates ?? [];
      const listedRates = listed.get(slice.hero ?? 0);
      return rates && listedRates !== undefined && !rates.rates.includes(null) && rates.rates.join() !== listedRates;
    });
    if (others.length === 0) return [];
    const before = others.filter(({ id }) => answeredAt(id) < answeredAt(list.id)).map(({ id }) => id);
    const what = `${group}: ${others.length} heroes with other rates than in the rank list`;
    return [{ key: `${group} rates`, what, staleIds: before.length > 0 ? before : [list.id], fatal: false }];
  });
}

/** Slices without the marks that nearly all of their endpoint carry: a field left out, or the answer of another endpoint. */
export function findOutliers(slices: readonly StoredSlice[]): Disagreement[] {
  const byDataset = Map.groupBy(
    slices.filter(({ facts }) => facts.face !== undefined),
    ({ slice }) => slice.dataset,
  );
  return [...byDataset].flatMap(([dataset, members]) => {
    const signatures = [...Map.groupBy(members, ({ facts }) => facts.face ?? "")].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    return signatures.slice(1).map(([signature, odd]) => ({
      key: `${dataset} ${signature}`,
      what: `${dataset}: ${odd.length} slices with ${signature}, unlike the others`,
      staleIds: odd.map(({ id }) => id),
      fatal: false,
    }));
  });
}

/** Lists with heroes who are not in the roster. */
export function findUnknownHeroes(slices: readonly StoredSlice[], roster: readonly number[]): Disagreement[] {
  const inRoster = new Set(roster);
  return slices.flatMap(({ id, slice, facts }) => {
    const unknown = (facts.keys ?? []).filter((hero) => !inRoster.has(hero));
    if (unknown.length === 0) return [];
    const list = [slice.dataset, slice.rank, slice.days, slice.lang].filter(Boolean).join(" ");
    return [
      {
        key: `${list} unknown heroes`,
        what: truncate(`${list}: ${unknown.length} heroes are not in the roster: ${unknown.join(", ")}`),
        staleIds: [id],
        fatal: false,
      },
    ];
  });
}
