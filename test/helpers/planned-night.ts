import type { Slice } from "../../src/api/endpoint.ts";
import type { Lang } from "../../src/api/enumerations.ts";
import { FULL_SELECTION, type Selection } from "../../src/api/selection.ts";
import { planSlices } from "../../src/crawl/plan.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open.ts";

/** Slices by what they have in common: `stats hero=3`, `rank=glory`. */
export type Where = string;

export const STARTED_AT = "2026-07-26T04:00:00.000Z";

/** All slices of a night of this selection. */
export function planNightOf(endpoints: string, heroes: number, languages: readonly Lang[] = ["en", "ja", "km", "de"]) {
  const selection: Selection = {
    ...FULL_SELECTION,
    endpoints: endpoints.split(","),
    languages: [...languages],
    ranks: ["all", "glory"],
    days: ["1", "7"],
  };
  const ids = Array.from({ length: heroes }, (_, n) => n + 1);
  return { selection, slices: planSlices(selection, { heroes: ids, subjects: new Map() }) };
}

/** True if a slice is one of those. */
function isWhere(where: Where, slice: Slice): boolean {
  return where.split(" ").every((word) => {
    const [name = "", values] = word.split("=");
    if (values === undefined) return slice.dataset === name;
    return values.split(",").includes(String(slice[name as keyof Slice]));
  });
}

export const selectWhere = <T extends Slice>(slices: readonly T[], wheres: readonly Where[]): T[] =>
  slices.filter((slice) => wheres.some((where) => isWhere(where, slice)));

/** An unfinished journal in memory that holds the plan, and no answer. */
export function openPlanned({ selection, slices }: ReturnType<typeof planNightOf>): Journal {
  const journal = openJournal(":memory:", {
    upstreams: ["http://127.0.0.1:9"],
    selection,
    started_at: STARTED_AT,
    began_at: STARTED_AT,
    finished_at: null,
    policy: "all",
  });
  journal.plan(slices.map((slice) => ({ slice, purpose: "answer" })));
  return journal;
}
