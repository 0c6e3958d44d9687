import type { StoredSlice } from "../journal/journal.ts";
import type { Run } from "./capture.ts";

/** A table of one rank and window, in two states. */
export interface Disagreement {
  what: string;
  /** The part to ask again. */
  older: number[];
  /** Two batches in one table must never be published; what the upstream never makes agree is only reported. */
  fatal: boolean;
}

const tableOf = ({ slice }: StoredSlice) =>
  [slice.dataset, slice.rank && `rank=${slice.rank}`, slice.days && `days=${slice.days}`, `lang=${slice.lang}`]
    .filter(Boolean)
    .join(" ");

/** Tables that show two moments: two stamps in one batch, or other rates in the rank list than in the heroes' own answers. */
export function findDisagreements(journal: Run["journal"]): Disagreement[] {
  const slices = journal.slices().filter(({ state }) => state === "captured");
  const stamps = compareStamps(slices);
  // Rates are compared only where the stamps agree: the older part has the older rates anyway.
  return stamps.length > 0 ? stamps : compareRates(slices, journal);
}

function compareStamps(slices: readonly StoredSlice[]): Disagreement[] {
  const stamped = slices.filter(({ facts }) => facts.stamp !== undefined);
  return [...Map.groupBy(stamped, tableOf)].flatMap(([table, members]) => {
    const stamps = [...new Set(members.map(({ facts }) => facts.stamp ?? 0))].sort((a, b) => (a < b ? -1 : 1));
    if (stamps.length < 2) return [];
    const older = members.filter(({ facts }) => facts.stamp !== stamps.at(-1)).map(({ id }) => id);
    return [{ what: `${table}: stamps ${stamps.join(", ")}`, older, fatal: typeof stamps[0] === "number" }];
  });
}

function compareRates(slices: readonly StoredSlice[], journal: Run["journal"]): Disagreement[] {
  const rated = slices.filter(({ facts }) => facts.rates);
  const byTable = Map.groupBy(rated, ({ slice }) => `rank=${slice.rank} days=${slice.days}`);
  return [...byTable].flatMap(([table, members]) => {
    const lists = members.filter(({ slice }) => slice.hero === undefined);
    return lists.flatMap((list) => {
      const listed = new Map(list.facts.rates?.map(({ hero, rates }) => [hero, rates.join()]));
      const others = members.filter(({ slice, facts }) => {
        const own = facts.rates?.[0];
        const known = listed.get(slice.hero ?? 0);
        return own !== undefined && known !== undefined && !own.rates.includes(undefined) && own.rates.join() !== known;
      });
      if (others.length === 0) return [];
      const listTime = journal.answeredAt(list.id);
      const before = others.filter(({ id }) => journal.answeredAt(id) < listTime).map(({ id }) => id);
      const heroes = new Set(others.map(({ slice }) => slice.hero)).size;
      const what = `${table}: other rates of ${heroes} heroes in the rank list than in their own answers`;
      return [{ what, older: before.length > 0 ? before : [list.id], fatal: false }];
    });
  });
}
