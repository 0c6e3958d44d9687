import { PICKED, SHARE } from "../columns.ts";
import { integer, maybe, real, text } from "../definition.ts";
import { asked, at, inRecord, objects, place, values } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const PLAYED = {
  hero_id: integer("Hero.", { from: asked("hero") }),
  lane: text("Lane on which the hero is played.", { from: asked("lane") }),
  rank: text("Rank bracket.", { from: asked("rank") }),
};
const KEY = ["hero_id", "lane", "rank"];
const CODES = [
  { columns: ["hero_id"], table: "hero" },
  { columns: ["lane"], table: "lane" },
  { columns: ["rank"], table: "rank" },
];

const STORE = {
  batch_at_ms: maybe.integer("Time of the upstream's batch.", { from: inRecord("_updatedAt"), stamp: "batch" }),
  created_at_ms: maybe.integer("Time when the record was first made.", {
    from: inRecord("_createdAt"),
    stamp: "record",
  }),
  record_id: maybe.integer("Publisher's id of the record.", { from: inRecord("id") }),
  source_id: maybe.integer("Publisher's id of the record's source.", { from: inRecord("sourceId") }),
};
const BUILDS = objects("data.build");

export const buildTables: DefinedTable[] = [
  {
    name: "hero_lane_rate",
    kind: "statistic",
    description: "Win rate of each hero by lane and rank. A hero that is not played on a lane has no row.",
    columns: {
      ...PLAYED,
      win_rate: maybe.real("Share of matches that the hero won.", { from: at("data.total_win_rate"), unit: SHARE }),
      ...STORE,
    },
    key: KEY,
    references: CODES,
    withoutRowid: true,
    rows: [{ datasets: ["timeline"], langs: "base" }],
  },
  {
    name: "hero_minute_rate",
    kind: "statistic",
    partOf: "hero_lane_rate",
    description:
      "Win rate of each hero by lane, rank and length of the match. So far the upstream has matches of 10 to 20 minutes only.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1.", { from: place() }),
      from_minute: integer("Shortest length of the matches.", { from: at("time_min"), unit: "minutes" }),
      to_minute: maybe.integer("Longest length of the matches. null: no limit.", {
        from: at("time_max"),
        unit: "minutes",
      }),
      win_rate: real("Share of matches that the hero won.", { from: at("win_rate"), unit: SHARE }),
    },
    key: [...KEY, "position"],
    references: [{ columns: KEY, table: "hero_lane_rate" }],
    withoutRowid: true,
    rows: [{ datasets: ["timeline"], langs: "base", each: [objects("data.time_win_rate")] }],
  },
  {
    name: "hero_build",
    kind: "statistic",
    description:
      "The builds of each hero that the upstream lists, by lane and rank: a small part of all matches. Items are in hero_build_item, talents in hero_build_talent.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1.", { from: place() }),
      win_rate: real("Share of matches that the hero won with the build.", { from: at("build_win_rate"), unit: SHARE }),
      pick_rate: real(PICKED, { from: at("build_pick_rate"), unit: SHARE }),
      emblem_id: integer("Emblem, as in emblem.", {
        from: at("runeid"),
        source: "builds data.build[].runeid, data.build[].emblem.data.emblemid",
      }),
      spell_id: integer("Battle spell, as in spell.", {
        from: at("skillid"),
        source:
          "builds data.build[].skillid, data.build[].battleskill.data.battleskillid, data.build[].battleskill.data.__data.skillid",
      }),
      ...STORE,
    },
    key: [...KEY, "position"],
    references: CODES,
    withoutRowid: true,
    rows: [{ datasets: ["builds"], langs: "base", each: [BUILDS] }],
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

function buildPartTable(name: string, id: string, list: string, description: string, meaning: string): DefinedTable {
  return {
    name,
    kind: "row",
    partOf: "hero_build",
    description,
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      lane: text("Lane.", { from: asked("lane") }),
      rank: text("Rank bracket.", { from: asked("rank") }),
      build_position: integer("Position of the build, as in hero_build.", { from: place(0) }),
      position: integer("Place within the build, from 1.", { from: place(1) }),
      [id]: integer(meaning, { from: at("") }),
    },
    key: [...KEY, "build_position", "position"],
    references: [{ columns: [...KEY, "build_position"], table: "hero_build" }],
    withoutRowid: true,
    rows: [{ datasets: ["builds"], langs: "base", each: [BUILDS, values(list)] }],
  };
}
