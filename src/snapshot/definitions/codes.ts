import { LANGUAGES } from "../../api/languages.ts";
import { LANES, ROLES } from "../../api/positions.ts";
import { RANKS } from "../../api/ranks.ts";
import { DAY_WINDOWS } from "../../api/windows.ts";
import { integer, maybe, type TableDefinition, text } from "../definition.ts";

/** Rows that are known before anything is asked, as a SELECT. */
const values = (rows: readonly (readonly string[])[]) =>
  `VALUES ${rows.map((row) => `(${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(", ")})`).join(", ")}`;

const LANE_OF = "jsonb_each(record.json, '$.data.hero.data.roadsort') AS entry";
const ROLE_OF = "jsonb_each(record.json, '$.data.hero.data.sortid') AS entry";

export const codeTables: TableDefinition[] = [
  {
    name: "language",
    description: "The languages of the service.",
    columns: {
      lang: text("Code, as the parameter lang takes it."),
      name: text("English name."),
      script: text("Script that texts in it are expected in."),
    },
    key: ["lang"],
    withoutRowid: true,
    fill: values(LANGUAGES.map(({ code, name, script }) => [code, name, script])),
  },
  {
    name: "rank",
    description: "Rank brackets that statistics are taken over.",
    columns: {
      rank: text("Code, as the parameter rank takes it."),
      name: text("Name of the bracket."),
      bigrank: text("The publisher's own code in the records.", { source: "data.bigrank, data.big_rank" }),
    },
    key: ["rank"],
    withoutRowid: true,
    fill: values(RANKS.map(({ code, name, bigrank }) => [code, name, bigrank])),
  },
  {
    name: "day_window",
    description: "Windows that statistics are taken over. Longer ones contain the shorter ones.",
    columns: { days: integer("Length.", { unit: "days" }) },
    key: ["days"],
    fill: `VALUES ${DAY_WINDOWS.map((days) => `(${days})`).join(", ")}`,
  },
  {
    name: "role",
    description: "Roles that heroes play.",
    columns: {
      role: text("Code, as the parameter role takes it."),
      sort_id: text("The publisher's number.", { source: "positions sortid[].data.sort_id" }),
      icon_url: maybe.text("Icon.", { source: "positions sortid[].data.sort_icon" }),
    },
    key: ["role"],
    withoutRowid: true,
    fill: codeFill(ROLES, ROLE_OF, "sort_id", "sort_icon"),
  },
  {
    name: "lane",
    description: "Lanes that heroes are played on.",
    columns: {
      lane: text("Code, as the parameter lane takes it."),
      road_sort_id: text("The publisher's number.", { source: "positions roadsort[].data.road_sort_id" }),
      icon_url: maybe.text("Icon.", { source: "positions roadsort[].data.road_sort_icon" }),
    },
    key: ["lane"],
    withoutRowid: true,
    fill: codeFill(LANES, LANE_OF, "road_sort_id", "road_sort_icon"),
  },
  titleTable("role_text", "role", "sort_id", "sort_title", ROLE_OF),
  titleTable("lane_text", "lane", "road_sort_id", "road_sort_title", LANE_OF),
  {
    name: "game_version",
    description: "Versions of the game that the upstream lists.",
    columns: {
      version_id: integer("The publisher's record id.", { source: "versions id" }),
      game_version: text("Dotted version.", { source: "versions data.game_version" }),
      created_at_ms: integer("When the record was made.", { unit: "epoch milliseconds", source: "versions createdAt" }),
      updated_at_ms: maybe.integer("When it was last changed.", {
        unit: "epoch milliseconds",
        source: "versions updatedAt",
      }),
    },
    key: ["version_id"],
    fill: `SELECT json ->> '$.id', json ->> '$.data.game_version', json ->> '$.createdAt', json ->> '$.updatedAt'
           FROM record WHERE dataset = 'versions' ORDER BY 1`,
  },
];

function codeFill(codes: readonly { code: string; id: string }[], from: string, id: string, icon: string): string {
  return `SELECT column1, column2, (
            SELECT entry.value ->> '$.data.${icon}' FROM record, ${from}
            WHERE record.dataset = 'positions' AND record.slice = 'lang=en' AND entry.type = 'object'
              AND entry.value ->> '$.data.${id}' = column2 ORDER BY position LIMIT 1)
          FROM (${values(codes.map(({ code, id: number }) => [code, number]))})`;
}

function titleTable(name: string, owner: string, id: string, title: string, from: string): TableDefinition {
  return {
    name,
    description: `Titles of the ${owner}s by language.`,
    columns: {
      [owner]: text("Code.", { source: `positions ${id}` }),
      lang: text("Language."),
      title: text("Title.", { source: `positions ${title}` }),
    },
    key: [owner, "lang"],
    references: [
      { columns: [owner], table: owner },
      { columns: ["lang"], table: "language" },
    ],
    withoutRowid: true,
    fill: `SELECT ${owner}.${owner}, coverage.lang, min(entry.value ->> '$.data.${title}')
           FROM coverage JOIN record USING (dataset, slice), ${from}
           JOIN ${owner} ON ${owner}.${id} = entry.value ->> '$.data.${id}'
           WHERE coverage.dataset = 'positions' AND entry.type = 'object' GROUP BY 1, 2 ORDER BY 1, 2`,
  };
}
