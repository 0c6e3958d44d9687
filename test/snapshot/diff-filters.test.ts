import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import type { Filters } from "../../src/extra/nights/diff/scope.ts";
import { toSections } from "../../src/extra/nights/diff/sections.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const folder = temporaryFolder();
const [first = "", after = "", quiet = ""] = ["first", "filtered", "quiet"].map((name) =>
  join(folder.path, `${name}.sqlite`),
);

/** These nights have team mates only. */
const AS_OPPONENTS = "UPDATE hero_matchup SET match_type = 0";

const CHANGED = `UPDATE hero_rate SET win_rate = win_rate + 0.05, ban_rate = ban_rate + 0.4 WHERE hero_id IN (5, 6) AND days IN (1, 7);
    UPDATE hero_rate SET appearance_rate = appearance_rate + 0.05 WHERE hero_id = 7;
    UPDATE hero_text SET story = story || '!' WHERE hero_id IN (5, 6) AND lang IN ('de', 'ja');
    UPDATE skill_text SET name = name || '!' WHERE hero_id = 5 AND lang = 'de';
    UPDATE item_text SET name = name || '!' WHERE lang = 'de' AND item_id = (SELECT min(item_id) FROM item);
    UPDATE hero SET difficulty = difficulty + 1 WHERE hero_id IN (5, 6);
    UPDATE hero_matchup SET increase_win_rate = increase_win_rate + 1 WHERE (hero_id, other_hero_id) IN ((5, 8), (2, 3)) AND rank = 'all'`;

const CHANGED_IN_GLORY = `UPDATE hero_rate SET ban_rate = ban_rate + 0.0001 WHERE hero_id = 5 AND rank = 'glory';
    UPDATE hero_trend SET win_rate = win_rate + 0.01
      WHERE hero_id = 5 AND rank = 'glory' AND date = (SELECT max(date) FROM hero_trend);
    UPDATE hero_build SET pick_rate = pick_rate + 0.01 WHERE (hero_id, lane, rank, position) =
      (SELECT hero_id, lane, rank, position FROM hero_build WHERE hero_id = 5 AND rank = 'glory' LIMIT 1);
    UPDATE hero SET difficulty = difficulty + 1 WHERE hero_id = 5;
    UPDATE hero_text SET story = story || '!' WHERE hero_id = 5 AND lang = 'de';
    UPDATE snapshot SET content_hash = replace(content_hash, substr(content_hash, 1, 8), '00000000')`;

beforeAll(() => {
  const [one = "", two = ""] = world.nights.files;
  copyFileSync(one, first);
  copyFileSync(two, after);
  editFile(first, AS_OPPONENTS);
  copyFileSync(first, quiet);
  editFile(quiet, CHANGED_IN_GLORY);
  editFile(after, `${AS_OPPONENTS}; ${CHANGED}`);
});
afterAll(() => folder[Symbol.dispose]());

function filtered(filters: Filters) {
  const { changes } = diffSnapshots(first, after, { filters });
  if (!changes) throw new Error("nothing changed");
  return changes;
}

describe("filters", () => {
  test("of rank, window and rate leave those numbers and nothing else", () => {
    const { rates, matchups, texts, tables, heroes, coverage, lists } = filtered({
      rank: ["all"],
      days: [7],
      rate: ["win_rate"],
    });
    const groups = (rows: { rank: string; days: number; rate: string }[]) => [
      ...new Set(rows.map((row) => `${row.rank} ${row.days} ${row.rate}`)),
    ];
    expect(groups(rates.movers)).toEqual(["all 7 win_rate"]);
    expect(groups(rates.spread)).toEqual(["all 7 win_rate"]);
    expect(rates.movers.map(({ hero_id }) => hero_id).sort()).toEqual([5, 6]);
    expect([matchups.matchups, matchups.spread, texts, tables, lists, heroes.added, coverage]).toEqual([
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ]);
    const pairs = filtered({ rank: ["all"], days: [0], rate: ["increase_win_rate"] });
    expect(pairs.rates.movers).toEqual([]);
    expect(pairs.matchups.matchups.map(({ rank, hero_id }) => `${rank} ${hero_id}`).sort()).toEqual(["all 2", "all 5"]);
    expect(filtered({ rank: ["glory"], rate: ["increase_win_rate"] }).matchups.matchups).toEqual([]);
  });

  /** Of one night and the same where only this differs. */
  const countChanged = (filters: Filters) =>
    Object.fromEntries(
      (diffSnapshots(first, quiet, { filters }).changes?.tables ?? []).map(({ table, counts }) => [
        table,
        counts.changed,
      ]),
    );

  test("of rank and window keep the rows that have them, in every table", () => {
    const numbers = { hero_rate: 2, hero_build: 1, hero_trend: 1 };
    expect(countChanged({})).toEqual({ ...numbers, hero: 1, hero_text: 1 });
    expect(countChanged({ rank: ["glory"] })).toEqual(numbers);
    expect(countChanged({ rank: ["glory"], days: [7] })).toEqual({ hero_rate: 1 });
    expect(countChanged({ days: [1, 7] })).toEqual({ hero_rate: 2 });
    // Numbers without a window have no stated one.
    expect(countChanged({ days: [0] })).toEqual({ hero_build: 1, hero_trend: 1 });
    expect(countChanged({ rank: ["all"] })).toEqual({});
    expect(countChanged({ rank: ["glory"], table: ["hero_build"] })).toEqual({ hero_build: 1 });
    expect(countChanged({ rank: ["glory"], hero: ["6"] })).toEqual({});
    expect(countChanged({ rank: ["glory"], lang: ["de"] })).toEqual({ ...numbers, hero_text: 1 });
    expect(countChanged({ rank: ["glory"], rate: ["win_rate"] })).toEqual({});
    expect(countChanged({ lang: ["de"] })).toEqual({ hero_text: 1 });
  });

  test("that keep no news say so of what they keep, and that the rest is left out", async () => {
    for (const words of ["--rank glory", "--rank all", "--lang km", "--rate ban_rate", "--table hero_build"]) {
      const run = async (...more: string[]) => {
        const ended = await runCommand("diff", ["--data", "/nowhere", first, quiet, ...words.split(" "), ...more]);
        expect(ended.code).toBe(0);
        return ended.stdout;
      };
      for (const said of [await run(), await run("--markdown")]) {
        expect(said).not.toMatch(/nothing changed/i);
        expect(said).toMatch(
          /^Only .*; what does not fit is left out\.\n\nnothing that fits changed beyond the noise\.\n/m,
        );
      }
      expect(JSON.parse(await run("--json")).news).toEqual({
        short: "nothing that fits changed beyond the noise",
        lines: ["Nothing that fits the filters changed beyond the noise."],
      });
    }
    const { stdout } = await runCommand("diff", ["--data", "/nowhere", first, quiet, "--rank", "glory"]);
    expect(stdout).toMatch(/hero_rate +│ +0 │ +0 │ +2 │/);
  });

  test("do not change what is measured", () => {
    const whole = filtered({}).rates;
    const { movers, spread } = filtered({ hero: ["5"], rate: ["ban_rate"] }).rates;
    expect(movers).toEqual(whole.movers.filter(({ hero_id, rate }) => hero_id === 5 && rate === "ban_rate"));
    expect(spread).toEqual(whole.spread.filter(({ rate }) => rate === "ban_rate"));
  });

  test("of heroes, by id or English name, leave what is theirs", () => {
    for (const hero of [["5"], ["nana"], ["Nana", "5"]]) {
      const { rates, matchups, texts, tables } = filtered({ hero });
      expect(new Set(rates.movers.map(({ hero_id }) => hero_id))).toEqual(new Set([5]));
      expect(matchups.matchups).toMatchObject([{ name: "Nana", other_hero_id: 8 }]);
      expect(texts.map(({ table, lang }) => `${table} ${lang}`)).toContain("skill_text de");
      for (const { key } of texts) expect(key.hero_id).toBe(5);
      const counts = Object.fromEntries(tables.map(({ table, counts: { changed } }) => [table, changed]));
      expect(counts).toMatchObject({ hero: 1, hero_text: 2, hero_rate: 4 });
      expect(counts).not.toHaveProperty("item_text");
    }
  });

  test("of languages and tables leave those texts, rows and lists", () => {
    const german = filtered({ lang: ["de"] });
    expect(new Set(german.texts.map(({ lang }) => lang))).toEqual(new Set(["de"]));
    expect(german.tables.map(({ table }) => table).sort()).toEqual([
      ...["hero_relation_text", "hero_speciality", "hero_text", "item_text"],
      ...["skill_combo_text", "skill_text", "vote_candidate_text"],
    ]);
    expect(german.rates.movers).toEqual([]);
    const both = filtered({ lang: ["ja"], rank: ["all"], rate: ["win_rate"], hero: ["5"] });
    expect(both.texts.map(({ table, lang }) => `${table} ${lang}`)).toEqual(["hero_text ja"]);
    expect(both.rates.movers.length).toBeGreaterThan(0);
    const tables = filtered({ table: ["hero", "hero_text"] });
    expect(tables.tables.map(({ table }) => table)).toEqual(["hero", "hero_text"]);
    expect([tables.rates.movers, tables.matchups.matchups, tables.coverage, tables.shape]).toEqual([[], [], [], []]);
    expect(filtered({ table: ["hero_rate"] }).rates.movers.length).toBeGreaterThan(0);
  });

  test("hold in all three outputs, and the JSON names them", async () => {
    const words = [
      "--data",
      "/nowhere",
      first,
      after,
      "--hero",
      "Nana,6",
      "--rate",
      "win_rate",
      "--rank",
      "all,glory",
      "--days",
      "7",
    ];
    const json = JSON.parse((await runCommand("diff", [...words, "--json"])).stdout);
    expect(json.filters).toEqual({ rank: ["all", "glory"], days: [7], rate: ["win_rate"], hero: [5, 6] });
    expect(json.changes.rates.movers).toHaveLength(4);
    for (const more of [[], ["--markdown"]]) {
      const { stdout } = await runCommand("diff", [...words, ...more], { NO_COLOR: "1" });
      expect(stdout.match(/^[|│] (Nana|Tigreal) .*[|│] (all|glory) +[|│] +7 /gm)).toHaveLength(4);
      expect(stdout).not.toMatch(/Texts|Rows|Coverage|Matchups/);
      expect(stdout).toContain("hero 5, 6");
    }
  });

  test.each([
    ["--rank", "gold", /^option '--rank <codes>' argument 'gold' is invalid\. Allowed are all, epic, /],
    ["--days", "2", /Allowed are 0, 1, 3, 7, 15, 30\./],
    ["--rate", "win", /Allowed are win_rate, ban_rate, appearance_rate, increase_win_rate\./],
    ["--lang", "de,xx", /Allowed are en, id, /],
    ["--table", "heros", /Allowed are language, .*hero_text/],
    ["--hero", "Nanna", /^--hero: neither snapshot has a hero Nanna; did you mean Nana\?/],
    ["--hero", "999", /^--hero: neither snapshot has a hero 999; /],
  ])("that nothing can match are refused: %s %s", async (option, value, message) => {
    const { code, stderr } = await runCommand("diff", ["--data", "/nowhere", first, after, option, value]);
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
  });

  test("leave each kind of rate its share of the rows that are shown", async () => {
    const { stdout } = await runCommand(
      "diff",
      ["--data", "/nowhere", first, after, "--top", "6", "--table", "hero_rate"],
      { NO_COLOR: "1" },
    );
    const kinds = [...stdout.matchAll(/^│ \w+ +│ (?:all|epic|legend|mythic|honor|glory) +│ +\d+ │ (\w+)/gm)].map(
      ([, kind]) => kind,
    );
    expect(kinds).toHaveLength(6);
    for (const kind of ["win", "ban", "appearance"]) expect(kinds.filter((one) => one === kind)).toHaveLength(2);
    expect(toSections(filtered({})).find(({ caption }) => caption === "Rates")?.rows.length).toBeGreaterThan(6);
  });
});
