import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffSnapshots } from "../../src/nights/diff/diff.ts";
import type { Filters } from "../../src/nights/diff/scope.ts";
import { toSections } from "../../src/nights/diff/sections.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const folder = temporaryFolder();
const [first, after] = [join(folder.path, "first.sqlite"), join(folder.path, "filtered.sqlite")];

/** These nights have team mates only. */
const AS_OPPONENTS = "UPDATE hero_matchup SET match_type = 0";

const CHANGED = `UPDATE hero_rate SET win_rate = win_rate + 0.05, ban_rate = ban_rate + 0.4 WHERE hero_id IN (5, 6) AND days IN (1, 7);
    UPDATE hero_rate SET appearance_rate = appearance_rate + 0.05 WHERE hero_id = 7;
    UPDATE hero_text SET story = story || '!' WHERE hero_id IN (5, 6) AND lang IN ('de', 'ja');
    UPDATE skill_text SET name = name || '!' WHERE hero_id = 5 AND lang = 'de';
    UPDATE item_text SET name = name || '!' WHERE lang = 'de' AND item_id = (SELECT min(item_id) FROM item);
    UPDATE hero SET difficulty = difficulty + 1 WHERE hero_id IN (5, 6);
    UPDATE hero_matchup SET increase_win_rate = increase_win_rate + 1 WHERE (hero_id, other_hero_id) IN ((5, 8), (2, 3)) AND rank = 'all'`;

beforeAll(() => {
  const [one = "", two = ""] = world.nights.files;
  copyFileSync(one, first);
  copyFileSync(two, after);
  editFile(first, AS_OPPONENTS);
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
      expect(stdout.match(/^[|│] (Nana|Tigreal) .*[|│] (all|glory) +[|│] 7 /gm)).toHaveLength(4);
      expect(stdout).not.toMatch(/Texts|Rows|Coverage|Matchups/);
      expect(stdout).toContain("hero 5, 6");
    }
    const none = await runCommand("diff", ["--data", "/nowhere", first, after, "--lang", "km"]);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing changed beyond the noise") });
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
    const kinds = [...stdout.matchAll(/^│ \w+ +│ (?:all|epic|legend|mythic|honor|glory) +│ \d+ +│ (\w+)/gm)].map(
      ([, kind]) => kind,
    );
    expect(kinds).toHaveLength(6);
    for (const kind of ["win", "ban", "appearance"]) expect(kinds.filter((one) => one === kind)).toHaveLength(2);
    expect(toSections(filtered({})).find(({ title }) => title === "Rates")?.rows.length).toBeGreaterThan(6);
  });
});
