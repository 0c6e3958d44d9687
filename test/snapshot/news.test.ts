import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { type Changes, type DiffOptions, diffSnapshots } from "../../src/nights/diff/diff.ts";
import { MIN_NIGHTS } from "../../src/nights/diff/statistics/baseline.ts";
import { estimateNoise, MIN_SCORE, roundingStep, scoreChange } from "../../src/nights/diff/statistics/noise.ts";
import { updateHistory } from "../../src/nights/history/history.ts";
import { createRates } from "../../src/sample/numbers/rates.ts";
import { toNights } from "../helpers/nights.ts";
import { SEED } from "../helpers/random.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const HEROES = 133;
const NIGHT_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1, 3);

/** Tables that fill a snapshot and have no part in these tests. */
const LEFT_OUT = [
  ...["record", "coverage", "hero_matchup", "hero_batch", "hero_build", "hero_build_item", "hero_build_talent"],
  ...["hero_lane_rate", "hero_minute_rate", "hero_rate_opponent", "hero_relation", "hero_relation_text"],
  ...["hero_trend_series", "listed_text", "rank_step_text", "skill_combo", "skill_combo_step", "skill_combo_text"],
  ...["skill_tag", "vote_candidate", "vote_candidate_text"],
];
/** Tables of which a part is kept. */
const KEPT: Record<string, string> = {
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
let history: string;

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
  history = join(nights.path, "history.sqlite");
  const more = Array.from({ length: MIN_NIGHTS - 1 }, (_, index) => nights.write(`0000000${index + 2}`, index + 2));
  updateHistory(history, toNights([first, second, ...more]));
});
afterAll(() => nights.remove());

function compare(before: string, after: string, options?: DiffOptions): Changes {
  const { changes } = diffSnapshots(before, after, options);
  if (!changes) throw new Error("nothing changed");
  return changes;
}

/** A connection in the middle of writing. */
function begin(file: string) {
  const db = new SQLite(file);
  db.exec("BEGIN IMMEDIATE");
  return { db, [Symbol.dispose]: () => void db.close() };
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
    expect(changes.rates.movers).toHaveLength(30);
    for (const { change, apart, score } of changes.rates.movers) {
      expect(Math.abs(change)).toBeLessThan(0.001);
      expect(apart).toBeCloseTo(-0.02, 2);
      expect(Number.isFinite(score)).toBe(true);
      expect(score).toBeLessThan(-MIN_SCORE);
    }
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

  test("of fewer than 8 heroes have no others to be held against: what matters is told, without a score", () => {
    const before = nights.write("few", 0, { heroes: 7 });
    const after = nights.write("fewer", 0, {
      heroes: 7,
      sql: "UPDATE hero_rate SET win_rate = win_rate + 0.002 * hero_id WHERE days = 1",
    });
    const { movers, spread } = compare(before, after).rates;
    expect([...new Set(movers.map(({ hero_id }) => hero_id))].sort()).toEqual([3, 4, 5, 6, 7]);
    for (const { score, change, apart } of movers) expect([score, apart]).toEqual([null, change]);
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
        const noise = estimateNoise(changes);
        news += changes.filter((one) => Math.abs(scoreChange(noise, one, 1e-6).score ?? 0) >= MIN_SCORE).length;
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
        const scores = (by: number) => {
          const noise = estimateNoise(measured(by));
          expect(estimateNoise(measured(by).toReversed())).toEqual(noise);
          return measured(by).map((one) => scoreChange(noise, one, 1e-6).score ?? Number.NaN);
        };
        for (const [index, score] of scores(0).entries()) expect(scores(shift)[index]).toBeCloseTo(score, 3);
      }),
      { numRuns: 50 },
    );
  });
});

describe("matchups", () => {
  const where = "source = 'counters' AND rank = 'all' AND days = 7";

  test("that all moved by the same amount are nobody's news, one that did not move with them is", () => {
    const moved = `UPDATE hero_pairing SET increase_win_rate = increase_win_rate + 0.02 WHERE ${where}`;
    expect(compare(first, nights.write("all-pairs", 0, { sql: moved })).matchups.matchups).toEqual([]);
    const one = `UPDATE hero_pairing SET increase_win_rate = increase_win_rate - 0.02 WHERE ${where} AND hero_id = 1 AND side = 'best' AND position = 1`;
    const { matchups } = compare(first, nights.write("pairs-but-one", 0, { sql: `${moved}; ${one}` })).matchups;
    expect(matchups).toMatchObject([{ hero_id: 1, side: "best", place_before: 1, place_after: 1 }]);
    expect(matchups[0]?.apart).toBeCloseTo(-0.02, 6);
    expect(Number.isFinite(matchups[0]?.score)).toBe(true);
  });
});

describe("through", () => {
  const raise = "UPDATE hero_rate SET win_rate = win_rate + 0.05 WHERE hero_id = 5 AND days = 7 AND rank = 'all'";
  const jump = (edge: string, by: number) =>
    `UPDATE hero_trend SET win_rate = win_rate + ${by} WHERE hero_id = 5 AND rank = 'all' AND date = (SELECT ${edge} FROM hero_trend)`;
  const through = (before: string, after: string) =>
    compare(before, after).rates.movers.find(({ hero_id, days }) => hero_id === 5 && days === 7)?.through;

  test("says what came into the window and what left it, in both directions", () => {
    const calm = nights.write("calm", 0);
    const peak = nights.write("peak", 1, { sql: `${raise}; ${jump("max(date)", 0.35)}` });
    expect(through(calm, peak)).toBe("entered");
    expect(through(peak, calm)).toBe("left");
    const old = nights.write("old", 0, { sql: `${raise}; ${jump("date(max(date), '-6 days')", 0.35)}` });
    const later = nights.write("later", 1);
    expect(through(old, later)).toBe("left");
    expect(through(later, old)).toBe("entered");
  });

  test("says nothing where no day came or went, or the series does not have it", () => {
    expect(through(first, nights.write("same-day", 0, { sql: raise }))).toBe(null);
    const short = nights.write("short", 1, {
      sql: `${raise}; DELETE FROM hero_trend WHERE date = (SELECT max(date) FROM hero_trend) AND hero_id = 5`,
    });
    expect(through(first, short)).toBe(null);
    expect(through(short, first)).toBe(null);
  });
});

describe("a history", () => {
  test("of enough nights says how far rates go from night to night", () => {
    const { noise, rates } = compare(first, second, { history });
    expect(noise).toEqual({ history, nights: MIN_NIGHTS, least: MIN_NIGHTS, problem: null });
    for (const { basis, nights: learned } of rates.spread) expect([basis, learned]).toEqual(["history", MIN_NIGHTS]);
    const alone = compare(first, second).rates.spread;
    for (const [index, { deviation }] of rates.spread.entries()) {
      expect(deviation).toBeGreaterThan(0.4 * (alone[index]?.deviation ?? 0));
      expect(deviation).toBeLessThan(2.5 * (alone[index]?.deviation ?? 0));
    }
    expect(rates.movers.length).toBeLessThan(100);
  });

  test("gives a score to a night that has no spread of its own, and to a roster of a few", () => {
    const sql = "UPDATE hero_rate SET win_rate = win_rate + 0.02 WHERE hero_id = 5 AND rank = 'all' AND days = 1";
    const [mover] = compare(first, nights.write("quiet", 0, { sql }), { history }).rates.movers;
    expect(mover).toMatchObject({ hero_id: 5 });
    expect(mover?.score).toBeGreaterThan(MIN_SCORE);
    expect(mover?.score).toBeLessThan(100);
    const few = compare(
      nights.write("few", 0, { heroes: 5 }),
      nights.write("fewer", 0, { heroes: 5, sql: `${sql}; UPDATE hero_rate SET win_rate = win_rate + 0.0001` }),
      { history },
    ).rates.movers;
    expect(few).toMatchObject([{ hero_id: 5 }]);
    expect(few[0]?.score).toBeGreaterThan(MIN_SCORE);
    expect(few[0]?.score).toBeLessThan(100);
  });

  test("of too few nights, or of nights of another distance, is said and not used", () => {
    const short = join(nights.path, "two-nights.sqlite");
    updateHistory(short, toNights([first, second]));
    const { noise, rates } = compare(first, second, { history: short });
    expect(noise).toMatchObject({ nights: 1, least: MIN_NIGHTS });
    expect(rates.spread[0]).toMatchObject({ basis: "nights", nights: 1 });
    const far = nights.write("far", 60);
    expect(compare(first, far, { history })).toMatchObject({ noise: { nights: 0 }, days_apart: 60 });
  });

  test("is not learned from nights in which nothing moved", () => {
    const still = join(nights.path, "still.sqlite");
    const same = Array.from({ length: MIN_NIGHTS + 1 }, (_, day) =>
      nights.write(`still${day}`, day, {
        heroes: 20,
        sql: `UPDATE hero_rate SET win_rate = 0.5, ban_rate = 0.1, appearance_rate = 0.01`,
      }),
    );
    updateHistory(still, toNights(same));
    expect(compare(first, second, { history: still }).noise).toMatchObject({ nights: 0 });
  });

  test("is not learned from lists that nights carried over", () => {
    const rolling = join(nights.path, "rolling.sqlite");
    // The list of each second night is that of the night before it.
    const files = Array.from({ length: 5 }, (_, night) => {
      const asked = new Date(Date.UTC(2026, 7, 1, 3) + (night - 1) * 86_400_000).toISOString();
      const sql = `UPDATE snapshot SET rolling = 1;
        INSERT INTO coverage (dataset, slice, rank, days, lang, status, records, stale, asked_at, suspect)
        SELECT 'rank', rank || days, rank, days, 'en', 'captured', 1, 0, '${asked}', 0 FROM rank, day_window;
        UPDATE snapshot SET version = version || 'r', started_at = '${asked.replace(/^\S+T/, new Date(Date.parse(asked) + 86_400_000).toISOString().slice(0, 11))}'`;
      return night % 2 === 0
        ? nights.write(`asked${night}`, night, { heroes: 20 })
        : nights.write(`carried${night}`, night - 1, { heroes: 20, sql });
    });
    updateHistory(rolling, toNights(files));
    expect(compare(first, second, { history: rolling }).noise).toMatchObject({ nights: 0 });
    const third = nights.write("third", 2);
    expect(compare(first, third, { history: rolling }).noise).toMatchObject({ nights: 2 });
  });

  test("is the one under --data where there is one, and is said in all outputs", async () => {
    const data = nights.path;
    const said = await runCommand("diff", ["--data", data, first, second, "--rate", "ban_rate"]);
    expect(said.stdout).toContain(`over ${MIN_NIGHTS} changes of nights in ${history}`);
    const markdown = await runCommand("diff", ["--data", data, first, second, "--markdown", "--rate", "ban_rate"]);
    expect(markdown.stdout).toContain(`over ${MIN_NIGHTS} changes of nights`);
    const json = await runCommand("diff", ["--data", "/nowhere", first, second, "--json", "--history", history]);
    expect(JSON.parse(json.stdout).changes.noise).toMatchObject({ history, nights: MIN_NIGHTS });
    const without = await runCommand("diff", ["--data", "/nowhere", first, second]);
    expect(without.stdout).toContain("by these two nights alone");
  });

  test("is only read, also while it is being written", () => {
    const bytes = readFileSync(history);
    const folder = readdirSync(nights.path);
    using writer = begin(history);
    writer.db.exec("DELETE FROM night");
    expect(compare(first, second, { history }).noise).toMatchObject({ nights: MIN_NIGHTS, problem: null });
    writer.db.exec("ROLLBACK");
    expect(readFileSync(history).equals(bytes)).toBe(true);
    expect(readdirSync(nights.path)).toEqual(folder);
  });

  test("that is none is refused when it was named, and passed over when it only lies there", async () => {
    const missing = await runCommand("diff", [first, second, "--history", "/nowhere/history.sqlite"]);
    expect(missing).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/^\/nowhere\/history\.sqlite: does not exist; .*\n$/),
    });
    const wrong = await runCommand("diff", [first, second, "--history", second]);
    expect(wrong).toMatchObject({ code: 64, stderr: expect.stringMatching(/: is not a history of metasnap; .*\n$/) });
    const data = join(nights.path, "data");
    mkdirSync(data);
    copyFileSync(second, join(data, "history.sqlite"));
    const { code, stdout } = await runCommand("diff", ["--data", data, first, second]);
    expect(code).toBe(0);
    expect(stdout).toContain("is not a history of metasnap");
  });
});
