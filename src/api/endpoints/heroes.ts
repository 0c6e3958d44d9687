import type * as z from "zod";
import { type Endpoint, entry, type Rates } from "../endpoint.ts";
import { DAYS, INDEX, LANE, LANG, order, PAST_DAYS, RANK, ROLE, SIZE, SORT_FIELD, SORT_ORDER } from "../parameters.ts";
import { HERO } from "../path-parameter.ts";
import { LANES, ROLES } from "../positions.ts";
import type { Shapes } from "../shapes.ts";
import { HERO_NAME, heroName, LANE_TITLES, MAIN_HERO, ROLE_TITLES } from "./references.ts";

const PAGE = [SIZE, INDEX];
const SKILLS = "data.hero.data.heroskilllist[].skilllist[]";

export const heroEndpoints: readonly Endpoint[] = [
  entry({
    dataset: "heroes",
    path: "/api/heroes",
    summary: "All heroes with names, portraits and relations",
    parameters: [...PAGE, order("hero id"), LANG],
    text: "all",
    record: "heroListRecord",
    key: (record) => record.data.hero_id,
    ofHeroes: true,
    texts: [HERO_NAME],
    ordering: {
      fields: { hero_id: (record) => record.data.hero_id },
      direction: "order",
      tie: (record) => record.data.hero_id,
    },
  }),
  entry({
    dataset: "rank",
    path: "/api/heroes/rank",
    summary: "Pick, ban and win rates of all heroes in a rank and window",
    parameters: [DAYS, RANK, ...PAGE, SORT_FIELD, SORT_ORDER, LANG],
    text: [MAIN_HERO],
    record: "rankRecord",
    key: (record) => record.data.main_heroid,
    ofHeroes: true,
    rates: ratesOf,
    ordering: {
      fields: {
        pick_rate: (record) => record.data.main_hero_appearance_rate,
        ban_rate: (record) => record.data.main_hero_ban_rate,
        win_rate: (record) => record.data.main_hero_win_rate,
      },
      field: "sort_field",
      direction: "sort_order",
      tie: (record) => record.data.main_heroid,
    },
  }),
  entry({
    dataset: "positions",
    path: "/api/heroes/positions",
    summary: "Heroes by role and lane",
    parameters: [ROLE, LANE, ...PAGE, order("hero id"), LANG],
    text: "all",
    record: "positionRecord",
    key: (record) => record.data.hero_id,
    ofHeroes: true,
    texts: [HERO_NAME, LANE_TITLES, ROLE_TITLES],
    ordering: {
      fields: { hero_id: (record) => record.data.hero_id },
      direction: "order",
      tie: (record) => record.data.hero_id,
    },
    filters: {
      role: ({ data }) => data.hero.data.sortid.flatMap((role) => codeOf(ROLES, role === "" ? "" : role.data.sort_id)),
      lane: ({ data }) =>
        data.hero.data.roadsort.flatMap((lane) => codeOf(LANES, lane === "" ? "" : lane.data.road_sort_id)),
    },
  }),
  entry({
    dataset: "hero",
    path: "/api/heroes/{hero_identifier}",
    summary: "Everything about one hero: texts, skills, lanes, roles, relations",
    identifier: HERO,
    parameters: [...PAGE, LANG],
    text: "all",
    record: "heroDetailRecord",
    key: (record) => record.data.hero_id,
    identity: (record) => ({ hero: record.data.hero_id }),
    texts: [
      HERO_NAME,
      "data.hero.data.story",
      "data.hero.data.speciality[]",
      `${SKILLS}.skillname`,
      `${SKILLS}.skilldesc`,
      `${SKILLS}.skilltag[].tagname`,
      "data.relation.assist.desc",
      "data.relation.strong.desc",
      "data.relation.weak.desc",
      LANE_TITLES,
      ROLE_TITLES,
    ],
  }),
  entry({
    dataset: "stats",
    path: "/api/heroes/{hero_identifier}/stats",
    summary: "A hero's rates with the best and worst team mates",
    identifier: HERO,
    parameters: [RANK, ...PAGE, LANG],
    text: [MAIN_HERO],
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: (record) => record._updatedAt,
  }),
  entry({
    dataset: "skill-combos",
    path: "/api/heroes/{hero_identifier}/skill-combos",
    summary: "Recommended sequences of a hero's skills",
    identifier: HERO,
    parameters: [...PAGE, LANG],
    text: "all",
    record: "skillComboRecord",
    key: (record) => record.id,
    identity: (record) => ({ hero: record.data.hero_id }),
    texts: ["data.title", "data.desc"],
  }),
  entry({
    dataset: "trends",
    path: "/api/heroes/{hero_identifier}/trends",
    summary: "A hero's rates by day",
    identifier: HERO,
    parameters: [RANK, PAST_DAYS, ...PAGE, LANG],
    text: "none",
    record: "trendRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: ({ data }) => data.win_rate[0]?.date,
  }),
  entry({
    dataset: "relations",
    path: "/api/heroes/{hero_identifier}/relations",
    summary: "Heroes that go with, lose to and counter a hero",
    identifier: HERO,
    parameters: [...PAGE, LANG],
    text: [heroName("data.hero_id", HERO_NAME)],
    record: "relationRecord",
    key: (record) => record.data.hero_id,
    identity: (record) => ({ hero: record.data.hero_id }),
  }),
  entry({
    dataset: "counters",
    path: "/api/heroes/{hero_identifier}/counters",
    summary: "Opponents that a hero does best and worst against",
    identifier: HERO,
    parameters: [DAYS, RANK, ...PAGE, LANG],
    text: [MAIN_HERO],
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    matchType: "0",
    stamp: (record) => record._updatedAt,
    rates: ratesOf,
  }),
  entry({
    dataset: "compatibility",
    path: "/api/heroes/{hero_identifier}/compatibility",
    summary: "Team mates that a hero does best and worst with",
    identifier: HERO,
    parameters: [DAYS, RANK, ...PAGE, LANG],
    text: [MAIN_HERO],
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    matchType: "1",
    stamp: (record) => record._updatedAt,
    rates: ratesOf,
  }),
];

function ratesOf({ data }: z.infer<Shapes["rankRecord"] | Shapes["pairingRecord"]>): Rates {
  return {
    hero: data.main_heroid,
    rates: [data.main_hero_win_rate, data.main_hero_ban_rate, data.main_hero_appearance_rate],
  };
}

function codeOf(codes: readonly { code: string; id: string }[], id: string): string[] {
  return codes.filter((entry) => entry.id === id).map((entry) => entry.code);
}
