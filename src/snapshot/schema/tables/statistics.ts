import { INCREASE } from "../../../api/matchup-points.ts";
import { APPEARANCE, BAN_RATE, BANS, SHARE, SIDE, SIDES } from "../columns.ts";
import { integer, maybe, real, text } from "../definition.ts";
import { asked, at, constant, type DefinedRows, inRecord, objects, place } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toRank = { columns: ["rank"], table: "rank" };

const MINUTES: [column: string, key: string, minutes: string][] = [
  ["win_rate_0_6", "min_win_rate6", "up to 6 minutes"],
  ["win_rate_6_8", "min_win_rate6_8", "6 to 8 minutes"],
  ["win_rate_8_10", "min_win_rate8_10", "8 to 10 minutes"],
  ["win_rate_10_12", "min_win_rate10_12", "10 to 12 minutes"],
  ["win_rate_12_14", "min_win_rate12_14", "12 to 14 minutes"],
  ["win_rate_14_16", "min_win_rate14_16", "14 to 16 minutes"],
  ["win_rate_16_18", "min_win_rate16_18", "16 to 18 minutes"],
  ["win_rate_18_20", "min_win_rate18_20", "18 to 20 minutes"],
  ["win_rate_20", "min_win_rate20", "20 minutes or longer"],
];

/** Captured records show it: it rises with `increase_win_rate`, and a hero that is weak early is so beside all others. */
const WHOSE_MINUTES =
  "Win rate of the hero, not of the other one, in matches of this length with or against the other hero. The upstream does not state the number of matches. It can be one: a rate of 0 or 1 says nothing, and short matches and windows have few.";

const EXTREMES = ["counters", "compatibility", "stats"];
const ACADEMY = ["academy-stats", "academy-counters", "teammates"];

export const statisticsTables: DefinedTable[] = [
  {
    name: "hero_rate",
    kind: "statistic",
    description:
      "Win, ban and appearance rates of each hero by rank and window: the rank list. How sure the win rates are is in hero_rate_error.",
    columns: {
      rank: text("Rank bracket.", { from: asked("rank") }),
      days: integer("Window.", { from: asked("days"), unit: "days" }),
      hero_id: integer("Hero.", { from: at("data.main_heroid") }),
      win_rate: real("Share of matches that the hero won.", { from: at("data.main_hero_win_rate"), unit: SHARE }),
      ban_rate: real(BAN_RATE, { from: at("data.main_hero_ban_rate"), unit: BANS }),
      appearance_rate: real(APPEARANCE, { from: at("data.main_hero_appearance_rate"), unit: SHARE }),
      channel_id: maybe.integer("Id of the hero's record.", { from: at("data.main_hero_channel.id") }),
    },
    key: ["rank", "days", "hero_id"],
    references: [toHero, toRank, { columns: ["days"], table: "day_window" }],
    indexes: [["hero_id"]],
    withoutRowid: true,
    rows: [{ datasets: ["rank"], langs: "base" }],
  },
  {
    name: "hero_rate_opponent",
    kind: "statistic",
    partOf: "hero_rate",
    description: "Opponents that the rank list shows beside each hero: those against which the hero does best.",
    columns: {
      rank: text("Rank bracket.", { from: asked("rank") }),
      days: integer("Window.", { from: asked("days"), unit: "days" }),
      hero_id: integer("Hero.", { from: inRecord("data.main_heroid") }),
      position: integer("Place in the list, from 1.", { from: place() }),
      other_hero_id: integer("The opponent.", { from: at("heroid") }),
      increase_win_rate: real(INCREASE, { from: at("increase_win_rate"), unit: SHARE }),
      other_channel_id: maybe.integer("Id of the opponent's record.", { from: at("hero_channel.id") }),
    },
    key: ["rank", "days", "hero_id", "position"],
    references: [{ columns: ["rank", "days", "hero_id"], table: "hero_rate" }],
    indexes: [["hero_id"], ["other_hero_id"]],
    withoutRowid: true,
    rows: [{ datasets: ["rank"], langs: "base", each: [objects("data.sub_hero")] }],
  },
  {
    name: "hero_batch",
    kind: "statistic",
    // Its rates are those of hero_rate.
    history: "none",
    description: "One row for each record of pairings, with the hero's rates and the upstream's batch.",
    columns: {
      source: text(
        "Endpoint of the record. counters: opponents. compatibility: team mates. stats, academy-stats: team mates, window not stated. academy-counters: all opponents. teammates: all team mates.",
        { from: asked("dataset") },
      ),
      hero_id: integer("Hero.", { from: asked("hero") }),
      rank: text("Rank bracket.", { from: asked("rank") }),
      days: integer("Window. 0: the upstream does not state the window (stats and the academy's endpoints).", {
        from: asked("days", 0),
        unit: "days",
      }),
      batch_at_ms: maybe.integer("Time of the upstream's batch. It is the same for all heroes of a rank and window.", {
        from: at("_updatedAt"),
        stamp: "batch",
      }),
      created_at_ms: maybe.integer("Time when the record was first made.", { from: at("_createdAt"), stamp: "record" }),
      record_id: maybe.integer("Publisher's id of the record.", { from: at("id") }),
      source_id: maybe.integer("Publisher's id of the record's source.", { from: at("sourceId") }),
      channel_id: maybe.integer("Id of the hero's record.", { from: at("data.main_hero_channel.id") }),
      win_rate: real("Share of matches that the hero won.", { from: at("data.main_hero_win_rate"), unit: SHARE }),
      ban_rate: maybe.real(BAN_RATE, { from: at("data.main_hero_ban_rate"), unit: BANS }),
      appearance_rate: maybe.real(APPEARANCE, {
        from: inRecord("data.main_hero_appearance_rate", "data.main_hero_pick_rate"),
        unit: SHARE,
      }),
      match_type: maybe.text("0: the lists hold opponents. 1: the lists hold team mates.", {
        from: at("data.match_type"),
      }),
      camp_type: maybe.text("Same as match_type in all records seen so far.", { from: at("data.camp_type") }),
    },
    key: ["source", "hero_id", "rank", "days"],
    references: [toHero, toRank],
    withoutRowid: true,
    rows: [{ datasets: [...EXTREMES, ...ACADEMY], langs: "base" }],
  },
  {
    name: "hero_pairing",
    kind: "statistic",
    // 86 thousand rows are new every night: who is in a list and how far ahead; the other twelve numbers stay in the snapshots.
    history: ["other_hero_id", "increase_win_rate"],
    partOf: "hero_batch",
    description:
      "The five heroes with or against which a hero does best and worst, by rank and window. hero_matchup has any two heroes, without a window.",
    columns: {
      source: text(
        "Endpoint. counters: opponents. compatibility: team mates. stats: team mates, window not stated; so far they were the same as compatibility over one day. hero_matchup comes from other endpoints, and its numbers differ.",
        { from: asked("dataset") },
      ),
      hero_id: integer("Hero.", { from: asked("hero") }),
      rank: text("Rank bracket.", { from: asked("rank") }),
      days: integer("Window. 0 for stats.", { from: asked("days", 0), unit: "days" }),
      side: text(SIDE, { source: "data.sub_hero, data.sub_hero_last" }),
      position: integer("Place in the list, from 1.", { from: place(), source: "data.sub_hero*[].hero_index" }),
      other_hero_id: integer("The other hero.", { from: at("heroid") }),
      increase_win_rate: real(INCREASE, { from: at("increase_win_rate"), unit: SHARE }),
      other_win_rate: maybe.real("Win rate of the other hero.", { from: at("hero_win_rate"), unit: SHARE }),
      other_appearance_rate: maybe.real("Share of all picks that were the other hero.", {
        from: at("hero_appearance_rate"),
        unit: SHARE,
      }),
      other_channel_id: maybe.integer("Id of the other hero's record.", { from: at("hero_channel.id") }),
      ...Object.fromEntries(
        MINUTES.map(([name, key, minutes]) => [
          name,
          maybe.real(`${WHOSE_MINUTES} Here: ${minutes}.`, { from: at(key), unit: SHARE }),
        ]),
      ),
    },
    key: ["source", "hero_id", "rank", "days", "side", "position"],
    references: [{ columns: ["source", "hero_id", "rank", "days"], table: "hero_batch" }],
    indexes: [
      ["other_hero_id"],
      // The rows that the views show of a rank and window lie together: a browser reads them with few requests.
      {
        columns: ["rank", "days", "hero_id"],
        covers: ["source", "side", "position", "other_hero_id", "increase_win_rate"],
      },
    ],
    checks: [`side IN (${SIDES.map((side) => `'${side}'`).join(", ")})`],
    withoutRowid: true,
    rows: [pairingRows("best", "data.sub_hero"), pairingRows("worst", "data.sub_hero_last")],
  },
];

function pairingRows(side: (typeof SIDES)[number], path: string): DefinedRows {
  return { datasets: EXTREMES, langs: "base", each: [objects(path)], cells: { side: constant(side) } };
}
