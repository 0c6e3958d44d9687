import { DAY_WINDOWS, LANE_CODES, LANG_CODES, RANK_CODES, TREND_WINDOWS } from "../../../src/api/enumerations.ts";
import {
  buildRecords,
  detailedItemRecords,
  itemRecords,
  rankStepRecords,
  roleRecords,
  spellRecords,
  talentRecords,
  timelineRecords,
  versionRecords,
} from "./academy.ts";
import { upTo } from "./draws.ts";
import { type Asked, type Game, knownHeroes, type Slice } from "./game.ts";
import {
  academyHeroRecord,
  catalogRecord,
  comboRecords,
  detailRecord,
  laneOfHeroRecord,
  listRecord,
  positionRecord,
  relationRecord,
} from "./heroes.ts";
import { academyStatsRecord, matrixRecord, pairingRecord, rankRecords, trendRecord } from "./statistics.ts";
import { ratingList, ratingOf } from "./votes.ts";

/** A query parameter that selects data. Without a default it must be given. */
export interface Choice {
  /** Its name in the query. */
  name: string;
  as: "rank" | "days" | "lane" | "lang";
  values: readonly string[];
  fallback?: string;
}

export interface Route {
  dataset: string;
  path: string;
  choices: readonly Choice[];
  /** All records of an answer; `paged` ones come in pages. Undefined: there is no such thing. */
  records: (game: Game, asked: Asked, hero: number) => object[] | undefined;
  paged: boolean;
}

const LANG: Choice = { name: "lang", as: "lang", values: LANG_CODES, fallback: "en" };
const RANK: Choice = { name: "rank", as: "rank", values: RANK_CODES, fallback: "all" };
const DAYS: Choice = { name: "days", as: "days", values: DAY_WINDOWS, fallback: "1" };
const LANE: Choice = { name: "lane", as: "lane", values: LANE_CODES };
const trendOver = (name: string): Choice => ({ name, as: "days", values: TREND_WINDOWS, fallback: "7" });

const newestFirst = (ids: readonly number[]) => ids.toReversed();

function route(dataset: string, path: string, choices: readonly Choice[], records: Route["records"]): Route {
  return { dataset, path: `/api/${path}`, choices: [...choices, LANG], records, paged: true };
}
const unpaged = (made: Route): Route => ({ ...made, paged: false });
const one = (record: object | undefined) => record && [record];

const HERO = "{hero_identifier}";

/** All that is asked of the service. Those without a hero or a subject in their path come first. */
export const ROUTES: readonly Route[] = [
  route("heroes", "heroes", [], (game, { lang }) =>
    newestFirst(upTo(game.heroes)).map((id) => listRecord(game, id, lang)),
  ),
  route("rank", "heroes/rank", [DAYS, RANK], rankRecords),
  route("positions", "heroes/positions", [], (game, { lang }) =>
    newestFirst(knownHeroes(game)).map((id) => positionRecord(game, id, lang)),
  ),
  route("versions", "academy/meta/version", [], versionRecords),
  route("catalog", "academy/heroes/catalog", [], (game, { lang }) =>
    newestFirst(knownHeroes(game)).map((id) => catalogRecord(id, lang)),
  ),
  route("roles", "academy/roles", [], roleRecords),
  route("equipment", "academy/equipment", [], itemRecords),
  route("equipment-expanded", "academy/equipment/expanded", [], detailedItemRecords),
  route("spells", "academy/spells", [], spellRecords),
  route("emblems", "academy/emblems", [], talentRecords),
  route("ranks", "academy/ranks", [], rankStepRecords),
  route("academy-heroes", "academy/heroes", [], (game, { lang }) =>
    knownHeroes(game).map((id) => academyHeroRecord(id, lang)),
  ),
  unpaged(route("ratings", "academy/heroes/ratings", [], (game, asked) => [ratingList(game, asked)])),
  unpaged(route("rating", "academy/heroes/ratings/{subject}", [], (game, asked) => one(ratingOf(game, asked)))),
  route("hero", `heroes/${HERO}`, [], (game, { lang }, id) => [detailRecord(game, id, lang)]),
  route("stats", `heroes/${HERO}/stats`, [RANK], (game, asked, id) => [pairingRecord(game, asked, id, "beside")]),
  route("skill-combos", `heroes/${HERO}/skill-combos`, [], (_, { lang }, id) => comboRecords(id, lang)),
  route("trends", `heroes/${HERO}/trends`, [RANK, trendOver("past-days")], (game, asked, id) => [
    trendRecord(game, asked, id),
  ]),
  route("relations", `heroes/${HERO}/relations`, [], (game, { lang }, id) => [relationRecord(game, id, lang)]),
  route("counters", `heroes/${HERO}/counters`, [DAYS, RANK], (game, asked, id) => [
    pairingRecord(game, asked, id, "against"),
  ]),
  route("compatibility", `heroes/${HERO}/compatibility`, [DAYS, RANK], (game, asked, id) => [
    pairingRecord(game, asked, id, "beside"),
  ]),
  route("academy-stats", `academy/heroes/${HERO}/stats`, [RANK], (game, asked, id) => [
    academyStatsRecord(game, asked, id),
  ]),
  route("lane", `academy/heroes/${HERO}/lane`, [], (_, { lang }, id) => [laneOfHeroRecord(id, lang)]),
  route("timeline", `academy/heroes/${HERO}/win-rate/timeline`, [LANE, RANK], timelineRecords),
  route("builds", `academy/heroes/${HERO}/builds`, [LANE, RANK], buildRecords),
  route("academy-counters", `academy/heroes/${HERO}/counters`, [RANK], (game, asked, id) => [
    matrixRecord(game, asked, id, "against"),
  ]),
  route("teammates", `academy/heroes/${HERO}/teammates`, [RANK], (game, asked, id) => [
    matrixRecord(game, asked, id, "beside"),
  ]),
  route("academy-trends", `academy/heroes/${HERO}/trends`, [trendOver("days"), RANK], (game, asked, id) => [
    trendRecord(game, asked, id),
  ]),
];

const patterns = ROUTES.map((route) => {
  const path = route.path.replace(HERO, "(?<hero>\\d+)").replace("{subject}", "(?<subject>[^/]+)");
  return { route, pattern: new RegExp(`^${path}$`) };
});

export interface Question {
  route: Route;
  slice: Slice;
  size: number;
  index: number;
}

/** What a path with its query asks for, or why it does not. */
export function parse(target: string): Question | "unknown path" | "invalid value" {
  const { pathname, searchParams } = new URL(target, "http://upstream");
  const found = patterns.find(({ pattern }) => pattern.test(pathname));
  if (!found) return "unknown path";
  const { hero, subject } = found.pattern.exec(pathname)?.groups ?? {};
  const values: Record<string, string> = {};
  for (const { name, as, values: allowed, fallback } of found.route.choices) {
    const value = searchParams.get(name) ?? fallback;
    if (value === undefined || !allowed.includes(value)) return "invalid value";
    values[as] = value;
  }
  const named = { ...(hero && { hero: Number(hero) }), ...(subject && { subject }) };
  const [size = 20, index = 1] = ["size", "index"].map((name) => Number(searchParams.get(name)) || undefined);
  return { route: found.route, slice: { dataset: found.route.dataset, ...named, ...values } as Slice, size, index };
}

/** All records of a slice, on all pages. Undefined: there is no such hero or subject. */
export function recordsOf({ route, slice }: Pick<Question, "route" | "slice">, game: Game): object[] | undefined {
  const { hero = 0 } = slice;
  if (route.path.includes(HERO) && !knownHeroes(game).includes(hero)) return undefined;
  return route.records(game, { rank: "all", days: "1", ...slice }, hero);
}
