import { DAY_WINDOWS, RANK_CODES } from "../../../api/enumerations.ts";
import type { World } from "../numbers/calendar.ts";
import type { MatchType } from "../numbers/pairings.ts";
import type { RateKind, RateSource } from "../numbers/rates.ts";
import { pairingsRecord, rankRecord, trendRecord } from "../numbers/statistics.ts";
import { comboNumbers, comboRecord } from "../records/combos.ts";
import { detailRecord } from "../records/detail.ts";
import { listRecord, positionRecord, relationRecord } from "../records/lists.ts";
import { type Hero, heroName } from "../roster.ts";
import { applyOrder, filterByPosition, type Page, rosterOf, toPage } from "./paging.ts";
import type { ParameterName, Query } from "./query.ts";

export interface Data {
  world: World;
  /** The world with the heroes who are in the list of heroes only. */
  listed: World;
  rates: RateSource;
}

/** `Asked` is `[Hero]` if the path names a hero, otherwise `[]`. */
type AnswerPage<Asked extends unknown[]> = (data: Data, query: Query, ...asked: Asked) => Page;

export interface Endpoint<Asked extends unknown[]> {
  path: string;
  summary: string;
  parameters: readonly ParameterName[];
  answer: AnswerPage<Asked>;
}

export const PAGING = ["size", "index", "lang"] as const;
const RATE_OF: Readonly<Record<Query["sort_field"], RateKind>> = {
  pick_rate: "appearance",
  ban_rate: "ban",
  win_rate: "win",
};

function rankPage({ world, rates }: Data, query: Query): Page {
  const { rank, days, sort_field, sort_order } = query;
  const [rankIndex, window] = [RANK_CODES.indexOf(rank), DAY_WINDOWS.indexOf(days)];
  const batch = rates.over(rankIndex, Number(days));
  const column = batch[RATE_OF[sort_field]];
  const sign = sort_order === "asc" ? 1 : -1;
  // The sort is stable and the roster in order of ids: ties stay ascending either way.
  const heroes = rosterOf(world).toSorted((a, b) => sign * ((column[a.id] ?? 0) - (column[b.id] ?? 0)));
  return toPage(heroes, query, (hero) => rankRecord(world, batch, hero, heroName(hero, query.lang), rankIndex, window));
}

function pairingsPage(match: MatchType, { world, rates }: Data, query: Query, hero: Hero): Page {
  const [rank, window] = [RANK_CODES.indexOf(query.rank), DAY_WINDOWS.indexOf(query.days)];
  const batch = rates.over(rank, Number(query.days));
  const name = heroName(hero, query.lang);
  return toPage([hero], query, () => pairingsRecord(world, batch, hero, name, { rank, window, match }));
}

export const LIST_ENDPOINTS: readonly Endpoint<[]>[] = [
  {
    path: "/api/heroes",
    summary: "Heroes",
    parameters: [...PAGING, "order"],
    answer: ({ world, listed }, query) =>
      toPage(applyOrder(rosterOf(listed), query.order), query, (hero) => listRecord(hero, query.lang, world.heroes)),
  },
  {
    path: "/api/heroes/rank",
    summary: "Win, ban and pick rates",
    parameters: [...PAGING, "days", "rank", "sort_field", "sort_order"],
    answer: rankPage,
  },
  {
    path: "/api/heroes/positions",
    summary: "Heroes by role and lane",
    parameters: [...PAGING, "role", "lane", "order"],
    answer: ({ world }, query) =>
      toPage(applyOrder(filterByPosition(world, query), query.order), query, (hero) =>
        positionRecord(hero, query.lang, world.heroes),
      ),
  },
];

const HERO = "/api/heroes/{hero_identifier}";

export const HERO_ENDPOINTS: readonly Endpoint<[Hero]>[] = [
  {
    path: HERO,
    summary: "One hero",
    parameters: PAGING,
    answer: ({ world }, query, hero) => toPage([hero], query, () => detailRecord(hero, query.lang, world.heroes)),
  },
  {
    path: `${HERO}/stats`,
    summary: "Statistics and synergies",
    parameters: [...PAGING, "rank"],
    // The same batch as compatibility over one day, the default of `days`, which this endpoint does not take.
    answer: (data, query, hero) => pairingsPage("1", data, query, hero),
  },
  {
    path: `${HERO}/skill-combos`,
    summary: "Skill combos",
    parameters: PAGING,
    answer: (_, query, hero) => toPage(comboNumbers(hero), query, (number) => comboRecord(hero, query.lang, number)),
  },
  {
    path: `${HERO}/trends`,
    summary: "Rates by day",
    parameters: [...PAGING, "rank", "past-days"],
    answer: ({ world, rates }, query, hero) =>
      toPage([hero], query, () =>
        trendRecord(world, rates, hero, RANK_CODES.indexOf(query.rank), Number(query["past-days"])),
      ),
  },
  {
    path: `${HERO}/relations`,
    summary: "Allies and opponents",
    parameters: PAGING,
    answer: ({ world }, query, hero) => toPage([hero], query, () => relationRecord(hero, query.lang, world.heroes)),
  },
  {
    path: `${HERO}/counters`,
    summary: "Best and worst opponents",
    parameters: [...PAGING, "days", "rank"],
    answer: (data, query, hero) => pairingsPage("0", data, query, hero),
  },
  {
    path: `${HERO}/compatibility`,
    summary: "Best and worst team mates",
    parameters: [...PAGING, "days", "rank"],
    answer: (data, query, hero) => pairingsPage("1", data, query, hero),
  },
];
