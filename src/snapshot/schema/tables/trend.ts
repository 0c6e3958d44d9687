import { APPEARANCE, BAN_RATE, BANS, SHARE } from "../columns.ts";
import { DAY, integer, maybe, real, text } from "../definition.ts";
import { asked, at, objects } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toRank = { columns: ["rank"], table: "rank" };

export const trendTables: DefinedTable[] = [
  {
    name: "hero_trend_series",
    kind: "row",
    description:
      "One row for each series of daily rates, with the upstream's batch. The days of the series are in hero_trend.",
    columns: {
      rank: text("Rank bracket.", { from: asked("rank") }),
      hero_id: integer("Hero.", { from: asked("hero") }),
      days: integer("Length of the series that was asked for.", { from: asked("days"), unit: "days" }),
      batch_at_ms: maybe.integer("Time of the upstream's batch.", { from: at("_updatedAt"), stamp: "batch" }),
      created_at_ms: maybe.integer("Time when the record was first made.", { from: at("_createdAt"), stamp: "record" }),
      record_id: maybe.integer("Publisher's id of the record.", { from: at("id") }),
      source_id: maybe.integer("Publisher's id of the record's source.", { from: at("sourceId") }),
      match_type: maybe.text("Same field as in hero_batch. It has no meaning for a trend.", {
        from: at("data.match_type"),
      }),
      camp_type: maybe.text("Same field as in hero_batch. It has no meaning for a trend.", {
        from: at("data.camp_type"),
      }),
    },
    key: ["rank", "hero_id", "days"],
    references: [toHero, toRank],
    indexes: [["hero_id"]],
    withoutRowid: true,
    rows: [{ datasets: ["trends"], langs: "base" }],
  },
  {
    name: "hero_trend",
    kind: "statistic",
    partOf: "hero_trend_series",
    description:
      "Rates of each hero by day, each from the longest series in the snapshot that has the day. The upstream does not say whether a day is that day alone: captured series are as smooth as means of several days.",
    columns: {
      rank: text("Rank bracket.", { from: asked("rank") }),
      hero_id: integer("Hero.", { from: asked("hero") }),
      date: text("Day, YYYY-MM-DD.", { from: at("date"), unit: DAY }),
      win_rate: real("Share of matches that the hero won.", { from: at("win_rate"), unit: SHARE }),
      ban_rate: real(BAN_RATE, { from: at("ban_rate"), unit: BANS }),
      appearance_rate: real(APPEARANCE, { from: at("app_rate"), unit: SHARE }),
    },
    // By hero first: the days of a series lie together, and who asks for one hero need not name a rank.
    key: ["hero_id", "rank", "date"],
    references: [toHero, toRank],
    withoutRowid: true,
    rows: [{ datasets: ["trends"], langs: "base", each: [objects("data.win_rate")], longest: true }],
  },
];
