import type { Moments } from "../asked.ts";
import type { Pair } from "../pair.ts";
import type { Cell } from "../shared-tables.ts";

/** The moments between which a number may have moved. They are undefined if one run asked for all of each snapshot. */
export interface Timing {
  moments: Moments | undefined;
}

/**
 * Makes the lookup of the timing of a table's rows, each of a single slice; it is undefined if both snapshots have it from the same crawl,
 * or one not at all.
 */
export function createTiming(
  { origins, tables }: Pair,
  name: string,
): (row: Readonly<Record<string, Cell>>) => Timing | undefined {
  const table = tables.find((shared) => shared.name === name);
  if (!origins || !table) return () => ({ moments: undefined });
  return (row) => {
    const moments = origins.comparedAt(table, row);
    return moments && { moments };
  };
}
