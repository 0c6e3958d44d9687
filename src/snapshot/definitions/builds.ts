import { integer, maybe, real, type TableDefinition, text } from "../definition.ts";

const MS = "epoch milliseconds";
const SHARE = "share of 1";
const PLAYED = {
  hero_id: integer("Hero.", { source: "timeline data.heroid, builds data.heroid" }),
  lane: text("Lane that the hero is played on.", { source: "timeline data.real_road, builds data.real_road" }),
  rank: text("Rank bracket."),
};
const KEY = ["hero_id", "lane", "rank"];
const CODES = [
  { columns: ["hero_id"], table: "hero" },
  { columns: ["lane"], table: "lane" },
  { columns: ["rank"], table: "rank" },
];

const batch = (dataset: string) => ({
  batch_at_ms: maybe.integer("Stamp of the batch of the upstream.", { unit: MS, source: `${dataset} _updatedAt` }),
  created_at_ms: maybe.integer("When the record was first made.", { unit: MS, source: `${dataset} _createdAt` }),
  record_id: maybe.integer("The publisher's record id.", { source: `${dataset} id` }),
  source_id: maybe.integer("The publisher's id of the source.", { source: `${dataset} sourceId` }),
});
const BATCH = "json ->> '$._updatedAt', json ->> '$._createdAt', json ->> '$.id', json ->> '$.sourceId'";

const records = (dataset: string, more = "") =>
  `FROM coverage JOIN record USING (dataset, slice)${more}
           WHERE coverage.dataset = '${dataset}' AND lang = 'en' AND record.position = 0`;
const BUILDS = ", jsonb_each(record.json, '$.data.build') AS build";

export const buildTables: TableDefinition[] = [
  {
    name: "hero_lane_rate",
    description: "Win rate of a hero by lane and rank. A hero who is not played on a lane has no row.",
    columns: {
      ...PLAYED,
      win_rate: maybe.real("Matches won.", { unit: SHARE, source: "timeline data.total_win_rate" }),
      ...batch("timeline"),
    },
    key: KEY,
    references: CODES,
    withoutRowid: true,
    fill: `SELECT hero_id, lane, rank, json ->> '$.data.total_win_rate', ${BATCH} ${records("timeline")} ORDER BY 1, 2, 3`,
  },
  {
    name: "hero_minute_rate",
    description: "Win rate of a hero by the length of the match, by lane and rank.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1."),
      from_minute: integer("Shortest match.", { unit: "minutes", source: "timeline data.time_win_rate[].time_min" }),
      to_minute: maybe.integer("Longest match; none where there is no limit.", {
        unit: "minutes",
        source: "timeline data.time_win_rate[].time_max",
      }),
      win_rate: real("Matches won.", { unit: SHARE, source: "timeline data.time_win_rate[].win_rate" }),
    },
    key: [...KEY, "position"],
    references: [{ columns: KEY, table: "hero_lane_rate" }],
    withoutRowid: true,
    fill: `SELECT hero_id, lane, rank, part.key + 1, part.value ->> '$.time_min', part.value ->> '$.time_max', part.value ->> '$.win_rate'
           ${records("timeline", ", jsonb_each(record.json, '$.data.time_win_rate') AS part")} ORDER BY 1, 2, 3, 4`,
  },
  {
    name: "hero_build",
    description: "Builds that a hero is played with, by lane and rank. Items and talents are in tables of their own.",
    columns: {
      ...PLAYED,
      position: integer("Place in the list, from 1."),
      win_rate: real("Matches won with it.", { unit: SHARE, source: "builds data.build[].build_win_rate" }),
      pick_rate: real("Share of the hero's matches that were played with it.", {
        unit: SHARE,
        source: "builds data.build[].build_pick_rate",
      }),
      emblem_id: integer("Emblem, as in emblem.", {
        source: "builds data.build[].runeid, data.build[].emblem.data.emblemid",
      }),
      spell_id: integer("Battle spell, as in spell.", {
        source:
          "builds data.build[].skillid, data.build[].battleskill.data.battleskillid, data.build[].battleskill.data.__data.skillid",
      }),
      ...batch("builds"),
    },
    key: [...KEY, "position"],
    references: CODES,
    withoutRowid: true,
    fill: `SELECT hero_id, lane, rank, build.key + 1, build.value ->> '$.build_win_rate', build.value ->> '$.build_pick_rate',
             build.value ->> '$.runeid', build.value ->> '$.skillid', ${BATCH.replaceAll("json", "record.json")}
           ${records("builds", BUILDS)} ORDER BY 1, 2, 3, 4`,
  },
  buildPartTable("hero_build_item", "item_id", "equipid", "Items of each build, in their order.", "Item, as in item."),
  buildPartTable(
    "hero_build_talent",
    "talent_id",
    "new_rune_skill",
    "Talents of each build, one of each tier.",
    "Talent, as in talent.",
  ),
];

function buildPartTable(name: string, id: string, list: string, description: string, meaning: string): TableDefinition {
  return {
    name,
    description,
    columns: {
      hero_id: integer("Hero."),
      lane: text("Lane."),
      rank: text("Rank bracket."),
      position: integer("Place of the build in its list, from 1."),
      place: integer("Place in the build, from 1."),
      [id]: integer(meaning, { source: `builds data.build[].${list}[]` }),
    },
    key: [...KEY, "position", "place"],
    references: [{ columns: [...KEY, "position"], table: "hero_build" }],
    withoutRowid: true,
    fill: `SELECT hero_id, lane, rank, build.key + 1, part.key + 1, part.value
           ${records("builds", `${BUILDS}, jsonb_each(build.value, '$.${list}') AS part`)} ORDER BY 1, 2, 3, 4, 5`,
  };
}
