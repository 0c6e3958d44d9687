import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { type Changes, diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { tellNews } from "../../src/extra/nights/diff/news.ts";
import { findNews, MIN_SCORE, roundingStep } from "../../src/extra/nights/diff/statistics/noise.ts";
import { createRates } from "../../src/extra/sample/numbers/rates.ts";
import { SEED } from "../helpers/random.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const HEROES = 133;
const NIGHT_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1, 3);

/** Tables that fill a snapshot and have no part in these tests. */
const LEFT_OUT = [
  ...["record", "coverage", "hero_build", "hero_build_item", "hero_build_talent"],
  ...["hero_lane_rate", "hero_minute_rate", "hero_rate_opponent", "hero_relation", "hero_relation_text"],
  ...["hero_trend_series", "listed_text", "rank_step_text", "skill_combo", "skill_combo_step", "skill_combo_text"],
  ...["skill_tag", "vote_candidate", "vote_candidate_text"],
];
/** Tables of which a part is kept. */
const KEPT: Record<string, string> = {
  hero_matchup: "WHERE match_type = 0 AND rank = 'all'",
  hero_pairing: "WHERE source = 'counters' AND rank = 'all' AND days IN (1, 7)",
  hero_trend: "WHERE rank = 'all' AND hero_id <= 10",
};

interface Definition {
  type: string;
  name: string;
  sql: string;
}

function copyPart(file: string) {
  const db = new SQLite(file);
  db.pragma("foreign_keys = OFF");
  db.pragma("synchronous = OFF");
  db.prepare("ATTACH ? AS whole").run(world.snapshot);
  for (const pragma of ["application_id", "user_version"])
    db.pragma(`${pragma} = ${db.pragma(`whole.${pragma}`, { simple: true })}`);
  const schema = "SELECT type, name, sql FROM whole.sqlite_schema WHERE sql IS NOT NULL ORDER BY type <> 'table'";
  for (const { type, name, sql } of db.prepare<[], Definition>(schema).all()) {
    db.exec(sql);
    if (type === "table" && !LEFT_OUT.includes(name) && !name.endsWith("_text"))
      db.exec(`INSERT INTO main."${name}" SELECT * FROM whole."${name}" ${KEPT[name] ?? ""}`);
  }
  db.close();
}

/**
 * Nights of the whole roster that differ by nothing but their rates, those that the embedded upstream has on that day, and
 * by what is done to them. What fills a snapshot and has no part in it is left out.
 */
function prepareNights() {
  const folder = temporaryFolder();
  const base = join(folder.path, "base");
  copyPart(base);

  /** A day on which nothing else is done to it: made once. */
  function prepareDay(day: number, heroes: number): string {
    const file = join(folder.path, `day${day}-${heroes}`);
    if (existsSync(file)) return file;
    copyFileSync(base, file);
    const db = new SQLite(file);
    db.pragma("foreign_keys = OFF");
    db.pragma("synchronous = OFF");
    db.exec(
      `UPDATE hero_trend SET date = date(date, '+1000 days'); UPDATE hero_trend SET date = date(date, '${day - 1000} days');
       DELETE FROM hero_rate WHERE hero_id > ${heroes}`,
    );
    const update = db.prepare(
      "UPDATE hero_rate SET win_rate = ?, ban_rate = ?, appearance_rate = ? WHERE rank = ? AND days = ? AND hero_id = ?",
    );
    const rates = createRates({ seed: 1, day, heroes });
    db.transaction(() => {
      for (const [index, rank] of RANK_CODES.entries())
        for (const days of DAY_WINDOWS.map(Number)) {
          const { win, ban, appearance } = rates.over(index, days);
          for (let hero = 1; hero <= heroes; hero++)
            update.run(win[hero], ban[hero], appearance[hero], rank, days, hero);
        }
    })();
    db.close();
    return file;
  }

  /** The night of a day; of its heroes those up to `heroes` have rates. */
  function write(name: string, day: number, { heroes = HEROES, sql = "SELECT 1" } = {}): string {
    const file = join(folder.path, `${name}.sqlite`);
    copyFileSync(prepareDay(day, heroes), file);
    const startedAt = new Date(START + day * NIGHT_MS).toISOString();
    const version = `${startedAt.replaceAll(/[-:]|\.\d+/g, "")}-${name}`;
    editFile(
      file,
      `UPDATE snapshot SET version = '${version}', started_at = '${startedAt}', content_hash = '${name}'; ${sql}`,
    );
    return file;
  }

  return { path: folder.path, write, remove: () => folder[Symbol.dispose]() };
}

let nights: ReturnType<typeof prepareNights>;
let first: string;
let second: string;

/**
 * Everybody but hero 5 has won two of a hundred more, the second time with as much chance as a few thousand matches.
 */
const SHIFT = "UPDATE hero_rate SET win_rate = win_rate + 0.02";
const NOISE =
  "UPDATE hero_rate SET win_rate = win_rate + 0.0005 * ((hero_id * 7919 + days * 104729) % 201 - 100) / 100.0";

beforeAll(() => {
  nights = prepareNights();
  first = nights.write("00000000", 0);
  second = nights.write("00000001", 1);
});
afterAll(() => nights.remove());

function compare(before: string, after: string): Changes {
  const { changes } = diffSnapshots(before, after);
  if (!changes) throw new Error("nothing changed");
  return changes;
}

const heroesOf = ({ rates: { movers } }: Changes) => [...new Set(movers.map(({ hero_id }) => hero_id))];

describe("rates", () => {
  test.each([133, 40, 12])("of two plain nights of %i heroes are hardly ever news", (heroes) => {
    const files = [0, 1, 2].map((day) => nights.write(`plain${heroes}-${day}`, day, { heroes }));
    for (const day of [1, 2]) {
      const { movers, spread } = compare(files[day - 1] ?? "", files[day] ?? "").rates;
      expect(spread.reduce((sum, { count }) => sum + count, 0)).toBe(heroes * 90);
      expect(movers.length).toBeLessThan(heroes * 0.9);
    }
  });

  test.each([133, 12])("of %i heroes that all moved by the same amount are nobody's news", (heroes) => {
    const before = nights.write("before", 0, { heroes });
    for (const by of ["0.02", "-0.02", "0.1"]) {
      const after = nights.write("shifted", 0, { heroes, sql: `${SHIFT.replace("0.02", by)}` });
      expect(compare(before, after).rates.movers).toEqual([]);
    }
    const after = nights.write("noisy", 0, { heroes, sql: `${SHIFT}; ${NOISE}` });
    expect(compare(before, after).rates.movers).toEqual([]);
  });

  test.each([
    [133, SHIFT],
    [133, `${SHIFT}; ${NOISE}`],
    [12, `${SHIFT}; ${NOISE}`],
  ])("of %i heroes are those of the only one that did not move: %s", (heroes, shift) => {
    const before = nights.write("before-all", 0, { heroes });
    const sql = `${shift}; UPDATE hero_rate SET win_rate = win_rate - 0.02 WHERE hero_id = 5`;
    const after = nights.write("but-one", 0, { heroes, sql });
    const changes = compare(before, after);
    expect(heroesOf(changes)).toEqual([5]);
    expect(changes.rates.movers).toHaveLength(6);
    for (const { change, apart, score } of changes.rates.movers.flatMap((one) => [one, ...one.also_in])) {
      expect(Math.abs(change)).toBeLessThan(0.001);
      expect(apart).toBeCloseTo(-0.02, 2);
      expect(Number.isFinite(score)).toBe(true);
      expect(score).toBeLessThan(-MIN_SCORE);
    }
    for (const { also_in } of changes.rates.movers) expect(also_in).toHaveLength(4);
  });

  test("that are the same again for all but one hero are a change of the rounding away from it", () => {
    const after = nights.write("alone", 0, {
      sql: "UPDATE hero_rate SET win_rate = win_rate + 0.01 WHERE hero_id = 5 AND rank = 'all' AND days = 1",
    });
    const { movers, spread } = compare(first, after).rates;
    expect(movers).toMatchObject([{ hero_id: 5, rank: "all", days: 1, rate: "win_rate" }]);
    expect(movers[0]?.score).toBeGreaterThan(1000);
    expect(Number.isFinite(movers[0]?.score)).toBe(true);
    expect(spread[0]).toMatchObject({ deviation: 1e-6, basis: "rounding" });
  });

  test("written with fewer digits do not become news by a last digit", () => {
    const coarse = (of: string) => `UPDATE hero_rate SET win_rate = round(0.5 + 0.01 * (hero_id % 7) ${of}, 2)`;
    const before = nights.write("coarse", 0, { sql: coarse("") });
    const after = nights.write("coarser", 0, { sql: coarse("+ CASE WHEN hero_id % 5 = 0 THEN 0.01 ELSE 0 END") });
    expect(compare(before, after).rates.movers).toEqual([]);
  });

  test("of fewer than 8 heroes have no others to be held against: nobody can tell what is chance", () => {
    const before = nights.write("few", 0, { heroes: 7 });
    const sql = "UPDATE hero_rate SET win_rate = win_rate + 0.002 * hero_id WHERE days = 1";
    const { movers, spread } = compare(before, nights.write("fewer", 0, { heroes: 7, sql })).rates;
    expect(movers).toEqual([]);
    expect(spread[0]).toMatchObject({ count: 7, median: 0, basis: "few" });
  });
});

describe("noise", () => {
  test("by chance alone hardly anything is news, whatever the size of the roster", () => {
    let state = SEED;
    const unit = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
    for (const count of [8, 12, 20, 60, 133]) {
      let news = 0;
      for (let night = 0; night < 20_000 / count; night++) {
        const changes = Array.from({ length: count }, () => ({ change: 0.3 + 0.001 * normal(), relativeErrors: [1] }));
        news += findNews(changes, 0, 1e-6).news.length;
      }
      expect(news, `SEED=${SEED}, ${count} heroes`).toBeLessThan(10);
    }
  });

  test("is told from the steps in which rates are written", () => {
    expect(roundingStep([0.512345, 0.5])).toBe(1e-6);
    expect(roundingStep([0.51, 0.5])).toBe(0.01);
    expect(roundingStep([0.1 + 0.2])).toBe(0.1);
    expect(roundingStep([0.5123450000000001, 0.123456789])).toBe(1e-6);
  });

  test("does not depend on the order, and a shift of all changes no score", () => {
    const changes = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 8, maxLength: 100 });
    fc.assert(
      fc.property(changes, fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
        const measured = (by: number) => values.map((value) => ({ change: (value + by) * 1e-3, relativeErrors: [1] }));
        const scores = (by: number) => findNews(measured(by), 0, 1e-6).news.map(({ apart, score }) => [apart, score]);
        expect(findNews(measured(0).toReversed(), 0, 1e-6).spread).toEqual(findNews(measured(0), 0, 1e-6).spread);
        const [here, there] = [scores(0), scores(shift)];
        expect(there).toHaveLength(here.length);
        for (const [index, score] of here.flat().entries()) expect(there.flat()[index]).toBeCloseTo(score, 3);
      }),
      { numRuns: 50 },
    );
  });
});

test("a new record is named once, not for each language", () => {
  const sql = "INSERT INTO role_text (role, lang, title, slice_id) SELECT role, lang, 'x', 1 FROM role, language";
  const changes = compare(first, nights.write("titled", 0, { sql }));
  const { added = [] } = changes.tables.find(({ table }) => table === "role_text") ?? {};
  expect(added.length).toBeGreaterThan(17);
  const news = tellNews(changes);
  expect(news.short).toContain(`${added.length} new records`);
  expect(news.lines).toContainEqual(expect.stringMatching(/^New records: (\w+, ){5}\w+$/));
});

describe("matchups", () => {
  const of = (hero: number, other: number) => `hero_id = ${hero} AND other_hero_id = ${other}`;
  const moved = (hero: number, other: number, by: number) =>
    `UPDATE hero_matchup SET increase_win_rate = increase_win_rate + ${by} WHERE ${of(hero, other)}`;

  test("that are news are told once, named by both, from the side of the one that does better", () => {
    const chance =
      "UPDATE hero_matchup SET increase_win_rate = increase_win_rate + iif(hero_id < other_hero_id, 1, -1)";
    const noise = `${chance} * 0.00002 * ((min(hero_id, other_hero_id) * 7919 + max(hero_id, other_hero_id) * 104729) % 201)`;
    expect(compare(first, nights.write("pairs", 0, { sql: noise })).matchups.matchups).toEqual([]);
    const sql = `${noise}; ${moved(1, 5, -0.2)}; ${moved(5, 1, 0.2)}`;
    const { matchups, spread } = compare(first, nights.write("pairs-but-one", 0, { sql })).matchups;
    expect(matchups).toMatchObject([{ rank: "all", hero_id: 5, name: "Nana", other_hero_id: 1, other: "Miya" }]);
    expect(matchups[0]?.apart).toBeCloseTo(0.2, 2);
    expect(matchups[0]?.score).toBeGreaterThan(MIN_SCORE);
    const pairs = (HEROES * (HEROES - 1)) / 2;
    expect(spread).toMatchObject([{ rank: "all", basis: "changes" }]);
    expect(spread[0]?.count).toBeGreaterThan(0.98 * pairs);
    expect(spread[0]?.count).toBeLessThanOrEqual(pairs);
  });

  test("of two plain nights are none", () => {
    expect(compare(first, second).matchups.matchups).toEqual([]);
  });
});
