import { PICKED, SHARE } from "../columns.ts";
import { integer, maybe, real, type TableDefinition, text } from "../definition.ts";
import { asked, at, inRecord, objects, place, values } from "../row-source.ts";

const PLAYED = {
  hero_id: integer("Hero."),
  lane: text("Lane on which the hero is played."),
  rank: text("Rank bracket."),
};
const KEY = ["hero_id", "lane", "rank"];
const CODES = [
  { columns: ["hero_id"], table: "hero" },
  { columns: ["lane"], table: "lane" },
  { columns: ["rank"], table: "rank" },
];

const STORE = {
  batch_at_ms: maybe.integer("Time of the upstream's batch.", { stamp: "batch" }),
  created_at_ms: maybe.integer("Time when the record was first made.", { stamp: "record" }),
  record_id: maybe.integer("Publisher's id of the record."),
  source_id: maybe.integer("Publisher's id of the record's source."),
};
const STORE_CELLS = {
  batch_at_ms: inRecord("_updatedAt"),
  created_at_ms: inRecord("_createdAt"),
  record_id: inRecord("id"),
  source_id: inRecord("sourceId"),
};
const PLAYED_CELLS = { hero_id: asked("hero"), lane: asked("lane"), rank: asked("rank") };
const BUILDS = objects("data.build");

export const buildTables: TableDefinition[] = [
  {
    name: "hero_lane_rate",
    kind: "statistic",
    description: "Win rate of each hero by lane and rank. A hero that is not played on a lane has no row.",
    columns: {
      ...PLAYED,
      win_rate: maybe.real("Share of matches that the hero won.", { unit: SHARE }),
      ...STORE,
    },
    key: KEY,
    references: CODES,
    withoutRowid: true,
    rows: [
      {
        datasets: ["timeline"],
        langs: "base",
        cells: { ...PLAYED_CELLS, win_rate: at("data.total_win_rate"), ...STORE_CELLS },
      },
    ],
  },
  {
    name: "hero_minute_rate",
    kind: "statistic",
    partOf: "hero_lane_rate",
    description:
      "Win rate of each hero by lane, rank and length of the match. So far the upstream has matches of 10 to 20 minutes only.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1."),
      from_minute: integer("Shortest length of the matches.", { unit: "minutes" }),
      to_minute: maybe.integer("Longest length of the matches. null: no limit.", {
        unit: "minutes",
      }),
      win_rate: real("Share of matches that the hero won.", { unit: SHARE }),
    },
    key: [...KEY, "position"],
    references: [{ columns: KEY, table: "hero_lane_rate" }],
    withoutRowid: true,
    rows: [
      {
        datasets: ["timeline"],
        langs: "base",
        each: [objects("data.time_win_rate")],
        cells: {
          ...PLAYED_CELLS,
          position: place(),
          from_minute: at("time_min"),
          to_minute: at("time_max"),
          win_rate: at("win_rate"),
        },
      },
    ],
  },
  {
    name: "hero_build",
    kind: "statistic",
    description:
      "The builds of each hero that the upstream lists, by lane and rank: a small part of all matches. Items are in hero_build_item, talents in hero_build_talent.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1."),
      win_rate: real("Share of matches that the hero won with the build.", { unit: SHARE }),
      pick_rate: real(PICKED, { unit: SHARE }),
      emblem_id: integer("Emblem, as in emblem.", {
        source: "builds data.build[].runeid, data.build[].emblem.data.emblemid",
      }),
      spell_id: integer("Battle spell, as in spell.", {
        source:
          "builds data.build[].skillid, data.build[].battleskill.data.battleskillid, data.build[].battleskill.data.__data.skillid",
      }),
      ...STORE,
    },
    key: [...KEY, "position"],
    references: CODES,
    withoutRowid: true,
    rows: [
      {
        datasets: ["builds"],
        langs: "base",
        each: [BUILDS],
        cells: {
          ...PLAYED_CELLS,
          position: place(),
          win_rate: at("build_win_rate"),
          pick_rate: at("build_pick_rate"),
          emblem_id: at("runeid"),
          spell_id: at("skillid"),
          ...STORE_CELLS,
        },
      },
    ],
  },
  buildPartTable("hero_build_item", "item_id", "equipid", "Items of each build in order.", "Item, as in item."),
  buildPartTable(
    "hero_build_talent",
    "talent_id",
    "new_rune_skill",
    "Talents of each build, one for each tier.",
    "Talent, as in talent.",
  ),
];

function buildPartTable(name: string, id: string, list: string, description: string, meaning: string): TableDefinition {
  return {
    name,
    kind: "row",
    partOf: "hero_build",
    description,
    columns: {
      hero_id: integer("Hero."),
      lane: text("Lane."),
      rank: text("Rank bracket."),
      build_position: integer("Position of the build, as in hero_build."),
      position: integer("Place within the build, from 1."),
      [id]: integer(meaning),
    },
    key: [...KEY, "build_position", "position"],
    references: [{ columns: [...KEY, "build_position"], table: "hero_build" }],
    withoutRowid: true,
    rows: [
      {
        datasets: ["builds"],
        langs: "base",
        each: [BUILDS, values(list)],
        cells: { ...PLAYED_CELLS, build_position: place(0), position: place(1), [id]: at("") },
      },
    ],
  };
}
