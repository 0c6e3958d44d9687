import { copyFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { BAN_RATE, SIDE } from "../../src/snapshot/schema/columns.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { selectBuilds } from "../../src/snapshot/schema/views/builds.ts";
import { type Row, recordsWhere } from "../helpers/archive.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

const all = (sql: string, ...values: unknown[]) => db.prepare<unknown[], Row>(sql).all(...values);
const column = (sql: string, ...values: unknown[]) => {
  const query = db.prepare<unknown[], string>(sql).pluck();
  return query.all(...values);
};

describe("the views", () => {
  test("have rows", () => {
    for (const view of VIEWS.map(({ name }) => name))
      expect(all(`SELECT * FROM ${view} LIMIT 1`).length > 0, view).toBe(view !== "coverage_hole");
  });

  test("list the heroes of a rank and window by score, with seldom ones last, and their tiers", () => {
    const listed = all("SELECT * FROM tier_list WHERE rank = 'glory' AND days = 7 ORDER BY place");
    const sent = [...recordsWhere(db, "dataset || slice = ?", "rankrank=glory&days=7&lang=en")].map(({ record }) => {
      const { data } = record as { data: Record<string, number> };
      const [win, picks] = [data.main_hero_win_rate ?? 0, data.main_hero_appearance_rate ?? 0];
      return { hero_id: data.main_heroid ?? 0, win, picks, score: 0.5 + ((win - 0.5) * picks) / (picks + 0.0025) };
    });
    const isSeldom = ({ picks }: { picks: number }) => Number(picks < 0.001);
    const wanted = sent.toSorted((a, b) => isSeldom(a) - isSeldom(b) || b.score - a.score || a.hero_id - b.hero_id);
    expect(listed.map(({ hero_id }) => hero_id)).toEqual(wanted.map(({ hero_id }) => hero_id));
    expect(listed.map(({ place }) => place)).toEqual(wanted.map((_, index) => index + 1));
    const bounds = [0.53, 0.51, 0.49, 0.47, 0];
    for (const [index, { score, tier, win_rate }] of listed.entries()) {
      expect(score).toBeCloseTo(wanted[index]?.score ?? 0, 12);
      expect(tier).toBe("SABCD"[bounds.findIndex((from) => Number(score) >= from)]);
      expect(win_rate).toBe(wanted[index]?.win);
    }
    expect(new Set(listed.map(({ tier }) => tier)).size).toBe(5);
    expect(wanted.filter(isSeldom).length).toBeGreaterThan(0);
  });

  test("list the opponents of a hero, best and worst first", () => {
    const rates = (side: string) =>
      column(
        `SELECT increase_win_rate FROM counter_list
         WHERE hero = 'Layla' AND rank = 'all' AND days = 7 AND side = ? ORDER BY position`,
        side,
      ).map(Number);
    const [best, worst] = [rates("best"), rates("worst")];
    expect([best.length, worst.length]).toEqual([5, 5]);
    expect([...best, ...worst.toReversed()]).toEqual([...best, ...worst].sort((a, b) => b - a));
  });

  test("take the change of a trend from the rate of seven days before", () => {
    const where = "hero = 'Layla' AND rank = 'epic'";
    const days = all(`SELECT win_rate, change_7_days FROM trend_change WHERE ${where} ORDER BY date`);
    expect(days).toHaveLength(30);
    for (const [index, { win_rate, change_7_days }] of days.entries()) {
      const before = days[index - 7];
      expect(change_7_days).toBe(before ? Number(win_rate) - Number(before.win_rate) : null);
    }
  });

  test("list who counters the most banned heroes", () => {
    const where = "rank = 'mythic' AND days = 7";
    const rows = all(`SELECT * FROM banned_counter WHERE ${where} AND place <= 5 ORDER BY place, position`);
    const banned = column(`SELECT ban_rate FROM hero_rate WHERE ${where} ORDER BY ban_rate DESC LIMIT 5`);
    expect(rows.map(({ ban_rate }) => ban_rate)).toEqual(banned.flatMap((rate) => [rate, rate, rate, rate, rate]));
    for (const { hero, other, position, increase_win_rate } of rows) {
      const listed = `SELECT other, increase_win_rate FROM counter_list WHERE ${where} AND side = 'worst' AND hero = ? AND position = ?`;
      expect(all(listed, hero, position)).toEqual([{ other, increase_win_rate }]);
      expect(increase_win_rate).toBeLessThan(0);
    }
  });

  test("list pairs of heroes that each have the other among their best team mates, once", () => {
    const best = all(
      "SELECT hero_id, other_hero_id FROM hero_pairing WHERE source = 'compatibility' AND side = 'best' AND rank = 'epic' AND days = 30",
    ).map(({ hero_id, other_hero_id }) => `${hero_id} ${other_hero_id}`);
    const mutual = best.filter((pair) => best.includes(pair.split(" ").reverse().join(" ")));
    const listed = all("SELECT * FROM synergy_list WHERE rank = 'epic' AND days = 30");
    expect(listed.length).toBeGreaterThan(10);
    expect(listed).toHaveLength(mutual.length / 2);
    for (const { hero_id, other_hero_id } of listed) expect(mutual).toContain(`${hero_id} ${other_hero_id}`);
    for (const row of listed) expect(row.increase_win_rate).toBe(row.other_increase_win_rate);
  });

  test("list the rise of a series from the mean of its first three days to that of its last", () => {
    const rises = all("SELECT * FROM trend_rise WHERE rank = 'glory' ORDER BY place");
    expect(rises.map(({ place }) => place)).toEqual(rises.map((_, index) => index + 1));
    expect(rises).toHaveLength(133);
    const values = rises.map(({ rise }) => Number(rise));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    for (const row of rises) {
      const days = all("SELECT * FROM hero_trend WHERE rank = 'glory' AND hero_id = ? ORDER BY date", row.hero_id);
      const mean = (rate: string, from: number) =>
        days.slice(from, from + 3).reduce((sum, day) => sum + Number(day[rate]), 0) / 3;
      expect(row).toMatchObject({ date_from: days[0]?.date, date_to: days[29]?.date });
      expect(row.rise).toBeCloseTo(mean("win_rate", 27) - mean("win_rate", 0), 12);
      expect(row.appearance_rate).toBeCloseTo(mean("appearance_rate", 27), 12);
    }
  });

  test("list no pair twice, and only heroes that both win more together", () => {
    const gains = new Map(
      all("SELECT * FROM hero_matchup WHERE rank = 'legend' AND match_type = 1").map((row) => [
        `${row.hero_id} ${row.other_hero_id}`,
        Number(row.increase_win_rate),
      ]),
    );
    const gainOf = (hero: unknown, other: unknown) => gains.get(`${hero} ${other}`) ?? 0;
    const pairs = [...gains.keys()].map((key) => key.split(" ").map(Number) as [number, number]);
    const wanted = pairs.filter(([hero, other]) => hero < other && gainOf(hero, other) > 0 && gainOf(other, hero) > 0);
    const listed = all("SELECT * FROM duo_list WHERE rank = 'legend'");
    expect(listed.length).toBeGreaterThan(1000);
    expect(new Set(listed.map((row) => `${row.hero_id} ${row.other_hero_id}`))).toEqual(
      new Set(wanted.map((pair) => pair.join(" "))),
    );
    expect(listed).toHaveLength(wanted.length);
    for (const row of listed) {
      expect(row.increase_win_rate).toBe(gainOf(row.hero_id, row.other_hero_id));
      expect(row.other_increase_win_rate).toBe(gainOf(row.other_hero_id, row.hero_id));
    }
  });

  test("leave out short series and pairs of one direction", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "night.sqlite");
    copyFileSync(world.nights.files[0] ?? "", file);
    const night = new SQLite(file);
    const ids = (view: string) =>
      night.prepare<[], number>(`SELECT hero_id FROM ${view} WHERE rank = 'all'`).pluck().all();
    const keep = (hero: number, days: number) =>
      night.exec(`DELETE FROM hero_trend WHERE hero_id = ${hero} AND date NOT IN (
        SELECT date FROM hero_trend WHERE hero_id = ${hero} AND rank = 'all' ORDER BY date DESC LIMIT ${days})`);
    const [first = 0, second = 0] = ids("trend_rise").sort((a, b) => a - b);
    keep(first, 5);
    keep(second, 6);
    expect(ids("trend_rise")).toContain(second);
    expect(ids("trend_rise")).not.toContain(first);
    const [{ hero_id = 0, other_hero_id = 0 } = {}] = night
      .prepare<[], { hero_id: number; other_hero_id: number }>("SELECT * FROM duo_list WHERE rank = 'all'")
      .all();
    const pair = `rank = 'all' AND hero_id = ${hero_id} AND other_hero_id = ${other_hero_id}`;
    const count = () => night.prepare<[], number>(`SELECT count(*) FROM duo_list WHERE ${pair}`).pluck().get();
    expect(count()).toBe(1);
    night.exec(
      `DELETE FROM hero_matchup WHERE rank = 'all' AND match_type = 1 AND hero_id = ${other_hero_id} AND other_hero_id = ${hero_id}`,
    );
    expect(count()).toBe(0);
    night.close();
  });

  test("name each step of a combo in order, by its id if it has no name", () => {
    const combos = all("SELECT * FROM combo_translation WHERE lang = 'ja'");
    expect(combos).toHaveLength(Number(column("SELECT count(*) FROM skill_combo")[0]));
    for (const { combo_id, hero_id, skills, title } of combos) {
      const steps = column("SELECT skill_id FROM skill_combo_step WHERE combo_id = ? ORDER BY position", combo_id);
      const names = steps.map(
        (skill) =>
          column("SELECT name FROM skill_text WHERE hero_id = ? AND skill_id = ? AND lang = 'ja'", hero_id, skill)[0] ??
          skill,
      );
      expect(skills).toBe(names.join(", "));
      expect(column("SELECT title FROM skill_combo_text WHERE combo_id = ? AND lang = 'ja'", combo_id)).toEqual([
        title,
      ]);
    }
  });

  test("name builds, in every language by the same statement, and say which part of the matches they are", () => {
    const of = (lang: string) =>
      all(`SELECT * FROM (${selectBuilds(`'${lang}'`, "', '")}) WHERE hero_id = 18 ORDER BY lane, rank, position`);
    const english = all("SELECT * FROM build_list WHERE hero = 'Layla' ORDER BY lane, rank, position");
    expect(of("en")).toEqual(english);
    for (const lang of LANG_CODES) {
      const builds = of(lang);
      expect(builds.map(({ win_rate }) => win_rate)).toEqual(english.map(({ win_rate }) => win_rate));
      if (lang !== "en") for (const [at, { items }] of builds.entries()) expect(items).not.toBe(english[at]?.items);
    }
    const lists = Map.groupBy(
      all("SELECT * FROM build_list"),
      ({ hero_id, lane, rank }) => `${hero_id} ${lane} ${rank}`,
    );
    for (const builds of lists.values()) {
      const share = builds.reduce((sum, { pick_rate }) => sum + Number(pick_rate), 0);
      for (const { listed_share } of builds) expect(listed_share).toBeCloseTo(share, 12);
    }
  });

  test("list every text that text_quality counts, with where it is", () => {
    expect(
      all(
        "SELECT dataset, lang, issue, count(*) AS count FROM text_issue JOIN coverage USING (slice_id) GROUP BY 1, 2, 3",
      ),
    ).toEqual(
      all(
        `SELECT dataset, lang, 'missing' AS issue, missing AS count FROM text_quality WHERE missing > 0 ORDER BY dataset, lang`,
      ),
    );
    const listed = all("SELECT * FROM text_issue_list");
    expect(listed).toHaveLength(Number(column("SELECT count(*) FROM text_issue")[0]));
    for (const { text, english } of listed) expect([text, english]).toEqual(["", ""]);
  });

  test("have one row for each hero with its roles and lanes in order, also without a lane", () => {
    const places = all("SELECT * FROM hero_place ORDER BY hero_id");
    expect(places).toHaveLength(133);
    expect(places.filter(({ lanes }) => lanes === null).map(({ hero_id }) => hero_id)).toEqual([131]);
    expect(places.filter(({ roles }) => String(roles).includes(", ")).length).toBeGreaterThan(10);
    for (const { hero_id, roles, lanes } of places) {
      const codes = (of: string) => column(`SELECT ${of} FROM hero_${of} WHERE hero_id = ? ORDER BY position`, hero_id);
      expect([roles, lanes]).toEqual([codes("role"), codes("lane")].map((list) => list.join(", ") || null));
    }
  });

  test("set texts of each language beside the English ones", () => {
    const pairs = all("SELECT * FROM skill_translation WHERE lang = 'ja'");
    expect(pairs).toHaveLength(550);
    for (const { name, english_name, description, english_description } of pairs) {
      expect([name, description]).not.toContain(english_name);
      expect(description).not.toBe(english_description);
    }
    expect(column("SELECT count(DISTINCT lang) FROM skill_translation WHERE lang <> 'en'")).toEqual([
      LANG_CODES.length - 1,
    ]);
    expect(column("SELECT count(*) FROM skill_translation WHERE lang = 'en'")).toEqual([0]);
  });

  test("say of each rate when it was asked for, of which day it is and how sure the win rate is", () => {
    const rates = all("SELECT * FROM rate_list ORDER BY rank, days, hero_id");
    expect(rates).toEqual(
      all(`SELECT hero_rate.rank, hero_rate.days, hero_rate.hero_id, hero.name AS hero, win_rate, win_rate_error, ban_rate, appearance_rate, data_date, asked_at
        FROM hero_rate JOIN hero USING (hero_id) JOIN hero_rate_error USING (rank, days, hero_id)
        JOIN coverage ON dataset = 'rank' AND slice = printf('rank=%s&days=%d&lang=en', hero_rate.rank, hero_rate.days)
        ORDER BY hero_rate.rank, hero_rate.days, hero_rate.hero_id`),
    );
    expect(rates).toHaveLength(133 * 6 * 5);
    for (const { win_rate_error } of rates) expect(Number(win_rate_error)).toBeGreaterThan(0);
  });
});

describe("a view", () => {
  const named = /^(hero|other)$/;

  test.for(VIEWS.map((view) => [view.name, view] as const))(
    "has columns as they are described (%s)",
    ([name, { columns, order }]) => {
      const types = { TEXT: "text", INTEGER: "integer", REAL: "real" };
      const wrong = Object.entries(columns).map(([column, { type, nullable }]) => {
        const allowed = [types[type], ...(nullable ? ["null"] : [])].map((word) => `'${word}'`);
        return `total(typeof("${column}") NOT IN (${allowed.join(", ")})) AS "${column}"`;
      });
      const [counts = {}] = all(`SELECT ${wrong.join(", ")} FROM ${name}`);
      expect(counts).toEqual(Object.fromEntries(Object.keys(columns).map((column) => [column, 0])));
      expect(order.filter((column) => !columns[column])).toEqual([]);
    },
  );

  test("that names a hero has its id, and one that names another hero has that id too", () => {
    for (const { name, columns } of VIEWS) {
      const has = Object.keys(columns);
      const heroes = has.filter((column) => named.test(column));
      expect(
        has.filter((column) => /^(mate|opponent|counter)/.test(column)),
        name,
      ).toEqual([]);
      if (heroes.length > 0) expect(has, name).toContain("hero_id");
      if (heroes.length > 1) expect(has, name).toContain("other_hero_id");
    }
    const pairs = VIEWS.filter(({ columns }) => columns.other_hero_id).map(({ name }) => name);
    expect(pairs).toEqual(["counter_list", "banned_counter", "synergy_list", "duo_list", "matchup_list"]);
    for (const name of pairs) {
      const [first, second] = Object.keys(VIEWS.find((view) => view.name === name)?.columns ?? {}).filter((column) =>
        named.test(column),
      );
      const wrong = `SELECT count(*) FROM ${name} AS listed JOIN hero USING (hero_id)
        JOIN hero AS two ON two.hero_id = other_hero_id WHERE listed."${first}" <> hero.name OR listed."${second}" <> two.name`;
      expect(column(wrong), name).toEqual([0]);
    }
  });

  test("that has texts by language begins with the language, and no other has one", () => {
    const byLanguage = VIEWS.filter(({ columns }) => columns.lang).map(({ name, columns }) => [
      name,
      Object.keys(columns)[0],
    ]);
    expect(byLanguage).toEqual(
      ["skill_translation", "combo_translation", "text_issue_list"].map((name) => [name, "lang"]),
    );
  });

  test("counts positions from 1, and so do the tables", () => {
    const positions = all(
      "SELECT table_name, column_name FROM column_doc WHERE column_name GLOB '*position' AND table_name <> 'text_issue'",
    );
    expect(positions.length).toBeGreaterThan(20);
    for (const { table_name, column_name } of positions)
      expect(column(`SELECT min("${column_name}") FROM ${table_name}`), `${table_name}.${column_name}`).toEqual([1]);
  });

  // A view that multiplies rows by languages, or one list by another, takes seconds without a filter.
  test("has no more rows than the largest table that it shows", () => {
    const rowsOf = (name: string) => Number(column(`SELECT count(*) FROM ${name}`)[0]);
    for (const { name, select } of VIEWS) {
      const shown = TABLES.filter((table) => new RegExp(`\\b${table.name}\\b`).test(select));
      expect(rowsOf(name), name).toBeLessThanOrEqual(Math.max(...shown.map((table) => rowsOf(table.name))));
    }
  });

  test("has a place that is one of all heroes of a rank, or of a rank and window", () => {
    const placed = VIEWS.filter(({ columns }) => columns.place).map(({ name, columns }) => [
      name,
      columns.days ? "rank, days" : "rank",
    ]);
    expect(placed.map(([name]) => name)).toEqual(["tier_list", "trend_rise", "banned_counter"]);
    for (const [name, groups] of placed) {
      const wrong = `SELECT count(DISTINCT hero_id) AS heroes FROM ${name} GROUP BY ${groups}
        HAVING min(place) <> 1 OR max(place) <> heroes OR count(DISTINCT place) <> heroes`;
      expect(all(wrong), name).toEqual([]);
    }
    expect(column("SELECT table_name FROM column_doc WHERE column_name = 'place' ORDER BY 1")).toEqual(
      placed.map(([name]) => name).sort(),
    );
  });

  test("has the values that a closed list names, and `side` is one list everywhere", () => {
    const closed = all(
      "SELECT table_name, column_name, description FROM column_doc WHERE description LIKE 'One of: %'",
    );
    expect(closed.map(({ table_name, column_name }) => `${table_name}.${column_name}`)).toEqual([
      "counter_list.side",
      "hero_pairing.side",
      "matchup_list.played",
      "text_issue_list.issue",
    ]);
    for (const { table_name, column_name, description } of closed) {
      const words = /^One of: ([^.]+)\./.exec(String(description))?.[1]?.split(", ") ?? [];
      const values = column(`SELECT DISTINCT "${column_name}" FROM ${table_name}`);
      expect(values.filter((value) => !words.includes(value))).toEqual([]);
    }
    expect(column("SELECT DISTINCT description FROM column_doc WHERE column_name = 'side'")).toEqual([SIDE]);
    const table = TABLES.find(({ name }) => name === "hero_pairing");
    expect(table?.checks).toEqual(["side IN ('best', 'worst')"]);
  });

  test("says of each ban rate that some are above 1, and has a unit that may be", () => {
    expect(all("SELECT DISTINCT description, unit FROM column_doc WHERE column_name = 'ban_rate'")).toEqual([
      { description: BAN_RATE, unit: "bans per match" },
    ]);
    expect(BAN_RATE).toContain("above 1");
  });

  const ranked = VIEWS.filter(({ columns }) => columns.hero_id && columns.rank).map(({ name }) => name);
  test.for([
    ...ranked.map((name) => [name, "hero_id = 1 AND rank = 'all'"]),
    ...ranked.map((name) => [name, "hero_id = 1 AND rank = 'all' ORDER BY 1, 2, 3"]),
    ["counter_list", "hero = 'Miya' AND rank = 'all' AND days = 7"],
    ["counter_list", "other = 'Miya' AND rank = 'all' AND days = 7"],
    ["matchup_list", "hero = 'Miya' AND rank = 'all' AND played = 'with'"],
    ["synergy_list", "rank = 'all' AND days = 7"],
    ["coverage_hole", "dataset = 'hero'"],
    ["duo_list", "rank = 'all'"],
    ["trend_change", "hero = 'Miya' AND rank = 'all'"],
    ["trend_rise", "rank = 'all' AND appearance_rate > 0.01"],
    ["tier_list", "rank = 'all' AND days = 7"],
    ["rate_list", "rank = 'all' AND days = 7"],
    ["banned_counter", "rank = 'all' AND days = 7 AND place < 6"],
    ["combo_translation", "hero_id = 84 AND lang = 'th'"],
    ["skill_translation", "hero = 'Miya' AND lang = 'th'"],
  ])("reads no whole table but those of heroes and ranks (%s, %s)", ([name, where]) => {
    const plan = all(`EXPLAIN QUERY PLAN SELECT * FROM ${name} WHERE ${where}`).map(({ detail }) => String(detail));
    const made = plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(step)?.[1] ?? []);
    const scanned = plan.flatMap((step) => /^SCAN (\S+)/.exec(step)?.[1] ?? []).filter((read) => !made.includes(read));
    expect(scanned.filter((read) => read !== "hero" && read !== "rank")).toEqual([]);
    // An endpoint has half of the pairings.
    expect(plan.filter((step) => step.includes("(source=?)"))).toEqual([]);
    expect(plan.filter((step) => step.startsWith("SEARCH")).length).toBeGreaterThan(0);
  });
});
