import type * as z from "zod";
import type { Endpoint, Rates } from "./endpoint.ts";
import { DAYS, INDEX, LANE, LANG, order, PAST_DAYS, RANK, ROLE, SIZE, SORT_FIELD, SORT_ORDER } from "./parameters.ts";
import { LANES, ROLES } from "./positions.ts";
import type { Shapes } from "./shapes.ts";

// An entry is checked against the type of its own record; in the table the records are opaque.
const endpoint = <N extends keyof Shapes>(entry: Endpoint<z.infer<Shapes[N]>> & { record: N }): Endpoint =>
  entry as Endpoint;

const PAGE = [SIZE, INDEX];
const MAIN_HERO = { hero: "data.main_heroid", name: "data.main_hero.data.name", head: "data.main_hero.data.head" };

const LANE_TITLES = "data.hero.data.roadsort[].data.road_sort_title";
const ROLE_TITLES = "data.hero.data.sortid[].data.sort_title";
const HERO_NAME = "data.hero.data.name";
const SKILLS = "data.hero.data.heroskilllist[].skilllist[]";

/** The one table of endpoints. Routes, validation, crawl plan, coverage, index and documents are derived from it. */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    dataset: "heroes",
    path: "/api/heroes",
    summary: "All heroes with names, portraits and relations",
    parameters: [...PAGE, order("hero id"), LANG],
    text: "all",
    record: "heroListRecord",
    key: (record) => record.data.hero_id,
    texts: [HERO_NAME],
    ordering: {
      fields: { hero_id: (record) => record.data.hero_id },
      direction: "order",
      tie: (record) => record.data.hero_id,
    },
  }),
  endpoint({
    dataset: "rank",
    path: "/api/heroes/rank",
    summary: "Pick, ban and win rates of all heroes in a rank and window",
    parameters: [DAYS, RANK, ...PAGE, SORT_FIELD, SORT_ORDER, LANG],
    text: MAIN_HERO,
    record: "rankRecord",
    key: (record) => record.data.main_heroid,
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
  endpoint({
    dataset: "positions",
    path: "/api/heroes/positions",
    summary: "Heroes by role and lane",
    parameters: [ROLE, LANE, ...PAGE, order("hero id"), LANG],
    text: "all",
    record: "positionRecord",
    key: (record) => record.data.hero_id,
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
  endpoint({
    dataset: "hero",
    path: "/api/heroes/{hero_identifier}",
    summary: "Everything about one hero: texts, skills, lanes, roles, relations",
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
  endpoint({
    dataset: "stats",
    path: "/api/heroes/{hero_identifier}/stats",
    summary: "A hero's rates with the best and worst team mates",
    parameters: [RANK, ...PAGE, LANG],
    text: MAIN_HERO,
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: (record) => record._updatedAt,
  }),
  endpoint({
    dataset: "skill-combos",
    path: "/api/heroes/{hero_identifier}/skill-combos",
    summary: "Recommended sequences of a hero's skills",
    parameters: [...PAGE, LANG],
    text: "all",
    record: "skillComboRecord",
    key: (record) => record.id,
    identity: (record) => ({ hero: record.data.hero_id }),
    texts: ["data.title", "data.desc"],
  }),
  endpoint({
    dataset: "trends",
    path: "/api/heroes/{hero_identifier}/trends",
    summary: "A hero's rates by day",
    parameters: [RANK, PAST_DAYS, ...PAGE, LANG],
    text: "none",
    record: "trendRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    stamp: ({ data }) => data.win_rate[0]?.date,
  }),
  endpoint({
    dataset: "relations",
    path: "/api/heroes/{hero_identifier}/relations",
    summary: "Heroes that go with, lose to and counter a hero",
    parameters: [...PAGE, LANG],
    text: { hero: "data.hero_id", name: "data.hero.data.name" },
    record: "relationRecord",
    key: (record) => record.data.hero_id,
    identity: (record) => ({ hero: record.data.hero_id }),
  }),
  endpoint({
    dataset: "counters",
    path: "/api/heroes/{hero_identifier}/counters",
    summary: "Opponents that a hero does best and worst against",
    parameters: [DAYS, RANK, ...PAGE, LANG],
    text: MAIN_HERO,
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    matchType: "0",
    stamp: (record) => record._updatedAt,
    rates: ratesOf,
  }),
  endpoint({
    dataset: "compatibility",
    path: "/api/heroes/{hero_identifier}/compatibility",
    summary: "Team mates that a hero does best and worst with",
    parameters: [DAYS, RANK, ...PAGE, LANG],
    text: MAIN_HERO,
    record: "pairingRecord",
    key: (record) => record.id ?? record.data.main_heroid,
    identity: ({ data }) => ({ hero: data.main_heroid, bigrank: data.bigrank, match_type: data.match_type }),
    matchType: "1",
    stamp: (record) => record._updatedAt,
    rates: ratesOf,
  }),
  endpoint({
    dataset: "versions",
    path: "/api/academy/meta/version",
    summary: "Versions of the game",
    parameters: [...PAGE, order("createdAt"), LANG],
    text: "none",
    record: "versionRecord",
    key: (record) => record.id,
    ordering: {
      fields: { createdAt: (record) => record.createdAt },
      direction: "order",
      tie: (record) => record.id,
    },
  }),
  endpoint({
    dataset: "catalog",
    path: "/api/academy/heroes/catalog",
    summary: "The catalogue of heroes with pictures and lanes",
    parameters: [...PAGE, LANG],
    text: "all",
    record: "catalogRecord",
    key: (record) => record.data.hero_id,
    texts: [HERO_NAME, LANE_TITLES],
  }),
];

function ratesOf({ data }: z.infer<Shapes["rankRecord" | "pairingRecord"]>): Rates {
  return {
    hero: data.main_heroid,
    rates: [data.main_hero_win_rate, data.main_hero_ban_rate, data.main_hero_appearance_rate],
  };
}

function codeOf(codes: readonly { code: string; id: string }[], id: string): string[] {
  return codes.filter((entry) => entry.id === id).map((entry) => entry.code);
}

const byDataset = new Map(ENDPOINTS.map((entry) => [entry.dataset, entry]));

export function endpointOf(dataset: string): Endpoint {
  const found = byDataset.get(dataset);
  if (!found) throw new Error(`no endpoint has the dataset ${dataset}`);
  return found;
}
