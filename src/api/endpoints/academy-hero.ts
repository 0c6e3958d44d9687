import { type Endpoint, entry } from "../endpoint.ts";
import { INDEX, LANG, ONE_LANE, RANK, SIZE, TREND_DAYS } from "../parameters.ts";
import { HERO } from "../path-parameter.ts";
import { BUILD_EMBLEM, BUILD_SPELL, LANE_OF_HERO, NESTED_MAIN_HERO } from "./references.ts";

const PAGE = [SIZE, INDEX];
const PATH = "/api/academy/heroes/{hero_identifier}";

export const academyHeroEndpoints: readonly Endpoint[] = [
  entry({
    dataset: "academy-stats",
    path: `${PATH}/stats`,
    summary: "A hero's rates with the best and worst team mates, as the academy shows them",
    identifier: HERO,
    parameters: [RANK, ...PAGE, LANG],
    text: [NESTED_MAIN_HERO],
    record: "academyStatsRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: (record) => record._updatedAt,
  }),
  entry({
    dataset: "lane",
    path: `${PATH}/lane`,
    summary: "The lanes of a hero",
    identifier: HERO,
    parameters: [...PAGE, LANG],
    text: [LANE_OF_HERO],
    record: "heroLaneRecord",
    key: (record) => record.data.hero_id,
    identity: (record) => ({ hero: record.data.hero_id }),
  }),
  entry({
    dataset: "timeline",
    path: `${PATH}/win-rate/timeline`,
    summary: "A hero's win rate on a lane by the length of the match",
    identifier: HERO,
    parameters: [ONE_LANE, RANK, ...PAGE, LANG],
    text: "none",
    record: "timelineRecord",
    key: (record) => record.id ?? record.data.heroid,
    identity: ({ data }) => ({ hero: data.heroid, road: data.real_road, bigrank: data.big_rank }),
    stamp: (record) => dayOf(record._updatedAt),
  }),
  entry({
    dataset: "builds",
    path: `${PATH}/builds`,
    summary: "Builds that a hero is played with on a lane: items, emblem, talents, spell and their rates",
    identifier: HERO,
    parameters: [ONE_LANE, RANK, ...PAGE, LANG],
    text: [BUILD_SPELL, BUILD_EMBLEM],
    record: "buildsRecord",
    key: (record) => record.id ?? record.data.heroid,
    identity: ({ data }) => ({ hero: data.heroid, road: data.real_road, bigrank: data.big_rank }),
    stamp: (record) => dayOf(record._updatedAt),
  }),
  entry({
    dataset: "academy-counters",
    path: `${PATH}/counters`,
    summary: "How a hero does against every other one",
    identifier: HERO,
    parameters: [RANK, ...PAGE, LANG],
    text: "none",
    record: "matrixRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.big_rank, match_type: data.camp_type }),
    matchType: "0",
    stamp: (record) => record._updatedAt,
  }),
  entry({
    dataset: "teammates",
    path: `${PATH}/teammates`,
    summary: "How a hero does together with every other one",
    identifier: HERO,
    parameters: [RANK, ...PAGE, LANG],
    text: "none",
    record: "matrixRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.big_rank, match_type: data.camp_type }),
    matchType: "1",
    stamp: (record) => record._updatedAt,
  }),
  entry({
    dataset: "academy-trends",
    path: `${PATH}/trends`,
    summary: "A hero's rates by day, as the academy shows them",
    identifier: HERO,
    parameters: [TREND_DAYS, RANK, ...PAGE, LANG],
    text: "none",
    record: "trendRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: ({ data }) => data.win_rate[0]?.date,
  }),
];

/**
 * Of lanes only the day of the batch is taken: whether all of a batch carry the same stamp was never seen. A text, so that
 * two days in one table are asked again, but do not end the run.
 */
const dayOf = (stamp: number | undefined) =>
  stamp === undefined ? undefined : `batch of ${new Date(stamp).toISOString().slice(0, 10)}`;
