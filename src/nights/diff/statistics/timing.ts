import type { Moments } from "../asked.ts";
import type { Pair } from "../pair.ts";
import type { Cell } from "../shared-tables.ts";
import { countNightsApart, countNightsBetween } from "./window-cause.ts";

/** Over how many nights a number may have moved, one at least; where one snapshot is rolling, also between which moments. */
export interface Timing {
  nights: number;
  moments: Moments | undefined;
}

/** For rows of a table, each of a single slice; undefined where both snapshots have it from the same crawl, or one not at all. */
export function createTiming(pair: Pair, name: string): (row: Readonly<Record<string, Cell>>) => Timing | undefined {
  const { origins, tables } = pair;
  const table = tables.find((shared) => shared.name === name);
  const all: Timing = { nights: Math.max(1, countNightsApart(pair)), moments: undefined };
  if (!origins || !table) return () => all;
  return (row) => {
    const moments = origins.comparedAt(table, row);
    if (!moments) return undefined;
    return { nights: Math.max(1, countNightsBetween(moments.changed_after, moments.changed_before)), moments };
  };
}
