import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import SQLite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderDiff } from "../../scripts/cli/print-diff.ts";
import { type Changes, type Diff, diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { tellNews } from "../../src/extra/nights/diff/news.ts";
import { diffWords } from "../../src/extra/nights/diff/rows/texts.ts";
import { findNews } from "../../src/extra/nights/diff/statistics/noise.ts";
import { LANGUAGES, RAISED, REWORDED } from "../helpers/crawl-nights.ts";
import { readPage } from "../helpers/pages.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { RETIRED } from "../helpers/upstream/changes.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;

const file = (night: number) => nights.files[night] ?? "";

/** What has changed since the first night, where the nights were edited by SQL: by default the first one twice. */
function edited(sql: string, { before = "SELECT 1", night = 0 } = {}): Changes {
  using folder = temporaryFolder();
  const edit = (from: number, name: string, statements: string) => {
    const copy = join(folder.path, `${name}.sqlite`);
    copyFileSync(file(from), copy);
    const db = new SQLite(copy);
    db.pragma("foreign_keys = OFF");
    db.exec(`${statements}; UPDATE snapshot SET content_hash = '${name}'`);
    db.close();
    return copy;
  };
  const { changes } = diffSnapshots(edit(0, "before", before), edit(night, "after", sql));
  if (!changes) throw new Error("nothing changed");
  return changes;
}

describe("three nights", () => {
  test("a new hero is told once, and what comes with it is counted", () => {
    const { changes } = diffSnapshots(file(0), file(1));
    expect(changes?.days_apart).toBe(1);
    expect(changes?.heroes).toEqual({ added: [{ hero_id: 11, name: "Bane" }], gone: [] });
    expect(changes?.tables.flatMap(({ added }) => added)).toEqual([]);
    const counts = Object.fromEntries(changes?.tables.map(({ table, counts: { added } }) => [table, added]) ?? []);
    expect(counts).toMatchObject({ hero: 1, hero_text: 4, skill: 7, skill_text: 28, hero_rate: 4 });
    expect(changes?.lists.filter(({ key }) => key.hero_id === 11)).toEqual([]);
  });

  test("a hero that is gone is told in the other direction", () => {
    const { changes } = diffSnapshots(file(1), file(0));
    expect(changes?.heroes).toEqual({ added: [], gone: [{ hero_id: 11, name: "Bane" }] });
  });

  test("a text that changed in three languages is shown in words", () => {
    const { changes } = diffSnapshots(file(1), file(2));
    expect(changes?.texts.map(({ lang }) => lang)).toEqual(["de", "en", "ja"]);
    for (const { table, label, column, lang, before, after, words } of changes?.texts ?? []) {
      expect([table, label, column]).toEqual(["hero_text", "Miya", "story"]);
      expect(after).toBe(`${REWORDED[lang]} ${before}`);
      expect(words).toEqual([
        ["+", `${REWORDED[lang]} `],
        ["=", before],
      ]);
    }
    expect(changes?.heroes).toEqual({ added: [], gone: [] });
    expect(changes?.coverage.find(({ dataset }) => dataset === "hero")?.slices).toMatchObject({ changed: 3, added: 0 });
  });

  test("an item that is retired is told by its name, its texts are counted", () => {
    const { changes } = diffSnapshots(file(1), file(2));
    const tables = new Map(changes?.tables.map((table) => [table.table, table]));
    expect(tables.get("item")).toMatchObject({
      counts: { added: 0, gone: 1, changed: 0 },
      gone: [{ label: RETIRED.name, key: { item_id: RETIRED.id } }],
    });
    expect(tables.get("item_text")).toMatchObject({ counts: { gone: LANGUAGES.length }, gone: [] });
  });

  test("the one whose win rate rose is told, in the window where it stands out most and with the others", () => {
    const { changes } = diffSnapshots(file(1), file(2));
    const movers = changes?.rates.movers.filter(({ rate }) => rate === "win_rate") ?? [];
    expect(new Set(movers.map(({ name }) => name))).toEqual(new Set([RAISED.name]));
    expect(new Set(movers.map(({ rank, days }) => `${rank} ${days}`))).toContain("all 1");
  });

  test("of equal contents one line says so, and the exit code", async () => {
    const [first = ""] = nights.versions;
    const { code, stdout } = await runCommand("diff", ["--data", nights.data, first, file(0)]);
    expect([code, stdout]).toEqual([2, `${first} and ${first} hold the same data\n`]);
  });

  test("are compared by default the last with the one before, and one name with the last", async () => {
    const [first, second, third] = nights.versions;
    const last = await runCommand("diff", ["--data", nights.data]);
    expect(last.code).toBe(0);
    expect(last.stdout).toContain(`${second} → ${third}, one night apart\n`);
    expect(last.stdout).toMatch(/Miya +│ story +│ ja +│ \{\+変更 \+\}/);
    const since = await runCommand("diff", ["--data", nights.data, first ?? "", "--markdown"]);
    expect(since.stdout).toContain(`# ${first} → ${third}, 2 nights apart\n`);
    expect(since.stdout).toContain("| added | 11 | Bane |\n");
    expect(since.stdout).toContain("| Miya | story | de | <ins>geändert </ins>");
  });

  test("are told as the page shows", async () => {
    const shown = [...readPage("data/NIGHTS.md").matchAll(/^(?:[│┌├└]|1 new hero).*$/gm)].map(([line]) => line);
    expect(shown.length).toBeGreaterThan(10);
    const { stdout } = await runCommand("diff", ["--data", nights.data, nights.versions[0] ?? ""], { NO_COLOR: "1" });
    for (const line of shown) expect(stdout).toContain(`${line}\n`);
  });

  test("are one JSON object of a documented form", async () => {
    const { stdout } = await runCommand("diff", ["--data", nights.data, "--json"]);
    const diff = JSON.parse(stdout);
    expect(Object.keys(diff)).toEqual(["format", "before", "after", "filters", "news", "identical", "changes"]);
    expect(Object.keys(diff.changes)).toEqual([
      "days_apart",
      "heroes",
      "rates",
      "matchups",
      "texts",
      "lists",
      "tables",
      "shape",
      "coverage",
    ]);
    expect(diff).toEqual(JSON.parse(JSON.stringify(diffSnapshots(file(1), file(2)))));
  });

  test("can lie at a mirror: its latest, or the one whose file is named", async () => {
    await using source = await startSource(nights.data);
    const [first, , third] = nights.versions;
    const args = ["--data", "/nowhere", `${source.url}/snapshots/${first}.sqlite`, source.url, "--json"];
    const { code, stdout } = await runCommand("diff", args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ before: { version: first }, after: { version: third } });
  });

  test("cannot be compared when there are not two of them", async () => {
    using folder = temporaryFolder();
    const alone = await runCommand("diff", ["--data", folder.path]);
    expect(alone).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/holds 0 published snapshots, two are needed/),
    });
    const unknown = await runCommand("diff", ["--data", nights.data, "20260101T000000Z-00000000", file(0)]);
    expect(unknown).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/holds no published version .*; published are/),
    });
    for (const name of ["../latest", "nothing.sqlite"])
      expect(await runCommand("diff", ["--data", nights.data, name, file(0)])).toMatchObject({
        code: 64,
        stderr: expect.stringMatching(
          /^\S+: does not exist; name another file; `npm run nights` lists those of a folder$/m,
        ),
      });
  });
});

describe("rows and lists", () => {
  test("a changed column is told with both values", () => {
    const { tables } = edited("UPDATE hero SET difficulty = 77, channel_id = NULL WHERE hero_id = 2");
    const [hero] = tables.filter(({ table }) => table === "hero");
    expect(hero?.counts).toEqual({ added: 0, gone: 0, changed: 1 });
    expect(hero?.changed).toMatchObject([
      { label: "Balmond", columns: { difficulty: { after: 77 }, channel_id: { after: null } } },
    ]);
  });

  test("a row that is retired is told, in whatever table", () => {
    const { tables } = edited("DELETE FROM game_version WHERE version_id = (SELECT min(version_id) FROM game_version)");
    expect(tables).toMatchObject([{ table: "game_version", kind: "row", counts: { added: 0, gone: 1, changed: 0 } }]);
    expect(tables[0]?.gone[0]?.row).toMatchObject({ game_version: expect.stringMatching(/^\d+\./) });
  });

  test("a stamp alone is counted and not told", () => {
    const { tables } = edited("UPDATE hero_trend_series SET batch_at_ms = batch_at_ms + 1");
    expect(tables).toMatchObject([{ table: "hero_trend_series", counts: { added: 0, gone: 0 }, changed: [] }]);
    expect(tables[0]?.counts.changed).toBeGreaterThan(10);
  });

  test("a list is told whole, by names", () => {
    const { lists } = edited(
      "UPDATE hero_relation SET target_hero_id = 9 WHERE hero_id = 1 AND kind = 'weak' AND position = 1",
    );
    expect(lists).toMatchObject([{ table: "hero_relation", label: "Miya, weak", key: { hero_id: 1, kind: "weak" } }]);
    expect(lists[0]?.after[0]).toBe("Akai");
    expect(lists[0]?.before[0]).not.toBe("Akai");
  });

  test("a second list of a hero's skills is told", () => {
    const { lists } = edited(`INSERT INTO skill_slot SELECT hero_id, 2, position, skill_id, list_id, slice_id
      FROM skill_slot WHERE hero_id = 1 AND position = 1`);
    expect(lists).toMatchObject([{ table: "skill_slot", label: "Miya, 2", before: [], after: [expect.any(String)] }]);
  });

  test("a skill that is gone is told, its texts and labels are not", () => {
    const one = "WHERE skill_id = (SELECT min(skill_id) FROM skill_slot WHERE hero_id = 1)";
    const { tables, lists, texts } = edited(
      `DELETE FROM skill ${one}; DELETE FROM skill_text ${one}; DELETE FROM skill_tag ${one}`,
    );
    expect(tables.map(({ table, gone }) => [table, gone.length])).toEqual([
      ["skill", 1],
      ["skill_text", 0],
      ["skill_tag", 0],
    ]);
    expect([lists, texts]).toEqual([[], []]);
  });
});

describe("noise", () => {
  const everybody = "UPDATE hero_rate SET win_rate = win_rate + 0.02 + 0.0004 * (hero_id % 3)";

  test("what moves everybody is none of anybody's news", () => {
    expect(edited(everybody).rates.movers).toEqual([]);
  });

  test("who moves otherwise than everybody is", () => {
    const one = "UPDATE hero_rate SET win_rate = win_rate - 0.04 WHERE hero_id = 5 AND rank = 'all' AND days = 7";
    const { movers, spread } = edited(`${everybody}; ${one}`).rates;
    expect(movers).toMatchObject([{ hero_id: 5, rank: "all", days: 7, rate: "win_rate", name: "Nana" }]);
    expect(Math.abs(movers[0]?.score ?? 0)).toBeGreaterThan(4);
    const noise = spread.find(({ rank, days, rate }) => rank === "all" && days === 7 && rate === "win_rate");
    expect(noise?.median).toBeCloseTo(0.0204, 3);
  });

  test.each([1, 7])(
    "a change too small to matter is not, however far from the others, in a window of %i days",
    (days) => {
      const small = `UPDATE hero_rate SET win_rate = win_rate + CASE hero_id WHEN 5 THEN 0.004 ELSE 0.0001 * (hero_id % 2) END WHERE days = ${days}`;
      expect(edited(small).rates.movers).toEqual([]);
      expect(edited(small.replace("0.004", "0.006")).rates.movers).toHaveLength(2);
    },
  );

  test("a jump is told once, in the window where it stands out most, with the others beside it", () => {
    const jump =
      "UPDATE hero_rate SET win_rate = win_rate + CASE days WHEN 1 THEN 0.3 ELSE 0.05 END WHERE hero_id = 5 AND rank = 'all'";
    const { movers } = edited(jump, { night: 1 }).rates;
    expect(movers).toMatchObject([{ hero_id: 5, rate: "win_rate", days: 1, also_in: [{ days: 7 }] }]);
    const [first] = movers;
    expect(first?.score).toBeGreaterThan(first?.also_in[0]?.score ?? Number.POSITIVE_INFINITY);
    expect(first?.also_in[0]?.change).toBeCloseTo(0.05, 2);
  });

  test("the spread does not depend on the order, and half of the changes lie within it", () => {
    const changes = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 200 });
    fc.assert(
      fc.property(changes, (values) => {
        const measured = values.map((change) => ({ change, relativeErrors: [1] }));
        const { spread } = findNews(measured, 0, 1e-6);
        expect(findNews(measured.toReversed(), 0, 1e-6).spread).toEqual(spread);
        const within = values.filter((value) => Math.abs(value - spread.median) <= spread.deviation / 1.48);
        expect(within.length * 2).toBeGreaterThanOrEqual(values.length - 1);
      }),
      { examples: [[[1, 1, 1, 1, 0, -0, -1, -1, -1]]] },
    );
  });
});

describe("matchups", () => {
  // These nights have team mates only.
  const asOpponents = "UPDATE hero_matchup SET match_type = 0";
  const fallen =
    "UPDATE hero_matchup SET increase_win_rate = increase_win_rate - 0.3 WHERE hero_id = 1 AND other_hero_id = 5";

  test("one that moved is told once, by both heroes, from the side of the one that does better", () => {
    const { matchups } = edited(`${asOpponents}; ${fallen} AND rank = 'all'`, { before: asOpponents }).matchups;
    expect(matchups).toMatchObject([{ rank: "all", hero_id: 5, name: "Nana", other_hero_id: 1, other: "Miya" }]);
    const [told] = matchups;
    expect(told?.change).toBeCloseTo(0.3, 6);
    expect((told?.after ?? 0) - (told?.before ?? 0)).toBeCloseTo(0.3, 6);
    expect(Math.min(told?.apart ?? 0, told?.score ?? 0)).toBeGreaterThan(0);
  });

  test("of team mates are counted", () => {
    const { matchups, tables } = edited(fallen);
    expect(matchups.matchups).toEqual([]);
    expect(tables).toMatchObject([{ table: "hero_matchup", counts: { changed: 2 } }]);
  });
});

describe("builds", () => {
  const swapped = `UPDATE hero_build_item SET item_id = CASE position WHEN 1 THEN 3001 ELSE 3002 END
    WHERE hero_id = 1 AND build_position = 1 AND position < 3`;

  test("of a hero and lane that are new are one row of names, however they are ordered", () => {
    const { lists, tables } = edited(`${swapped} AND rank = 'all'`);
    expect(new Set(lists.map(({ table, label }) => `${table} ${label.split(",")[0]}`))).toEqual(
      new Set(["hero_build Miya"]),
    );
    const [{ before, after } = { before: [], after: [] }] = lists;
    expect([before.length, after.length]).toEqual([1, 1]);
    for (const build of [...before, ...after]) expect(build.split(" + ")).toHaveLength(6);
    expect(tables).toMatchObject([{ table: "hero_build_item", kind: "statistic", changed: [] }]);
    const turned = `UPDATE hero_build_item SET position = position + 10;
      UPDATE hero_build_item SET position = CASE position WHEN 11 THEN 2 WHEN 12 THEN 1 ELSE position - 10 END`;
    expect(edited(turned).lists).toEqual([]);
  });

  test("of a single rank are counted", () => {
    expect(edited(`${swapped} AND rank = 'glory'`).lists).toEqual([]);
  });
});

describe("what is told", () => {
  test("says of the rates, matchups, texts and records what there is", () => {
    const [before, after] = [diffSnapshots(file(0), file(1)), diffSnapshots(file(1), file(2))];
    expect(before.news.short).toMatch(/^1 new hero, /);
    expect(before.news.lines[0]).toBe("New heroes: Bane");
    const { rates, texts, tables } = after.changes as Changes;
    expect(after.news.short).toContain(
      `${rates.movers.length} rates moved, ${texts.length} texts changed, 1 record gone`,
    );
    expect(after.news.lines).toContainEqual(
      expect.stringMatching(/^Nana: win rate from 46\.68% to 54\.86% \(.*, 1 day\)$/),
    );
    expect(after.news.lines).toContain("Changed texts: de 1, en 1, ja 1");
    expect(after.news.lines).toContain(`Gone records: ${tables.flatMap(({ gone }) => gone.map(({ label }) => label))}`);
    expect(diffSnapshots(file(0), file(0)).news.short).toBe("nothing changed");
  });

  test("is bounded and has no character that steers", () => {
    const changes = edited("UPDATE hero_rate SET win_rate = win_rate + 0.3 WHERE hero_id = 5");
    const [mover] = changes.rates.movers;
    if (!mover) throw new Error("no mover");
    const name = `\u001b[31m\u202e${"x".repeat(200)}`;
    const movers = Array.from({ length: 50 }, () => ({ ...mover, name }));
    const { short, lines } = tellNews({ ...changes, rates: { ...changes.rates, movers } });
    expect(short).toContain("50 rates moved");
    expect(lines.filter((line) => line.includes("[31m"))).toHaveLength(10);
    expect(lines).toContain("… and 40 more rates");
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Cf}|x{61}/u);
  });
});

describe("words", () => {
  test("are those of the language, also where it has no spaces", () => {
    expect(diffWords("敵に100の物理ダメージを与える。", "敵に120の魔法ダメージを与える。", "ja")).toEqual([
      ["=", "敵に"],
      ["-", "100"],
      ["+", "120"],
      ["=", "の"],
      ["-", "物理"],
      ["+", "魔法"],
      ["=", "ダメージを与える。"],
    ]);
    expect(
      diffWords("สร้างความเสียหายกายภาพ 100", "สร้างความเสียหายเวท 100", "th").filter(([what]) => what !== "="),
    ).toHaveLength(2);
  });

  test("put together again give both texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (before, after) => {
        const words = diffWords(before, after, "en");
        const side = (other: string) => words.flatMap(([what, text]) => (what === other ? [] : [text])).join("");
        expect([side("+"), side("-")]).toEqual([before, after]);
      }),
    );
  });

  test("of the upstream neither steer a terminal nor bring markup into a page", () => {
    const changes = edited(
      "UPDATE hero_text SET name = 'x' || char(27) || '[31m\u202e<b>`*|' || name WHERE hero_id = 1 AND lang = 'de'",
    );
    const diff = { ...diffSnapshots(file(1), file(2)), identical: false, changes } as Diff;
    const terminal = renderDiff(diff, { markdown: false, top: 10 });
    expect(stripVTControlCharacters(terminal)).toContain("x[31m<b>`*|");
    expect(terminal).not.toContain("\u202e");
    expect(renderDiff(diff, { markdown: true, top: 10 })).toContain("x\\[31m&lt;b&gt;\\`\\*\\|");
  });
});
