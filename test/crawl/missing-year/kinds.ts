import type { Slices } from "../../../src/extra/sample/service/slice.ts";
import type { Form } from "../../../src/extra/sample/troubles/forms.ts";
import type { Trouble } from "../../../src/extra/sample/troubles/troubles.ts";
import { trouble } from "../../helpers/missing-stories.ts";
import type { Random } from "../../helpers/random.ts";

/**
 * What follows for the slices that an event meets: `gone`, they give nothing as long as it lasts; `empty`, they have no records; `heals`, all
 * of them are answered in the end; `chance`, nobody can tell; `dies`, the upstream gives nothing after so many requests; `loss`: so many
 * heroes leave that nobody believes it.
 */
type Fate = "gone" | "empty" | "heals" | "chance" | "dies" | "loss" | "growth";

/** Something that happens, and for how many nights at most. */
export interface Event {
  name: string;
  fate: Fate;
  nights: number;
  troubles: readonly Trouble[];
  /** So many heroes more than before, or fewer. */
  heroes?: number;
  /** So many of the heroes are in the list of heroes only. */
  unresolved?: number;
}

/** Where it happens. */
type Where = readonly [datasets: string, part: Slices];

const HEROES = 8;
export const ENDPOINTS =
  "heroes,rank,relations,stats,trends,counters,compatibility,ratings,rating,versions,equipment,spells";
const OF_HEROES = ["relations", "stats", "trends", "counters", "compatibility"] as const;
const RANKS = ["epic", "glory"] as const;

const anyHero = (random: Random) => 1 + random.below(HEROES);

/** By the words of a row. */
const WHERE = {
  "an endpoint of heroes": (random) => [[random.pick(OF_HEROES), {}]],
  "two endpoints": () => [["relations,trends", {}]],
  "three small endpoints": () => [["versions,equipment,spells", {}]],
  "the votes": () => [["ratings,rating", {}]],
  "the list of votes": () => [["ratings", {}]],
  "one list": (random) => [[random.pick(["versions", "equipment", "spells"]), {}]],
  "half of the endpoints": () => [["relations,stats,trends,counters,compatibility,equipment", {}]],
  "all but the lists": () => [["relations,stats,trends,counters,compatibility,rank,rating", {}]],
  everything: () => [["", {}]],
  "the English list of heroes": () => [["heroes", { lang: "en" }]],
  "the other lists of heroes": () => [["heroes", { lang: ["ja", "km", "de"] }]],
  "one list of heroes": () => [["heroes", { lang: "ja" }]],
  "a language": (random) => [["", { lang: random.pick(["ja", "km", "de"]) }]],
  "a rank": (random) => [["", { rank: random.pick(RANKS) }]],
  "a window": () => [["", { days: "1" }]],
  "a rank of one endpoint": (random) => [[random.pick(["stats", "counters"]), { rank: random.pick(RANKS) }]],
  "a window of one endpoint": () => [["counters", { days: "1" }]],
  "a hero": (random) => [["", { hero: anyHero(random) }]],
  "two heroes": () => [["", { hero: [2, 7] }]],
  "a hero of one endpoint": (random) => [[random.pick(["counters", "stats"]), { hero: anyHero(random) }]],
  "one slice": (random) => [["counters", { hero: anyHero(random), rank: random.pick(RANKS), days: "7" }]],
  "another slice": (random) => [["relations", { hero: anyHero(random) }]],
  "two rank lists": () => [["rank", { rank: "glory" }]],
  "a third of an endpoint": () => [
    ["stats", { rank: "all", hero: [1, 2, 3] }],
    ["stats", { rank: "epic", hero: [3, 4, 5] }],
    ["stats", { rank: "glory", hero: [6, 7, 8] }],
  ],
  "all heroes of an endpoint but one": () => [["counters", { hero: [2, 3, 4, 5, 6, 7, 8, 9, 10] }]],
  "the lists of ranks": () => [["rank", {}]],
} as const satisfies Record<string, (random: Random) => readonly Where[]>;

/** Where, how, with what fate, for how many nights at most, and within which bounds. */
type Row = readonly [
  where: keyof typeof WHERE,
  form: Form,
  fate: Fate,
  nights: number,
  limits?: Pick<Trouble, "first" | "share" | "after" | "upTo">,
];

const ROWS: readonly Row[] = [
  ["an endpoint of heroes", "code", "gone", 4],
  ["an endpoint of heroes", "html-404", "gone", 3],
  ["an endpoint of heroes", "empty", "empty", 2],
  ["two endpoints", "text-code", "gone", 3],
  ["three small endpoints", "not-configured", "gone", 3],
  ["the votes", "code", "gone", 6],
  ["the votes", "changing-code", "gone", 3],
  ["the list of votes", "problem", "gone", 3],
  ["one list", "unavailable", "gone", 3],
  ["one list", "other-shape", "gone", 2],
  ["half of the endpoints", "detail", "gone", 2],
  ["all but the lists", "empty", "empty", 1],
  ["everything", "reset", "gone", 1],
  ["everything", "status 500", "gone", 2],
  ["everything", "html-404", "gone", 1],
  ["everything", "status 502", "chance", 2, { share: 0.3 }],
  ["everything", "status 403", "heals", 2, { share: 0.02 }],
  ["everything", "reset", "heals", 1, { first: 1, share: 0.2 }],
  ["everything", "status 502", "chance", 1, { after: 60, upTo: 100 }],
  ["everything", "reset", "dies", 1, { after: 60 }],
  ["everything", "status 403", "dies", 1, { after: 180 }],
  ["the English list of heroes", "status 500", "gone", 2],
  ["the other lists of heroes", "status 500", "gone", 2],
  ["one list of heroes", "other-shape", "gone", 2],
  ["a language", "status 422", "gone", 4],
  ["a rank", "detail", "gone", 4],
  ["a rank", "status 422", "gone", 3],
  ["a window", "status 400", "gone", 2],
  ["a rank of one endpoint", "status 500", "gone", 3],
  ["a rank of one endpoint", "empty", "empty", 2],
  ["a window of one endpoint", "status 501", "gone", 3],
  ["a hero", "status 404", "gone", 3],
  ["two heroes", "detail", "gone", 3],
  ["a hero of one endpoint", "renamed main_heroid", "gone", 3],
  ["a hero of one endpoint", "status 500", "gone", 3],
  ["one slice", "status 500", "gone", 6],
  ["one slice", "html-405", "gone", 1],
  ["one slice", "silence", "gone", 1],
  ["one slice", "empty", "empty", 2],
  ["another slice", "error-code", "gone", 3],
  ["another slice", "rate-limited", "gone", 1],
  ["two rank lists", "status 500", "gone", 2],
  ["a third of an endpoint", "status 500", "gone", 3],
  ["all heroes of an endpoint but one", "detail", "gone", 3],
  ["an endpoint of heroes", "status 503", "heals", 2, { first: 1 }],
  ["an endpoint of heroes", "status 404", "heals", 2, { first: 1 }],
  ["the lists of ranks", "size-refused 5", "gone", 2],
  ["the lists of ranks", "size-refused 50", "heals", 3],
  ["the lists of ranks", "size-cut 3", "heals", 3],
  ["the lists of ranks", "total +1", "heals", 3],
  ["everything", "wsrv", "heals", 2],
];

type Change = readonly [name: string, fate: Fate, nights: number, change: Pick<Event, "heroes" | "unresolved">];

const CHANGES: readonly Change[] = [
  ["a hero comes", "heals", 3, { heroes: 1 }],
  ["two heroes come whom the other routes do not know", "heals", 3, { heroes: 2, unresolved: 2 }],
  ["a hero leaves", "heals", 2, { heroes: -1 }],
  ["four heroes leave", "loss", 1, { heroes: -4 }],
  ["thirty heroes come at once", "growth", 1, { heroes: 30 }],
];

export const KINDS: readonly ((random: Random) => Event)[] = [
  ...ROWS.map(
    ([where, form, fate, nights, limits = {}]) =>
      (random: Random): Event => ({
        name: `${where}: ${form}${Object.entries(limits)
          .map(([name, value]) => ` ${name} ${value}`)
          .join("")}`,
        fate,
        nights: 1 + random.below(nights),
        troubles: WHERE[where](random).map(([datasets, part]) => trouble(datasets, form, part, limits)),
      }),
  ),
  ...CHANGES.map(
    ([name, fate, nights, change]) =>
      (random: Random): Event => ({
        name,
        fate,
        nights: 1 + random.below(nights),
        troubles: [],
        ...change,
      }),
  ),
];

/** Modes of a crawl, with their words. */
export const MODES = {
  plain: [],
  reuse: ["--reuse"],
  budget: ["--budget", "170"],
  nothing: ["--max-missing", "0"],
  anything: ["--max-missing", "100"],
  without: ["--without", "spells"],
  fresh: ["--fresh"],
} as const;

export type Mode = keyof typeof MODES;
