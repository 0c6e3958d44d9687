import SQLite from "better-sqlite3";
import { expect } from "vitest";
import { DAY_WINDOWS, LANES, LANGUAGES, RANKS, ROLES } from "../../src/api/enumerations.ts";
import type { TableDefinition } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";

type Paths = Readonly<Record<string, string>>;
const columnsFrom = (paths: Paths, toSql: (value: string) => string, of: string) =>
  Object.entries(paths)
    .map(([name, path]) => `${toSql(`${of} ->> '$.${path}'`)} AS ${name}`)
    .join(", ");

/** Columns with what lies at these paths of a record; null where nothing does. */
const cells = (paths: Paths, of = "r") => columnsFrom(paths, (value) => value, of);
/** The same, with null for an empty text. */
const filled = (paths: Paths, of = "r") => columnsFrom(paths, (value) => `nullif(${value}, '')`, of);
/** Numbers that are sent as texts. */
const numerals = (paths: Paths, of = "r") => columnsFrom(paths, (value) => `nullif(${value}, '') + 0`, of);
/** A list of the code as a table. */
const constants = (list: unknown) => `json_each('${JSON.stringify(list)}')`;

const STAMPS = { created_at_ms: "createdAt", updated_at_ms: "updatedAt" };
const BATCH = { batch_at_ms: "_updatedAt", created_at_ms: "_createdAt", record_id: "id", source_id: "sourceId" };
const SIDE = { match_type: "data.match_type", camp_type: "data.camp_type" };
const RATES = { win_rate: "data.main_hero_win_rate", ban_rate: "data.main_hero_ban_rate" };
const APPEARANCE = { appearance_rate: "data.main_hero_appearance_rate" };
const CHANNEL = { channel_id: "data.main_hero_channel.id" };
const PAIRED = { other_hero_id: "heroid", increase_win_rate: "increase_win_rate" };
const MINUTES = ["6_8", "8_10", "10_12", "12_14", "14_16", "16_18", "18_20", "20"];
const HERO = "hero AS hero_id";
const LANED = `${HERO}, lane, rank`;
const PLACE = "e.key + 1 AS position";

/** The entries of a list of roles or lanes whose number is known; an empty text pads the list. */
const placed = (dataset: string, list: string, number: string, codes: unknown) =>
  `SELECT hero, lang, e.key + 1 AS position, c.value ->> '$.code' AS code, r -> (e.fullkey || '.data') AS data
   FROM sent, json_each(r, '$.data.hero.data.${list}') AS e JOIN ${constants(codes)} AS c
     ON c.value ->> '$.id' = r ->> (e.fullkey || '.data.${number}') WHERE dataset = '${dataset}'`;
const roles = (dataset: string) => `(${placed(dataset, "sortid", "sort_id", ROLES)})`;
const lanes = (dataset: string) => `(${placed(dataset, "roadsort", "road_sort_id", LANES)})`;

const KINDS = constants(["assist", "strong", "weak"]);
const SKILLS = `(SELECT hero, lang, l.key + 1 AS list_position, s.key + 1 AS place, l.value ->> '$.skilllistid' AS list_id, s.value AS skill
   FROM sent, json_each(r, '$.data.hero.data.heroskilllist') AS l, json_each(l.value, '$.skilllist') AS s WHERE dataset = 'hero')`;
const TAGS = `(SELECT hero, lang, skill ->> '$.skillid' AS skill_id, t.key + 1 AS position, t.value AS tag
   FROM ${SKILLS}, json_each(skill, '$.skilltag') AS t)`;
/** The two lists of items complete each other: one has all of them, the other details of most. */
const itemsIn = (dataset: string) => `coalesce(max(r -> '$.data') FILTER (WHERE dataset = '${dataset}'), '{}')`;
const ITEMS = `(SELECT r ->> '$.data.equipid' AS item_id, lang, json_patch(${itemsIn("equipment")}, ${itemsIn("equipment-expanded")}) AS r
   FROM sent WHERE dataset IN ('equipment', 'equipment-expanded') GROUP BY 1, 2)`;
const TREND = "(SELECT *, max(days) OVER (PARTITION BY rank, hero) AS longest FROM sent WHERE dataset = 'trends')";

/** The rows that every analysts' table should have, by SQL on the records: `sent` has them with what they were asked with. */
const EXPECTED: Readonly<Record<string, string>> = {
  language: `SELECT ${cells({ lang: "code", name: "name", script: "script" }, "value")} FROM ${constants(LANGUAGES)}`,
  rank: `SELECT key + 1 AS position, ${cells({ rank: "code", name: "name", bigrank: "bigrank" }, "value")} FROM ${constants(RANKS)}`,
  day_window: `SELECT value + 0 AS days FROM ${constants(DAY_WINDOWS)}`,
  // A role that no hero has is a row without an icon.
  role: `SELECT ${cells({ role: "code", sort_id: "id" }, "c.value")}, data ->> '$.sort_icon' AS icon_url
    FROM ${constants(ROLES)} AS c LEFT JOIN (SELECT * FROM ${roles("positions")} WHERE lang = 'en') ON code = role`,
  role_text: `SELECT code AS role, lang, ${cells({ title: "sort_title" }, "data")} FROM ${roles("positions")}`,
  lane: `SELECT code AS lane, ${cells({ road_sort_id: "road_sort_id", icon_url: "road_sort_icon" }, "data")}
    FROM ${lanes("positions")} WHERE lang = 'en'`,
  lane_text: `SELECT code AS lane, lang, ${cells({ title: "road_sort_title" }, "data")} FROM ${lanes("positions")}`,
  game_version: `SELECT ${cells({ version_id: "id", game_version: "data.game_version", ...STAMPS })} FROM sent WHERE dataset = 'versions'`,

  hero: `SELECT ${cells({ hero_id: "data.hero_id", name: "data.hero.data.name" }, "list.r")},
      ${cells({ head_url: "data.hero.data.head", smallmap_url: "data.hero.data.smallmap" }, "list.r")},
      ${filled({ catalog_painting_url: "data.painting" }, "catalog.r")}, ${filled(
        {
          ...{ square_head_url: "data.hero.data.squarehead", square_head_big_url: "data.hero.data.squareheadbig" },
          ...{ game_painting_url: "data.hero.data.painting", skill_levels: "data.hero.data.recommendlevellabel" },
          ...{ page_head_url: "data.head", head_big_url: "data.head_big" },
          ...{ painting_url: "data.painting", lore_url: "data.url" },
        },
        "detail.r",
      )}, ${numerals(
        {
          ...{ durability: "data.hero.data.abilityshow[0]", offense: "data.hero.data.abilityshow[1]" },
          ...{ ability_effects: "data.hero.data.abilityshow[2]", difficulty: "data.hero.data.difficulty" },
        },
        "detail.r",
      )}, ${cells(
        {
          ...{ channel_id: "id", ...STAMPS },
          ...{ game_record_id: "data.hero.id", game_source_id: "data.hero.sourceId" },
          ...{ game_created_at_ms: "data.hero._createdAt", game_updated_at_ms: "data.hero._updatedAt" },
        },
        "detail.r",
      )}
    FROM sent AS list
      LEFT JOIN sent AS detail ON detail.dataset = 'hero' AND detail.lang = list.lang AND detail.hero = list.r ->> '$.data.hero_id'
      LEFT JOIN sent AS catalog ON catalog.dataset = 'catalog' AND catalog.lang = list.lang
        AND catalog.r ->> '$.data.hero_id' = list.r ->> '$.data.hero_id'
    WHERE list.dataset = 'heroes' AND list.lang = 'en'`,
  hero_text: `SELECT ${cells({ hero_id: "data.hero_id", name: "data.hero.data.name" }, "list.r")}, list.lang,
      ${filled({ story: "data.hero.data.story", tale: "data.hero.data.tale" }, "detail.r")}
    FROM sent AS list LEFT JOIN sent AS detail
      ON detail.dataset = 'hero' AND detail.lang = list.lang AND detail.hero = list.r ->> '$.data.hero_id' WHERE list.dataset = 'heroes'`,
  hero_role: `SELECT ${HERO}, position, code AS role FROM ${roles("hero")} WHERE lang = 'en'`,
  hero_lane: `SELECT ${HERO}, position, code AS lane FROM ${lanes("hero")} WHERE lang = 'en'`,
  hero_speciality: `SELECT ${HERO}, lang, ${PLACE}, e.value AS speciality
    FROM sent, json_each(r, '$.data.hero.data.speciality') AS e WHERE dataset = 'hero' AND e.value <> ''`,
  hero_relation: `SELECT ${cells({ hero_id: "data.hero_id" })}, k.value AS kind, ${PLACE}, e.value AS target_hero_id
    FROM sent, ${KINDS} AS k, json_each(r, '$.data.relation.' || k.value || '.target_hero_id') AS e
    WHERE dataset = 'relations' AND e.value <> 0`,
  hero_relation_text: `SELECT ${HERO}, k.value AS kind, lang, r ->> ('$.data.relation.' || k.value || '.desc') AS description
    FROM sent, ${KINDS} AS k WHERE dataset = 'hero' AND description <> ''`,
  skill_slot: `SELECT ${HERO}, list_position, place AS position, ${cells({ skill_id: "skillid" }, "skill")}, list_id FROM ${SKILLS} WHERE lang = 'en'`,
  skill: `SELECT ${HERO}, ${cells({ skill_id: "skillid", icon_url: "skillicon" }, "skill")}, ${filled({ video_url: "skillvideo" }, "skill")} FROM ${SKILLS}`,
  // A skill of both forms has the text of the first.
  skill_text: `SELECT *, number_in(cooldown_and_cost, 0) AS cooldown_seconds, number_in(cooldown_and_cost, 1) AS mana_cost FROM (
      SELECT ${HERO}, lang, ${cells({ skill_id: "skillid", name: "skillname", description: "skilldesc" }, "skill")},
        plain(skill ->> '$.skilldesc') AS description_plain, ${filled({ cooldown_and_cost: '"skillcd&cost"' }, "skill")},
        min(list_position * 100 + place)
      FROM ${SKILLS} GROUP BY hero, lang, skill ->> '$.skillid')`,
  skill_tag: `SELECT ${HERO}, skill_id, position, ${cells({ tag_id: "tagid" }, "tag")} FROM ${TAGS} WHERE lang = 'en'`,
  tag: `SELECT ${cells({ tag_id: "tagid", color: "tagrgb" }, "tag")} FROM ${TAGS}`,
  tag_text: `SELECT ${cells({ tag_id: "tagid", name: "tagname" }, "tag")}, lang FROM ${TAGS}`,
  skill_combo: `SELECT ${cells({ combo_id: "id", hero_id: "data.hero_id", ...STAMPS })} FROM sent WHERE dataset = 'skill-combos'`,
  skill_combo_text: `SELECT ${cells({ combo_id: "id", title: "data.title", description: "data.desc" })}, lang FROM sent WHERE dataset = 'skill-combos'`,
  skill_combo_step: `SELECT ${cells({ combo_id: "id" })}, ${PLACE}, ${cells(
    {
      ...{ skill_id: "data.skillid", icon_url: "data.skillicon", record_id: "id", source_id: "sourceId" },
      ...{ created_at_ms: "_createdAt", updated_at_ms: "_updatedAt" },
    },
    "e.value",
  )} FROM sent, json_each(r, '$.data.skill_id') AS e WHERE dataset = 'skill-combos'`,

  hero_rate: `SELECT rank, days, ${cells({ hero_id: "data.main_heroid", ...RATES, ...APPEARANCE, ...CHANNEL })} FROM sent WHERE dataset = 'rank'`,
  hero_rate_opponent: `SELECT rank, days, ${cells({ hero_id: "data.main_heroid" })}, ${PLACE},
      ${cells({ ...PAIRED, other_channel_id: "hero_channel.id" }, "e.value")}
    FROM sent, json_each(r, '$.data.sub_hero') AS e WHERE dataset = 'rank'`,
  // The academy's heads are among them; its matrix is a table of its own.
  hero_batch: `SELECT dataset AS source, ${HERO}, rank, days, ${cells({ ...BATCH, ...CHANNEL, ...RATES, ...APPEARANCE, ...SIDE })}
    FROM sent WHERE dataset IN ('counters', 'compatibility', 'stats')
    UNION ALL SELECT dataset, hero, rank, 0, ${cells(BATCH)}, NULL, ${cells(RATES)},
      iif(json_type(r, '$.data.main_hero_pick_rate') IS NULL, r ->> '$.data.main_hero_appearance_rate', r ->> '$.data.main_hero_pick_rate'),
      iif(json_type(r, '$.data.match_type') = 'text', r ->> '$.data.match_type', NULL), r ->> '$.data.camp_type'
    FROM sent WHERE dataset IN ('academy-stats', 'academy-counters', 'teammates')`,
  hero_pairing: `SELECT dataset AS source, ${HERO}, rank, days, s.value ->> '$.side' AS side, ${PLACE}, ${cells(
    {
      ...PAIRED,
      ...{ other_win_rate: "hero_win_rate", other_appearance_rate: "hero_appearance_rate" },
      ...{ other_channel_id: "hero_channel.id", win_rate_0_6: "min_win_rate6" },
      ...Object.fromEntries(MINUTES.map((span) => [`win_rate_${span}`, `min_win_rate${span}`])),
    },
    "e.value",
  )} FROM sent, ${constants([
    { side: "best", list: "sub_hero" },
    { side: "worst", list: "sub_hero_last" },
  ])} AS s, json_each(r, '$.data.' || (s.value ->> '$.list')) AS e WHERE dataset IN ('counters', 'compatibility', 'stats')`,
  hero_trend_series: `SELECT rank, ${HERO}, days, ${cells({ ...BATCH, ...SIDE })} FROM ${TREND}`,
  // The days of a hero come from the longest of its series.
  hero_trend: `SELECT rank, ${HERO},
      ${cells({ date: "date", win_rate: "win_rate", ban_rate: "ban_rate", appearance_rate: "app_rate" }, "e.value")}
    FROM ${TREND}, json_each(r, '$.data.win_rate') AS e WHERE days = longest`,
  hero_matchup: `SELECT rank, dataset = 'teammates' AS match_type, ${HERO}, ${cells(PAIRED, "e.value")}
    FROM sent, json_each(r, '$.data.sub_hero') AS e WHERE dataset IN ('academy-counters', 'teammates')`,
  hero_lane_rate: `SELECT ${LANED}, ${cells({ win_rate: "data.total_win_rate", ...BATCH })} FROM sent WHERE dataset = 'timeline'`,
  hero_minute_rate: `SELECT ${LANED}, ${PLACE},
      ${cells({ from_minute: "time_min", to_minute: "time_max", win_rate: "win_rate" }, "e.value")}
    FROM sent, json_each(r, '$.data.time_win_rate') AS e WHERE dataset = 'timeline'`,
  hero_build: `SELECT ${LANED}, ${PLACE}, ${cells(BATCH)},
      ${cells({ win_rate: "build_win_rate", pick_rate: "build_pick_rate", emblem_id: "runeid", spell_id: "skillid" }, "e.value")}
    FROM sent, json_each(r, '$.data.build') AS e WHERE dataset = 'builds'`,
  hero_build_item: `SELECT ${LANED}, e.key + 1 AS build_position, i.key + 1 AS position, i.value AS item_id
    FROM sent, json_each(r, '$.data.build') AS e, json_each(e.value, '$.equipid') AS i WHERE dataset = 'builds'`,
  hero_build_talent: `SELECT ${LANED}, e.key + 1 AS build_position, t.key + 1 AS position, t.value AS talent_id
    FROM sent, json_each(r, '$.data.build') AS e, json_each(e.value, '$.new_rune_skill') AS t WHERE dataset = 'builds'`,

  item: `SELECT item_id, ${filled({ icon_url: "equipicon" })}, ${numerals({ type_id: "equiptype" })} FROM ${ITEMS} WHERE lang = 'en'`,
  item_text: `SELECT item_id, lang, ${cells({ name: "equipname" })}, plain(r ->> '$.equipskilldesc') AS description_plain,
      ${filled({ type_name: "equiptypename", tips: "equiptips", description: "equipskilldesc" })} FROM ${ITEMS}`,
  item_upgrade: `SELECT item_id, e.value + 0 AS target_item_id
    FROM ${ITEMS}, json_each('["' || replace(r ->> '$.targetequipid', ',', '","') || '"]') AS e WHERE lang = 'en' AND e.value <> ''`,
  spell: `SELECT ${cells({ spell_id: "data.battleskillid" })}, ${filled({ icon_url: "data.__data.skillicon" })} FROM sent
    WHERE dataset = 'spells' AND lang = 'en'`,
  spell_text: `SELECT ${cells({ spell_id: "data.battleskillid" })}, lang, plain(r ->> '$.data.__data.skilldesc') AS description_plain,
      ${filled({ name: "data.__data.skillname", summary: "data.skillshortdesc", description: "data.__data.skilldesc" })}
    FROM sent WHERE dataset = 'spells'`,
  emblem: `SELECT ${cells({ emblem_id: "data.emblem_id" })}, ${numerals({ attribute_id: "data.emblem_detail.data.emblemattr.emblemattrid" })},
      ${filled({ icon_url: "data.emblem_detail.data.attriicon", role_icon_url: "data.emblem_icon" })}
    FROM sent WHERE dataset = 'roles' AND lang = 'en'`,
  emblem_text: `SELECT ${cells({ emblem_id: "data.emblem_id", title: "data.emblem_title" })}, lang,
      ${filled({ name: "data.emblem_detail.data.emblemname", attributes: "data.emblem_detail.data.emblemattr.emblemattr" })}
    FROM sent WHERE dataset = 'roles'`,
  talent: `SELECT ${cells({ talent_id: "data.giftid", tier: "data.gifttiers", skill_id: "data.emblemskill.skillid" })},
      ${filled({ icon_url: "data.emblemskill.skillicon" })} FROM sent WHERE dataset = 'emblems' AND lang = 'en'`,
  talent_text: `SELECT ${cells({ talent_id: "data.giftid", name: "data.emblemskill.skillname" })}, lang,
      ${filled({ description: "data.emblemskill.skilldesc" })}, plain(r ->> '$.data.emblemskill.skilldesc') AS description_plain
    FROM sent WHERE dataset = 'emblems'`,
  rank_step: `SELECT ${cells({ first_rank_id: "data.rankid_start", last_rank_id: "data.rankid_end", level: "data.bigrank" })},
      ${numerals({ division: "data.minrank" })}, ${filled({ icon_url: "data.icon" })} FROM sent WHERE dataset = 'ranks' AND lang = 'en'`,
  rank_step_text: `SELECT ${cells({ first_rank_id: "data.rankid_start", name: "data.bigrank_name" })}, lang,
      ${filled({ division_name: "data.minrank_name" })} FROM sent WHERE dataset = 'ranks'`,
  vote: `SELECT ${cells({ subject: "subject", comments: "comment_count" }, "e.value")}
    FROM sent, json_each(r, '$.list') AS e WHERE dataset = 'ratings' AND lang = 'en'`,
  vote_text: `SELECT ${cells({ subject: "subject", title: "title", description: "desc" }, "e.value")}, lang
    FROM sent, json_each(r, '$.list') AS e WHERE dataset = 'ratings'`,
  vote_candidate: `SELECT subject, ${PLACE}, ${numerals({ score: "score" }, "e.value")}, ${cells(
    {
      ...{ candidate_id: "object", score_total: "score_total", score_count: "score_count" },
      ...{ image_url: "image", image_big_url: "image_big" },
    },
    "e.value",
  )} FROM sent, json_each(r, '$.list') AS e WHERE dataset = 'rating' AND lang = 'en'`,
  vote_candidate_text: `SELECT subject, lang, ${cells({ candidate_id: "object", name: "title" }, "e.value")},
      ${filled({ top_comment: "hot_comment" }, "e.value")} FROM sent, json_each(r, '$.list') AS e WHERE dataset = 'rating'`,
};

const SENT = `CREATE TEMP TABLE sent AS
  SELECT dataset, coalesce(hero_id, 0) AS hero, CAST(subject AS INTEGER) AS subject, lane, rank, coalesce(days, 0) AS days, lang, jsonb(json) AS r
  FROM coverage JOIN record USING (slice_id);
  CREATE INDEX temp.sent_by ON sent (dataset, lang, hero)`;

/** Every analysts' table of a snapshot has rows: exactly those of its archive, with every value as it was sent. */
export function expectTablesOfArchive(file: string) {
  const db = new SQLite(file, { readonly: true });
  db.function("plain", (text) =>
    text
      ? String(text)
          .split(/<font[^>]*>|<\/font>/)
          .join("")
      : null,
  );
  db.function("number_in", (text, at) => Number(String(text).match(/[\d.]+/g)?.[Number(at)] ?? Number.NaN) || null);
  db.exec(SENT);
  const tables = TABLES.filter(({ kind }) => kind !== "internal");
  expect(Object.keys(EXPECTED).sort()).toEqual(tables.map(({ name }) => name).sort());
  for (const definition of tables) expectAnswersOfRows(db, definition);
  for (const { name: table, columns: own, slices = [] } of tables) {
    const sql = EXPECTED[table];
    const columns = Object.keys(own)
      .filter((name) => !slices.includes(name))
      .map((name) => `"${name}"`)
      .join(", ");
    const [is, should] = [`SELECT ${columns} FROM "${table}"`, `SELECT DISTINCT ${columns} FROM (${sql})`];
    const rows = (select: string) => db.prepare(`${select} LIMIT 5`).all();
    const count = (select: string) => db.prepare<[], number>(`SELECT count(*) FROM (${select})`).pluck().get();
    expect(count(is), table).toBeGreaterThan(0);
    const differences = { missing: rows(`${should} EXCEPT ${is}`), invented: rows(`${is} EXCEPT ${should}`) };
    expect({ table, ...differences }).toEqual({ table, missing: [], invented: [] });
    // Records that say the same in many places must agree.
    expect(count(should), table).toBe(count(is));
  }
  db.close();
}

const PARAMETERS: Record<string, string> = { hero: "hero_id" };

/** Every row names an answer of its endpoints that was asked with the words and numbers that the row has; only what another answer fills may lack one. */
function expectAnswersOfRows(db: SQLite.Database, { name, rows = [], slices = [] }: TableDefinition) {
  for (const column of slices) {
    const sources = rows.filter(({ slice = "slice_id" }) => slice === column);
    const matches = sources.map(({ datasets, cells }) => {
      const asked = Object.entries(cells).flatMap(([cell, from]) => {
        if (from.kind !== "asked") return [];
        const parameter = `asked.${PARAMETERS[from.name] ?? from.name}`;
        return [
          `own."${cell}" IS ${from.otherwise === undefined ? parameter : `ifnull(${parameter}, ${from.otherwise})`}`,
        ];
      });
      const ofDatasets = datasets.map((dataset) => `asked.dataset = '${dataset}'`).join(" OR ");
      return [`(${ofDatasets})`, ...asked].join(" AND ");
    });
    const named = `SELECT 1 FROM coverage AS asked WHERE asked.slice_id = own."${column}" AND (${matches.join(" OR ")})`;
    const canLack = sources.every(({ merge }) => merge) ? `own."${column}" IS NOT NULL AND` : "";
    const odd = db.prepare(`SELECT own.* FROM "${name}" AS own WHERE ${canLack} NOT EXISTS (${named}) LIMIT 3`).all();
    expect({ table: name, column, odd }).toEqual({ table: name, column, odd: [] });
    const datasets = sources.flatMap((source) => source.datasets);
    const isAsked = db.prepare("SELECT 1 FROM coverage WHERE dataset IN (SELECT value FROM json_each(?))");
    if (!isAsked.get(JSON.stringify(datasets))) continue;
    expect(db.prepare(`SELECT count(*) FROM "${name}" WHERE "${column}" > 0`).pluck().get(), column).toBeGreaterThan(0);
  }
}
