import type { Refusal } from "./refusals.ts";
import type { Knobs } from "./upstream.ts";

/** What an upstream refuses from a night on, until it does no longer. */
interface Season {
  from: number;
  until?: number;
  refusals: Refusal[];
}

export type Mode = "plain" | "reuse" | "budget";

const LAST_NIGHT = 30;
/** The nights in the middle of which the addresses of pictures change their form. */
export const [FLIP, FLIP_BACK] = [9, 12];
export const OUTAGE = 25;
/** The nights that an endpoint costs which answers with a page. */
export const PAGE_NIGHTS = [19, 20];

/** Of the 26 endpoints that are open then. */
const MOST: string[] = [
  ...["rank", "positions", "hero", "stats", "skill-combos", "trends", "relations", "counters", "compatibility"],
  ...["versions", "catalog", "roles", "equipment", "equipment-expanded", "spells", "ranks"],
];

const SEASONS: readonly Season[] = [
  { from: 5, until: 22, refusals: [{ match: { dataset: ["ratings", "rating"] }, form: "code" }] },
  { from: 18, refusals: [{ match: { dataset: "teammates" }, form: "detail" }] },
  { from: 19, refusals: [{ match: { dataset: "emblems" }, form: "html-404" }] },
  { from: 20, refusals: [{ match: { lang: "km" }, form: 422 }] },
  { from: OUTAGE, until: OUTAGE + 1, refusals: [{ match: { dataset: MOST }, form: 403 }] },
  { from: 27, refusals: [{ match: { rank: "glory" }, form: 422 }] },
];

/** The upstream as it is when a night begins. */
export function knobsOf(night: number): Pick<Knobs, "refusals" | "heroes" | "unresolved" | "pictures"> {
  const isNow = ({ from, until = LAST_NIGHT + 1 }: Season) => from <= night && night < until;
  return {
    refusals: SEASONS.filter(isNow).flatMap(({ refusals }) => refusals),
    heroes: night < 15 ? 8 : 9,
    unresolved: night === 15 ? [9] : [],
    pictures: night > FLIP && night <= FLIP_BACK ? "wsrv" : "plain",
  };
}

/** The exit codes of the nights that do not end with 0. */
export function codeOf(night: number, mode: Mode): number {
  if (night === OUTAGE) return 3;
  // Where everything is asked, an endpoint without an answer is missing; the others carry it over.
  if (PAGE_NIGHTS.includes(night) && mode === "plain") return 5;
  return [5, 15, 18, 20, 21, 27].includes(night) ? 7 : 0;
}

/** The nights in which something happens, with one behind each. */
export const EVENTFUL = [1, 2, 5, 6, 9, 10, 12, 13, 15, 16, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28];

/** Parts of them: what has begun in between begins in a night that ends with 7 anyway. */
export const ARCS = [
  [1, 5, 6, 9, 12, 13],
  [1, 2, 15, 16, 18],
  [1, 18, 19, 20, 21, 22, 25, 26, 27],
];
