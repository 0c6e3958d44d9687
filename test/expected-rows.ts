import type SQLite from "better-sqlite3";
import type * as z from "zod";
import { LANGUAGES } from "../src/api/languages.ts";
import { LANES, ROLES } from "../src/api/positions.ts";
import { RANKS } from "../src/api/ranks.ts";
import type { versionRecord } from "../src/api/records/academy.ts";
import type { heroDetailRecord, heroListRecord, positionRecord, skillComboRecord } from "../src/api/records/hero.ts";
import type { pairingRecord, rankRecord, trendRecord } from "../src/api/records/statistics.ts";
import { DAY_WINDOWS } from "../src/api/windows.ts";

/** What the records of a dataset are. */
interface Shapes extends Record<"counters" | "compatibility" | "stats", z.infer<typeof pairingRecord>> {
  heroes: z.infer<typeof heroListRecord>;
  hero: z.infer<typeof heroDetailRecord>;
  positions: z.infer<typeof positionRecord>;
  relations: z.infer<typeof heroListRecord>;
  "skill-combos": z.infer<typeof skillComboRecord>;
  rank: z.infer<typeof rankRecord>;
  trends: z.infer<typeof trendRecord>;
  versions: z.infer<typeof versionRecord>;
}

/** A record of the archive with what it was asked with; empty and 0 where it was asked without. */
export interface Sent<T = unknown> {
  dataset: string;
  hero: number;
  rank: string;
  days: number;
  lang: string;
  record: T;
}

export type Cell = string | number | null;
export type Row = Record<string, Cell>;
/** The rows of a table by their key. */
export type Rows = Map<string, Row>;

/** The records that a condition on coverage and record selects, in their order. */
export function* recordsWhere(db: SQLite.Database, condition: string, value: string): Generator<Sent> {
  const all = db.prepare<[string], Omit<Sent, "record"> & { json: string }>(
    `SELECT dataset, coalesce(hero_id, 0) AS hero, coalesce(rank, '') AS rank, coalesce(days, 0) AS days, lang, json
     FROM coverage JOIN record USING (dataset, slice) WHERE ${condition} ORDER BY dataset, slice, position`,
  );
  for (const { json, ...asked } of all.iterate(value)) yield { ...asked, record: JSON.parse(json) };
}

/** The rows that every analysts' table should have, worked out from the archive record by record. */
export function expectRows(db: SQLite.Database): Map<string, Rows> {
  const tables = new Map<string, Rows>();
  const keys = new Map<string, string[]>();
  const keyOf = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk").pluck();

  /** Records that say the same in many places must agree. */
  const add = (table: string, row: Row) => {
    const rows = tables.get(table) ?? new Map<string, Row>();
    tables.set(table, rows);
    const columns = keys.get(table) ?? keyOf.all(table);
    keys.set(table, columns);
    const key = keyText(row, columns);
    const held = rows.get(key);
    if (held && Object.keys(row).some((column) => !Object.is(held[column], row[column]))) {
      throw new Error(`${table} ${key}: ${JSON.stringify(held)} and ${JSON.stringify(row)}`);
    }
    rows.set(key, row);
  };
  const each = <D extends keyof Shapes>(dataset: D, use: (sent: Sent<Shapes[D]>) => void) => {
    for (const sent of recordsWhere(db, "dataset = ?", dataset)) use(sent as Sent<Shapes[D]>);
  };

  for (const { code, name, script } of LANGUAGES) add("language", { lang: code, name, script });
  for (const { code, name, bigrank } of RANKS) add("rank", { rank: code, name, bigrank });
  for (const days of DAY_WINDOWS) add("day_window", { days: Number(days) });
  each("positions", ({ lang, record }) => {
    for (const { code, data } of rolesOf(record.data.hero.data)) {
      add("role_text", { role: code, lang, title: data.sort_title });
      if (lang === "en") add("role", { role: code, sort_id: data.sort_id, icon_url: data.sort_icon ?? null });
    }
    for (const { code, data } of lanesOf(record.data.hero.data)) {
      const icon_url = data.road_sort_icon ?? null;
      add("lane_text", { lane: code, lang, title: data.road_sort_title });
      if (lang === "en") add("lane", { lane: code, road_sort_id: data.road_sort_id, icon_url });
    }
  });
  each("versions", ({ record: { id, createdAt, updatedAt, data } }) => {
    const stamps = { created_at_ms: createdAt, updated_at_ms: updatedAt ?? null };
    add("game_version", { version_id: id, game_version: data.game_version, ...stamps });
  });

  const details = new Map<string, Shapes["hero"]>();
  each("hero", ({ hero, lang, record }) => {
    details.set(`${hero} ${lang}`, record);
    addDetail(add, hero, lang, record);
  });
  each("heroes", ({ lang, record: { data } }) => {
    const { hero_id } = data;
    const detail = details.get(`${hero_id} ${lang}`);
    const { story, tale } = detail?.data.hero.data ?? {};
    const { name, head: head_url = null, smallmap: smallmap_url = null } = data.hero.data;
    add("hero_text", { hero_id, lang, name, story: filled(story), tale: filled(tale) });
    if (lang === "en") add("hero", { hero_id, name, head_url, smallmap_url, ...factsOf(detail) });
  });
  each("relations", ({ record: { data } }) => {
    for (const kind of KINDS) {
      for (const [place, target_hero_id] of data.relation[kind].target_hero_id.entries()) {
        if (target_hero_id !== 0) {
          add("hero_relation", { hero_id: data.hero_id, kind, position: place + 1, target_hero_id });
        }
      }
    }
  });
  each("skill-combos", ({ lang, record: { id: combo_id, createdAt, updatedAt, data } }) => {
    const stamps = { created_at_ms: createdAt ?? null, updated_at_ms: updatedAt ?? null };
    add("skill_combo", { combo_id, hero_id: data.hero_id, ...stamps });
    add("skill_combo_text", { combo_id, lang, title: data.title, description: data.desc });
    for (const [place, { data: step }] of data.skill_id.entries()) {
      const { skillid: skill_id, skillicon: icon_url = null } = step;
      add("skill_combo_step", { combo_id, position: place + 1, skill_id, icon_url });
    }
  });

  each("rank", ({ rank, days, record: { data } }) => {
    const { main_heroid: hero_id, main_hero_win_rate: win_rate, main_hero_ban_rate: ban_rate } = data;
    add("hero_rate", { rank, days, hero_id, win_rate, ban_rate, appearance_rate: data.main_hero_appearance_rate });
  });
  for (const dataset of ["counters", "compatibility", "stats"] as const) {
    each(dataset, (sent) => addPairings(add, sent));
  }
  const longest = new Map<string, number>();
  each("trends", ({ rank, hero, days }) => {
    const series = `${rank} ${hero}`;
    longest.set(series, Math.max(days, longest.get(series) ?? 0));
  });
  each("trends", ({ rank, hero: hero_id, days, record }) => {
    if (longest.get(`${rank} ${hero_id}`) !== days) return;
    for (const { date, win_rate, ban_rate, app_rate } of record.data.win_rate) {
      add("hero_trend", { rank, hero_id, date, win_rate, ban_rate, appearance_rate: app_rate });
    }
  });
  return tables;
}

type Add = (table: string, row: Row) => void;

export const KINDS = ["assist", "strong", "weak"] as const;

/** A key as a text that no other key has. */
export const keyText = (row: Row, columns: readonly string[]) => columns.map((column) => row[column]).join(" · ");

const filled = (text: string | undefined) => text || null;
const numeral = (text: string | undefined) => (text ? Number(text) : null);

/** The entries of a list of roles or lanes whose number is known; an empty text pads the list. */
const codesOf = <T>(
  codes: readonly { code: string; id: string }[],
  list: readonly ("" | { data: T })[],
  idOf: (data: T) => string,
) =>
  list.flatMap((entry, place) => {
    const code = entry === "" ? undefined : codes.find(({ id }) => id === idOf(entry.data))?.code;
    return entry === "" || !code ? [] : [{ code, data: entry.data, position: place + 1 }];
  });

type Placed = Shapes["positions"]["data"]["hero"]["data"];
const rolesOf = ({ sortid }: Pick<Placed, "sortid">) => codesOf(ROLES, sortid, (data) => data.sort_id);
const lanesOf = ({ roadsort }: Pick<Placed, "roadsort">) => codesOf(LANES, roadsort, (data) => data.road_sort_id);

const factsOf = (detail: Shapes["hero"] | undefined): Row => ({
  head_big_url: filled(detail?.data.head_big),
  painting_url: filled(detail?.data.painting),
  lore_url: filled(detail?.data.url),
  durability: numeral(detail?.data.hero.data.abilityshow?.[0]),
  offense: numeral(detail?.data.hero.data.abilityshow?.[1]),
  ability_effects: numeral(detail?.data.hero.data.abilityshow?.[2]),
  difficulty: numeral(detail?.data.hero.data.difficulty),
  channel_id: detail?.id ?? null,
  created_at_ms: detail?.createdAt ?? null,
  updated_at_ms: detail?.updatedAt ?? null,
});

function addDetail(add: Add, hero_id: number, lang: string, { data }: Shapes["hero"]) {
  const { speciality = [], heroskilllist } = data.hero.data;
  if (lang === "en") {
    for (const { code, position } of rolesOf(data.hero.data)) add("hero_role", { hero_id, position, role: code });
    for (const { code, position } of lanesOf(data.hero.data)) add("hero_lane", { hero_id, position, lane: code });
  }
  for (const [place, label] of speciality.entries()) {
    if (label) add("hero_speciality", { hero_id, lang, position: place + 1, speciality: label });
  }
  for (const kind of KINDS) {
    const { desc } = data.relation[kind];
    if (desc) add("hero_relation_text", { hero_id, kind, lang, description: desc });
  }
  const met = new Set<number>();
  for (const [place, { skilllistid: list_id, skilllist }] of heroskilllist.entries()) {
    for (const [at, skill] of skilllist.entries()) {
      const { skillid: skill_id, skillname: name, skilldesc: description } = skill;
      if (lang === "en") {
        add("skill_slot", { hero_id, list_position: place + 1, position: at + 1, skill_id, list_id });
      }
      add("skill", { hero_id, skill_id, icon_url: skill.skillicon ?? null, video_url: filled(skill.skillvideo) });
      for (const [index, { tagid: tag_id, tagname, tagrgb }] of (skill.skilltag ?? []).entries()) {
        add("tag", { tag_id, color: tagrgb ?? null });
        add("tag_text", { tag_id, lang, name: tagname });
        if (lang === "en") add("skill_tag", { hero_id, skill_id, position: index + 1, tag_id });
      }
      // A skill of both forms has the text of the first.
      if (met.has(skill_id)) continue;
      met.add(skill_id);
      const description_plain = description.split(/<font[^>]*>|<\/font>/).join("");
      const cooldown_and_cost = filled(skill["skillcd&cost"]);
      add("skill_text", { hero_id, skill_id, lang, name, description, description_plain, cooldown_and_cost });
    }
  }
}

const MINUTES = ["6_8", "8_10", "10_12", "12_14", "14_16", "16_18", "18_20", "20"] as const;

function addPairings(add: Add, { dataset, hero: hero_id, rank, days, record }: Sent<Shapes["counters"]>) {
  const key = { source: dataset, hero_id, rank, days };
  const { data } = record;
  add("hero_batch", {
    ...key,
    batch_at_ms: record._updatedAt ?? null,
    created_at_ms: record._createdAt ?? null,
    record_id: record.id ?? null,
    source_id: record.sourceId ?? null,
    channel_id: data.main_hero_channel?.id ?? null,
    win_rate: data.main_hero_win_rate,
    ban_rate: data.main_hero_ban_rate ?? null,
    appearance_rate: data.main_hero_appearance_rate ?? null,
  });
  for (const [side, list] of Object.entries({ best: data.sub_hero, worst: data.sub_hero_last })) {
    for (const [place, other] of list.entries()) {
      add("hero_pairing", {
        ...key,
        side,
        position: place + 1,
        other_hero_id: other.heroid,
        increase_win_rate: other.increase_win_rate,
        other_win_rate: other.hero_win_rate ?? null,
        other_appearance_rate: other.hero_appearance_rate ?? null,
        other_channel_id: other.hero_channel?.id ?? null,
        win_rate_0_6: other.min_win_rate6 ?? null,
        ...Object.fromEntries(MINUTES.map((span) => [`win_rate_${span}`, other[`min_win_rate${span}`] ?? null])),
      });
    }
  }
}
