import type { Endpoint } from "../endpoint.ts";
import { INDEX, LANG, ONE_LANE, RANK, SIZE, TREND_DAYS } from "../request/parameters.ts";
import { HERO_IDENTIFIER } from "../request/path-parameter.ts";
import { BUILD_EMBLEM, BUILD_SPELL, LANE_OF_HERO, NESTED_MAIN_HERO, STATISTIC } from "./references.ts";

const PAGE = [SIZE, INDEX];
const MATRIX = { hero: "data.main_heroid", bigrank: "data.big_rank", match_type: "data.camp_type" };
const PLAYED = { hero: "data.heroid", road: "data.real_road", bigrank: "data.big_rank" };
// Nobody has seen here whether all of a batch carry the same stamp.
const DAY = { at: "_updatedAt", as: "day" } as const;
const PATH = "/api/academy/heroes/{hero_identifier}";

export const academyHeroEndpoints = [
  {
    dataset: "academy-stats",
    path: `${PATH}/stats`,
    summary: "A hero's rates with the best and worst team mates, from the academy",
    identifier: HERO_IDENTIFIER,
    parameters: [RANK, ...PAGE, LANG],
    text: [NESTED_MAIN_HERO],
    record: "academyStatsRecord",
    key: ["id", "data.main_heroid"],
    identity: STATISTIC,
    stamp: { at: "_updatedAt", as: "batch" },
  },
  {
    dataset: "lane",
    path: `${PATH}/lane`,
    summary: "The lanes of a hero",
    identifier: HERO_IDENTIFIER,
    parameters: [...PAGE, LANG],
    text: [LANE_OF_HERO],
    record: "heroLaneRecord",
    key: ["data.hero_id"],
    identity: { hero: "data.hero_id" },
  },
  {
    dataset: "timeline",
    path: `${PATH}/win-rate/timeline`,
    summary: "A hero's win rate on a lane by the length of the match",
    identifier: HERO_IDENTIFIER,
    parameters: [ONE_LANE, RANK, ...PAGE, LANG],
    text: "none",
    record: "timelineRecord",
    key: ["id", "data.heroid"],
    identity: PLAYED,
    stamp: DAY,
  },
  {
    dataset: "builds",
    path: `${PATH}/builds`,
    summary: "A hero's builds on a lane: items, emblem, talents and spell, with their rates",
    identifier: HERO_IDENTIFIER,
    parameters: [ONE_LANE, RANK, ...PAGE, LANG],
    text: [BUILD_SPELL, BUILD_EMBLEM],
    record: "buildsRecord",
    key: ["id", "data.heroid"],
    identity: PLAYED,
    stamp: DAY,
  },
  {
    dataset: "academy-counters",
    path: `${PATH}/counters`,
    summary: "A hero's win rate against each other hero",
    identifier: HERO_IDENTIFIER,
    parameters: [RANK, ...PAGE, LANG],
    text: "none",
    record: "matrixRecord",
    key: ["id", "data.main_heroid"],
    identity: MATRIX,
    matchType: "0",
    stamp: { at: "_updatedAt", as: "batch" },
  },
  {
    dataset: "teammates",
    path: `${PATH}/teammates`,
    summary: "A hero's win rate together with each other hero",
    identifier: HERO_IDENTIFIER,
    parameters: [RANK, ...PAGE, LANG],
    text: "none",
    record: "matrixRecord",
    key: ["id", "data.main_heroid"],
    identity: MATRIX,
    matchType: "1",
    stamp: { at: "_updatedAt", as: "batch" },
  },
  {
    dataset: "academy-trends",
    path: `${PATH}/trends`,
    summary: "A hero's rates by day, from the academy",
    identifier: HERO_IDENTIFIER,
    parameters: [TREND_DAYS, RANK, ...PAGE, LANG],
    text: "none",
    record: "trendRecord",
    key: ["id", "data.main_heroid"],
    identity: STATISTIC,
    stamp: { at: "data.win_rate.0.date", as: "date" },
  },
] as const satisfies readonly Endpoint[];
