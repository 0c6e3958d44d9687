import { truncate } from "../../base/words.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/slice-group.ts";
import { batchOf, findMixed } from "./batches/batches.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Compares rank lists, which carry no stamp, with the same rates in the heroes' own answers, in the same language. The list is asked again,
 * and one hero: if he comes back as another, so do the rest.
 */
export const rankLists: DoubtCheck = {
  name: "rank-lists",
  looks: 2,
  probes: 1,
  ifItStays: "accept",
  isOfTables: true,
  find({ answered }) {
    const rated = withoutOtherBatches(answered).filter(({ facts }) => facts.rates);
    const lists = new Map(rated.filter(isList).map((list) => [tableOf(list), list]));
    const byGroup = Map.groupBy(
      rated.filter((stored) => !isList(stored)),
      sliceGroup,
    );
    return [...byGroup].flatMap(([group, members]) => {
      const list = members[0] && lists.get(tableOf(members[0]));
      if (!list) return [];
      const listed = new Map(list.facts.rates?.map(({ hero, rates }) => [hero, rates.join()]));
      const others = members.filter((stored) => {
        const [own, there] = [ratesOf(stored), listed.get(stored.slice.hero ?? 0)];
        return own !== undefined && there !== undefined && own !== there;
      });
      if (others.length === 0) return [];
      // By heroes and not by rates, which are others each night: the doubt of the base is then the same doubt.
      const seen = truncate(others.map(({ slice }) => slice.hero).join(", "));
      const why = truncate(`${group}: ${others.length} heroes with other rates than in the rank list`);
      const heroes = others.map((stored) => ({ stored, seen: String(stored.slice.hero) }));
      return [{ name: group, why, suspects: [{ stored: list, seen }, ...heroes] }];
    });
  },
};

const isList = ({ slice }: StoredSlice) => slice.hero === undefined;

const tableOf = ({ slice: { lang, lane, rank, days } }: StoredSlice) => [lang, rank, days, lane].join();

/** Returns the rates; undefined if the upstream gives none. */
function ratesOf({ facts }: StoredSlice): string | undefined {
  const [own] = facts.rates ?? [];
  return own && !own.rates.includes(null) ? own.rates.join() : undefined;
}

/** Rates of a batch that is known to be another one say nothing. */
function withoutOtherBatches(answered: readonly StoredSlice[]): StoredSlice[] {
  const apart = new Set(
    findMixed(answered).flatMap(({ most, members }) => members.filter((stored) => batchOf(stored) !== most)),
  );
  return answered.filter((stored) => !apart.has(stored));
}
