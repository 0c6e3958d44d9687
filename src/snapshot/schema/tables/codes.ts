import { DAY_WINDOWS, LANES, LANGUAGES, RANKS, ROLES } from "../../../api/enumerations.ts";
import { integer, maybe, text } from "../definition.ts";
import { asked, at, codeOf, type DefinedRows, objects } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

/** A list of lanes or roles in a record: its path, and those of its numbers, titles and pictures. */
interface PlaceList {
  name: "role" | "lane";
  path: string;
  id: string;
  title: string;
  icon: string;
  codes: readonly { code: string; id: string }[];
}

const ROLE: PlaceList = {
  name: "role",
  path: "data.hero.data.sortid",
  id: "data.sort_id",
  title: "data.sort_title",
  icon: "data.sort_icon",
  codes: ROLES,
};
const LANE: PlaceList = {
  name: "lane",
  path: "data.hero.data.roadsort",
  id: "data.road_sort_id",
  title: "data.road_sort_title",
  icon: "data.road_sort_icon",
  codes: LANES,
};

export const codeTables: DefinedTable[] = [
  {
    name: "language",
    kind: "text",
    description: "The languages of the service.",
    columns: {
      lang: text("Code, as the parameter lang takes it."),
      name: text("English name."),
      script: text("Script that texts in it are expected in."),
    },
    key: ["lang"],
    withoutRowid: true,
    constants: LANGUAGES.map(({ code, name, script }) => [code, name, script]),
  },
  {
    name: "rank",
    kind: "row",
    description: "Rank brackets of the statistics.",
    columns: {
      rank: text("Code, as the parameter rank takes it."),
      position: integer("Place in the order, from 1: all brackets together, then the lowest to the highest."),
      name: text("Name of the bracket."),
      bigrank: text("Publisher's code of the bracket in the records.", { source: "data.bigrank, data.big_rank" }),
    },
    key: ["rank"],
    withoutRowid: true,
    constants: RANKS.map(({ code, name, bigrank }, index) => [code, index + 1, name, bigrank]),
  },
  {
    name: "day_window",
    kind: "row",
    description: "Windows of the statistics. A longer window contains the shorter ones.",
    columns: { days: integer("Length of the window.", { unit: "days" }) },
    key: ["days"],
    constants: DAY_WINDOWS.map((days) => [Number(days)]),
  },
  {
    name: "role",
    kind: "row",
    description: "Roles of heroes.",
    columns: {
      role: text("Code, as the parameter role takes it.", { from: codeOf(ROLE.id, "role", ROLES) }),
      sort_id: text("Publisher's number of the role.", { source: "positions data.hero.data.sortid[].data.sort_id" }),
      icon_url: maybe.text("Icon.", { from: at(ROLE.icon) }),
    },
    key: ["role"],
    withoutRowid: true,
    constants: ROLES.map(({ code, id }) => [code, id, null]),
    rows: iconRows(ROLE),
  },
  {
    name: "lane",
    kind: "row",
    description: "Lanes of the map.",
    columns: {
      lane: text("Code, as the parameter lane takes it.", { from: codeOf(LANE.id, "lane", LANES) }),
      road_sort_id: text("Publisher's number of the lane.", {
        source: "positions data.hero.data.roadsort[].data.road_sort_id",
      }),
      icon_url: maybe.text("Icon.", { from: at(LANE.icon) }),
    },
    key: ["lane"],
    withoutRowid: true,
    constants: LANES.map(({ code, id }) => [code, id, null]),
    rows: iconRows(LANE),
  },
  {
    name: "game_version",
    kind: "row",
    description: "Versions of the game that the upstream lists.",
    columns: {
      version_id: integer("Publisher's id of the record.", { from: at("id") }),
      game_version: text("Version of the game, with dots.", { from: at("data.game_version") }),
      created_at_ms: integer("Time when the record was made.", { from: at("createdAt"), stamp: "record" }),
      updated_at_ms: maybe.integer("Time when the record was last changed.", {
        from: at("updatedAt"),
        stamp: "record",
      }),
    },
    key: ["version_id"],
    rows: [{ datasets: ["versions"], langs: "base" }],
  },
  titleTable(ROLE),
  titleTable(LANE),
];

/** The tables whose rows a program knows before anything is asked. */
export const CODE_TABLES = codeTables.filter(({ constants }) => constants);

function iconRows({ path }: PlaceList): DefinedRows[] {
  return [{ datasets: ["positions"], langs: "base", each: [objects(path, { padding: "" })], merge: "add" }];
}

function titleTable({ name, path, id, title, codes }: PlaceList): DefinedTable {
  return {
    name: `${name}_text`,
    kind: "text",
    description: `Titles of the ${name}s by language.`,
    columns: {
      [name]: text(`Code of the ${name}.`, { from: codeOf(id, name, codes) }),
      lang: text("Language.", { from: asked("lang") }),
      title: text(`Title of the ${name}.`, { from: at(title) }),
    },
    key: [name, "lang"],
    references: [
      { columns: [name], table: name },
      { columns: ["lang"], table: "language" },
    ],
    withoutRowid: true,
    rows: [{ datasets: ["positions"], langs: "each", each: [objects(path, { padding: "" })] }],
  };
}
