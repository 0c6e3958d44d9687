import { LANE_CODES, RANK_CODES } from "../../../api/enumerations.ts";
import { academyPairingsRecord } from "../numbers/academy-pairings.ts";
import type { MatchType } from "../numbers/pairings.ts";
import { ACADEMY_TREND_SOURCES, academyStatsRecord, trendRecord } from "../numbers/statistics.ts";
import { EMBLEM_IDS, roleRecord, TALENTS, talentRecord } from "../records/emblems.ts";
import { DETAILED_ITEMS, detailedItemRecord, itemRecord, LISTED_ITEMS } from "../records/equipment.ts";
import { buildsRecord, isPlayed, timelineRecord } from "../records/lanes.ts";
import { academyHeroRecord, catalogRecord, laneRecord } from "../records/lists.ts";
import { RANK_STEPS, rankStepRecord } from "../records/rank-steps.ts";
import { SPELL_IDS, spellRecord } from "../records/spells.ts";
import { VERSION_RECORDS } from "../records/versions.ts";
import { type Hero, heroName } from "../roster.ts";
import { type Data, type Endpoint, PAGING } from "./endpoints.ts";
import { applyOrder, filterByPosition, type Page, rosterOf, toPage } from "./paging.ts";
import type { Query } from "./query.ts";

export const ACADEMY_LISTS: readonly Endpoint<[]>[] = [
  {
    path: "/api/academy/meta/version",
    summary: "Game versions",
    parameters: [...PAGING, "order"],
    answer: (_, query) =>
      toPage(query.order === "desc" ? VERSION_RECORDS : VERSION_RECORDS.toReversed(), query, (v) => v),
  },
  {
    path: "/api/academy/heroes/catalog",
    summary: "Hero catalogue",
    parameters: PAGING,
    answer: ({ world }, query) =>
      toPage(rosterOf(world).toReversed(), query, (hero) => catalogRecord(hero, query.lang)),
  },
  {
    path: "/api/academy/roles",
    summary: "Roles and their emblems",
    parameters: [...PAGING, "ascending"],
    answer: (_, query) => toPage(applyOrder(EMBLEM_IDS, query.ascending), query, (id) => roleRecord(id, query.lang)),
  },
  {
    path: "/api/academy/equipment",
    summary: "Items",
    parameters: PAGING,
    answer: (_, query) => toPage(LISTED_ITEMS, query, (item) => itemRecord(item, query.lang)),
  },
  {
    path: "/api/academy/equipment/expanded",
    summary: "Items with details",
    parameters: PAGING,
    answer: (_, query) => toPage(DETAILED_ITEMS, query, (item) => detailedItemRecord(item, query.lang)),
  },
  {
    path: "/api/academy/spells",
    summary: "Battle spells",
    parameters: PAGING,
    answer: (_, query) => toPage(SPELL_IDS, query, (id) => spellRecord(id, query.lang)),
  },
  {
    path: "/api/academy/emblems",
    summary: "Talents",
    parameters: PAGING,
    answer: (_, query) => toPage([...TALENTS.keys()], query, (index) => talentRecord(index, query.lang)),
  },
  {
    path: "/api/academy/ranks",
    summary: "Ranks",
    parameters: PAGING,
    answer: (_, query) => toPage(RANK_STEPS, query, (step) => rankStepRecord(step, query.lang)),
  },
  {
    path: "/api/academy/heroes",
    summary: "Heroes of the academy",
    parameters: [...PAGING, "role", "lane", "ascending"],
    answer: ({ world }, query) =>
      toPage(applyOrder(filterByPosition(world, query), query.ascending), query, (hero) =>
        academyHeroRecord(hero, query.lang),
      ),
  },
];

const HERO = "/api/academy/heroes/{hero_identifier}";

function lanePage(query: Query, hero: Hero, record: (lane: number, rank: number) => unknown): Page {
  const [lane, rank] = [LANE_CODES.indexOf(query.one_lane), RANK_CODES.indexOf(query.rank)];
  return toPage(isPlayed(hero, lane, rank) ? [hero] : [], query, () => record(lane, rank));
}

function allPairingsPage(match: MatchType, { world, rates }: Data, query: Query, hero: Hero): Page {
  const rank = RANK_CODES.indexOf(query.rank);
  return toPage([hero], query, () => academyPairingsRecord(world, rates.over(rank, 1), hero, rank, match));
}

export const ACADEMY_HERO_ENDPOINTS: readonly Endpoint<[Hero]>[] = [
  {
    path: `${HERO}/stats`,
    summary: "Statistics and synergies of the academy",
    parameters: [...PAGING, "rank"],
    answer: ({ world, rates }, query, hero) => {
      const rank = RANK_CODES.indexOf(query.rank);
      const name = heroName(hero, query.lang);
      return toPage([hero], query, () => academyStatsRecord(world, rates.over(rank, 1), hero, name, rank));
    },
  },
  {
    path: `${HERO}/lane`,
    summary: "Lanes of a hero",
    parameters: PAGING,
    answer: (_, query, hero) => toPage([hero], query, () => laneRecord(hero, query.lang)),
  },
  {
    path: `${HERO}/win-rate/timeline`,
    summary: "Win rate by the length of the match",
    parameters: [...PAGING, "one_lane", "rank"],
    answer: ({ world }, query, hero) => lanePage(query, hero, (lane, rank) => timelineRecord(world, hero, lane, rank)),
  },
  {
    path: `${HERO}/builds`,
    summary: "Builds",
    parameters: [...PAGING, "one_lane", "rank"],
    answer: ({ world }, query, hero) =>
      lanePage(query, hero, (lane, rank) => buildsRecord(world, hero, lane, rank, query.lang)),
  },
  {
    path: `${HERO}/counters`,
    summary: "All opponents",
    parameters: [...PAGING, "rank"],
    answer: (data, query, hero) => allPairingsPage("0", data, query, hero),
  },
  {
    path: `${HERO}/teammates`,
    summary: "All team mates",
    parameters: [...PAGING, "rank"],
    answer: (data, query, hero) => allPairingsPage("1", data, query, hero),
  },
  {
    path: `${HERO}/trends`,
    summary: "Rates by day in the academy",
    parameters: [...PAGING, "trend_days", "rank"],
    answer: ({ world, rates }, query, hero) =>
      toPage([hero], query, () => {
        const [rank, length] = [RANK_CODES.indexOf(query.rank), Number(query.trend_days)];
        return trendRecord(world, rates, hero, rank, length, ACADEMY_TREND_SOURCES);
      }),
  },
];
