import type SQLite from "better-sqlite3";
import { DAY_WINDOWS, LANGUAGES, RANKS, ROLES } from "../../../src/api/enumerations.ts";
import { addCandidates, addEmblem, addItems, addRankStep, addSpell, addTalent, addVotes } from "./academy.ts";
import { keyText, type Row, type Rows, recordsWhere, type Sent, type Shapes } from "./archive.ts";
import { addDetail, addStep, factsOf, filled, KINDS, lanesOf, rolesOf } from "./heroes.ts";
import { addAcademyHead, addBuilds, addMatrix, addTimeline } from "./lanes.ts";
import { addPairings, addRate, addSeries } from "./statistics.ts";

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
  // A role that no hero has is a row without an icon.
  for (const { code: role, id: sort_id } of ROLES)
    if (!tables.get("role")?.has(role)) add("role", { role, sort_id, icon_url: null });
  each("versions", ({ record: { id, createdAt, updatedAt, data } }) => {
    const stamps = { created_at_ms: createdAt, updated_at_ms: updatedAt ?? null };
    add("game_version", { version_id: id, game_version: data.game_version, ...stamps });
  });

  const details = new Map<string, Shapes["hero"]>();
  each("hero", ({ hero, lang, record }) => {
    details.set(`${hero} ${lang}`, record);
    addDetail(add, hero, lang, record);
  });
  const catalog = new Map<number, string | undefined>();
  each("catalog", ({ lang, record: { data } }) => {
    if (lang === "en") catalog.set(data.hero_id, data.painting);
  });
  each("heroes", ({ lang, record: { data } }) => {
    const { hero_id } = data;
    const detail = details.get(`${hero_id} ${lang}`);
    const { story, tale } = detail?.data.hero.data ?? {};
    const { name, head: head_url = null, smallmap: smallmap_url = null } = data.hero.data;
    add("hero_text", { hero_id, lang, name, story: filled(story), tale: filled(tale) });
    const catalog_painting_url = filled(catalog.get(hero_id));
    if (lang === "en") add("hero", { hero_id, name, head_url, smallmap_url, catalog_painting_url, ...factsOf(detail) });
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
    for (const [place, step] of data.skill_id.entries()) addStep(add, { combo_id, position: place + 1 }, step);
  });

  each("rank", (sent) => addRate(add, sent));
  for (const dataset of ["counters", "compatibility", "stats"] as const) {
    each(dataset, (sent) => addPairings(add, sent));
  }
  const longest = new Map<string, number>();
  each("trends", ({ rank, hero, days }) => {
    const series = `${rank} ${hero}`;
    longest.set(series, Math.max(days, longest.get(series) ?? 0));
  });
  each("trends", (sent) => addSeries(add, sent, longest.get(`${sent.rank} ${sent.hero}`) === sent.days));

  const items: Sent<Shapes["equipment"] | Shapes["equipment-expanded"]>[] = [];
  each("equipment", (sent) => void items.push(sent));
  each("equipment-expanded", (sent) => void items.push(sent));
  addItems(add, items);
  each("spells", (sent) => addSpell(add, sent));
  each("roles", (sent) => addEmblem(add, sent));
  each("emblems", (sent) => addTalent(add, sent));
  each("ranks", (sent) => addRankStep(add, sent));
  each("timeline", (sent) => addTimeline(add, sent));
  each("builds", (sent) => addBuilds(add, sent));
  each("academy-stats", (sent) => addAcademyHead(add, sent));
  for (const dataset of ["academy-counters", "teammates"] as const) {
    each(dataset, (sent) => {
      addAcademyHead(add, sent);
      addMatrix(add, sent);
    });
  }
  each("ratings", (sent) => addVotes(add, sent));
  each("rating", (sent) => addCandidates(add, sent));
  return tables;
}
