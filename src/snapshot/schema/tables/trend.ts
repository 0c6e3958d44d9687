import { APPEARANCE, bans, SHARE } from "../columns.ts";
import { DAY, integer, maybe, real, type TableDefinition, text } from "../definition.ts";
import { asked, at, objects } from "../row-source.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toRank = { columns: ["rank"], table: "rank" };

/** What the publisher's statistics store adds to a record. */
export const BATCH_CELLS = {
  batch_at_ms: at("_updatedAt"),
  created_at_ms: at("_createdAt"),
  record_id: at("id"),
  source_id: at("sourceId"),
  match_type: at("data.match_type"),
  camp_type: at("data.camp_type"),
};
export const RANKED = { rank: asked("rank"), days: asked("days") };

export const trendTables: TableDefinition[] = [
  {
    name: "hero_trend_series",
    kind: "row",
    description:
      "One row for each series of daily rates, with the upstream's batch. The days of the series are in hero_trend.",
    columns: {
      rank: text("Rank bracket."),
      hero_id: integer("Hero."),
      days: integer("Length of the series that was asked for.", { unit: "days" }),
      batch_at_ms: maybe.integer("Time of the upstream's batch.", { stamp: "batch" }),
      created_at_ms: maybe.integer("Time when the record was first made.", { stamp: "record" }),
      record_id: maybe.integer("Publisher's id of the record."),
      source_id: maybe.integer("Publisher's id of the record's source."),
      match_type: maybe.text("Same field as in hero_batch. It has no meaning for a trend."),
      camp_type: maybe.text("Same field as in hero_batch. It has no meaning for a trend."),
    },
    key: ["rank", "hero_id", "days"],
    references: [toHero, toRank],
    indexes: [["hero_id"]],
    withoutRowid: true,
    rows: [
      {
        datasets: ["trends"],
        langs: "base",
        cells: { ...RANKED, hero_id: asked("hero"), ...BATCH_CELLS },
      },
    ],
  },
  {
    name: "hero_trend",
    kind: "statistic",
    partOf: "hero_trend_series",
    description:
      "Rates of each hero by day, from the longest series in the snapshot. The upstream does not say whether a day is that day alone: captured series are as smooth as means of several days.",
    columns: {
      rank: text("Rank bracket."),
      hero_id: integer("Hero."),
      date: text("Day, YYYY-MM-DD.", { unit: DAY }),
      win_rate: real("Share of matches that the hero won.", { unit: SHARE }),
      ban_rate: bans(),
      appearance_rate: real(APPEARANCE, { unit: SHARE }),
    },
    // By hero first: the days of a series lie together, and who asks for one hero need not name a rank.
    key: ["hero_id", "rank", "date"],
    references: [toHero, toRank],
    withoutRowid: true,
    rows: [
      {
        datasets: ["trends"],
        langs: "base",
        each: [objects("data.win_rate")],
        longest: true,
        cells: {
          rank: asked("rank"),
          hero_id: asked("hero"),
          date: at("date"),
          win_rate: at("win_rate"),
          ban_rate: at("ban_rate"),
          appearance_rate: at("app_rate"),
        },
      },
    ],
  },
];
