import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Diff } from "../../src/extra/nights/diff/diff.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { RAISED } from "../helpers/crawl-nights.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, putChanges } from "../helpers/data-folder.ts";
import { attributeOf, type Element, elementsOf, faultsOfDocument, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { idOf, openPage } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const changesFile = (version: string | undefined, at: string) => join(at, "snapshots", `${version}.changes.json`);
const readChanges = (version: string | undefined, at: string) => readFileSync(changesFile(version, at), "utf8");

describe("the page of what changed", () => {
  const nights = world.nights;
  const [, second = "", third = ""] = nights.versions;
  const pages = createPages({ pictures: false });
  let shown: RunningMirror;
  beforeAll(async () => {
    shown = await startFollowing(nights.data, { pages });
  });
  afterAll(() => shown[Symbol.asyncDispose]());

  const open = (path: string) => openPage(shown, path);
  const diffOf = (version: string): Diff => JSON.parse(readChanges(version, nights.data));
  const textsOf = (cells: readonly Element[]) => cells.map(({ text }) => text);
  const headings = (document: Element) => elementsOf(document, "h2").map(({ text }) => text);

  test("has the movers of the file, one of each hero, rank and rate, the biggest first", async () => {
    const wanted = diffOf(third).changes?.rates.movers ?? [];
    expect(wanted).toEqual(wanted.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change)));
    expect(wanted.length).toBeGreaterThan(1);
    for (const rank of ["every", "all"]) {
      const rows = rowsOf(tableOf(await open(`/changes?rank=${rank}`), "Rates, the biggest change first"));
      const ofRank = wanted.filter((one) => rank === "every" || one.rank === rank);
      expect(rows.map((row) => [idOf(row[0]), ...[3, 4, 2].map((cell) => numberIn(row[cell]))])).toEqual(
        ofRank.map(({ hero_id, before, after, change }) => [hero_id, before, after, change]),
      );
      const csv = await (await fetch(`${shown.url}/changes?rank=${rank}&format=csv`)).text();
      expect(csv.trim().split("\n").slice(1)).toEqual(
        ofRank.map((one) =>
          [
            one.hero_id,
            one.name,
            one.rank,
            one.days,
            one.rate,
            one.before,
            one.after,
            one.change,
            one.apart,
            one.score,
          ].join(),
        ),
      );
    }
    expect(headings(await open("/changes?rank=glory&night=latest"))).toContain("Movers");
  });

  test("counts what the words of the night count", async () => {
    const { news } = diffOf(third);
    const [nav] = elementsOf(await open("/changes?rank=every"), "nav").filter(({ text }) => text.includes("Movers"));
    const shown = elementsOf(nav as Element, "li").map((item) => [
      attributeOf(elementsOf(item, "a")[0] as Element, "href"),
      numberIn(elementsOf(item, "small")[0]),
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      "#movers": 2,
      "#texts": 1,
      "#records": 1,
      "#lists": expect.any(Number),
    });
    const lists = new Map(shown as [string, number][]).get("#lists");
    // Those of the other two languages are in a table of their own.
    expect(news.short).toBe(`2 rates moved, 3 texts changed, 1 record gone, ${lists} lists changed`);
  });

  test("has the texts of its language by words, and how many changed in the others", async () => {
    const words = wordsIn("ja").mirror.changes;
    const document = await open("/changes?lang=ja");
    const [row] = rowsOf(tableOf(document, words.textsCaption({ language: "ja" })));
    expect(textsOf(row?.slice(0, 2) ?? [])).toEqual(["Miya", "story"]);
    expect(textsOf(elementsOf(document, "ins"))).toEqual(["変更 "]);
    expect(elementsOf(document, "del")).toEqual([]);
    const others = rowsOf(tableOf(document, words.textsByLanguage)).map(([lang, texts]) => [
      lang?.text,
      numberIn(texts),
    ]);
    expect(others).toEqual([
      ["en", 1],
      ["de", 1],
      ["ja", 1],
    ]);
    expect((await open("/changes?lang=ar")).text).toContain(wordsIn("ar").mirror.changes.noTexts);
  });

  test("has what is new and gone, the heroes first", async () => {
    const last = await open("/changes");
    expect(rowsOf(tableOf(last, "without what came or went")).map(textsOf)).toEqual([
      ["Thunder Arrow 2", "item", "gone"],
    ]);
    // Items of builds change every night.
    expect(last.text).not.toContain("Changed records");
    const before = await open(`/changes?night=${second}`);
    const [hero, ...told] = rowsOf(tableOf(before, "Heroes that the list has got")).flat();
    expect([idOf(hero), ...textsOf(told)]).toEqual([11, "new", "11"]);
    expect(headings(before)[0]).toBe("New and gone heroes");
    expect(before.text).toContain(nights.versions[0]);
  });

  test("shows each pair in the language of the page, and no CSV of nothing", async () => {
    using copy = copyOf(nights.data);
    const diff = diffOf(third);
    const pair = { hero_id: 1, name: "Miya", other_hero_id: 5, other: "Nana", rank: "all" };
    const risen = { before: -0.19, after: -0.02, change: 0.17, apart: 0.17, score: 7 };
    const little = { before: 0.01, after: 0.025, change: 0.015, apart: 0.015, score: 6 };
    const matchups = [
      { ...pair, ...risen },
      { ...pair, ...little },
      { ...pair, ...little, rank: "glory" },
    ];
    const rate = { rank: "glory", days: 7, rate: "ban_rate", before: 0.0596, after: 0.05924, change: -0.00036 };
    const small = { hero_id: 1, name: "Miya", ...rate, apart: -0.00036, score: -6, also_in: [] };
    const changes = { ...diff.changes, matchups: { matchups }, rates: { movers: [small] } };
    putChanges(copy.path, third, JSON.stringify({ ...diff, changes }));
    await using served = await startFollowing(copy.path, { pages });
    const document = await openPage(served, "/changes?rank=all&lang=ja");
    const [name] = queryFile<{ name: string }>(
      fileOf(copy.path, third),
      "SELECT name FROM hero_text WHERE hero_id = 5 AND lang = 'ja'",
    );
    const words = wordsIn("ja").mirror.changes;
    const rows = rowsOf(tableOf(document, words.pairsCaption));
    expect(rows.map((cells) => [numberIn(cells[2]), ...textsOf(cells.slice(2, 5))])).toEqual([
      [0.17, "+17.0", "−19.0", "−2.0"],
      [0.015, "+1.5", "+1.0", "+2.5"],
    ]);
    for (const [hero, other] of rows) {
      expect([idOf(hero), idOf(other)]).toEqual([1, 5]);
      expect(other && elementsOf(other, "a")[0]?.text).toBe(name?.name);
    }
    const [mover] = rowsOf(tableOf(await openPage(served, "/changes?rank=glory"), "Rates, the biggest"));
    expect(textsOf(mover?.slice(1, 5) ?? [])).toEqual(["Ban rate", "−0.04", "5.96%", "5.92%"]);
    const links = (one: Element) => elementsOf(one, "a").map((link) => attributeOf(link, "href"));
    expect(document.text).toContain(`${words.noMoversOfRank} ${words.showEveryRank}`);
    expect(links(document)).toContain("/changes?lang=ja");
    expect(links(document).filter((href) => href?.includes("format=csv"))).toEqual([]);
    const [csv] = elementsOf(await open("/changes"), "a").filter((link) => attributeOf(link, "href")?.includes("=csv"));
    expect(csv?.text).toBe("The movers as CSV");
  });

  test("counts by endpoint and by table what the file counts", async () => {
    const document = await open("/changes");
    const { coverage = [], tables = [] } = diffOf(third).changes ?? {};
    expect(coverage.length).toBeGreaterThan(10);
    const cells = (row: Element[]) => [row[0]?.text, ...row.slice(1, 4).map(numberIn)];
    expect(rowsOf(tableOf(document, "Answers that both nights were asked for")).map(cells)).toEqual(
      coverage.map(({ dataset, slices: { changed, added, gone } }) => [dataset, changed, added, gone]),
    );
    expect(rowsOf(tableOf(document, "Rows that came, went")).map(cells)).toEqual(
      tables.map(({ table, counts: { changed, added, gone } }) => [table, changed, added, gone]),
    );
  });

  test("offers the nights of which it is known, and links to the same as JSON", async () => {
    const document = await open("/changes");
    const offered = elementsOf(document, "option").map((option) => attributeOf(option, "value"));
    expect(offered.slice(0, 3)).toEqual(["latest", third, second]);
    expect(elementsOf(document, "a").map((link) => attributeOf(link, "href"))).toContain(
      `/snapshots/${third}/changes.json`,
    );
    expect((await open(`/changes?night=${nights.versions[0]}`)).text).toContain(
      `There is no value “${nights.versions[0]}” of night.`,
    );
  });

  const RATES = ["win_rate", "appearance_rate", "ban_rate"] as const;

  test("is told beside the rates of the same rank and window, and nowhere else", async () => {
    const { before, changes } = diffOf(third);
    const movers = (changes?.rates.movers ?? []).flatMap((mover) =>
      [mover, ...mover.also_in].map((moved) => ({ ...mover, ...moved })),
    );
    for (const [rank, days] of [
      ["all", 1],
      ["all", 7],
      ["glory", 7],
    ] as const) {
      const wanted = movers.filter((mover) => mover.rank === rank && mover.days === days);
      const state = `rank=${rank}&days=${days}`;
      const list = await open(`/tiers?${state}&least=0`);
      const told = rowsOf(tableOf(list, "heroes, ")).flatMap(([, hero, ...cells]) =>
        cells.flatMap((cell, index) =>
          elementsOf(cell, "small").map((arrow) => [idOf(hero), RATES[index], numberIn(arrow)]),
        ),
      );
      expect(new Set(told)).toEqual(new Set(wanted.map(({ hero_id, rate, change }) => [hero_id, rate, change])));
      const since = `changes since the night of ${before.started_at.slice(0, 10)}`;
      expect(list.text.includes(since)).toBe(wanted.length > 0);
      const [figures] = elementsOf(await open(`/heroes/${RAISED.id}?${state}`), "dl");
      const ofHero = elementsOf(figures as Element, "small").filter(({ text }) => /[▲▼]/.test(text));
      expect(ofHero.map(numberIn).sort()).toEqual(
        wanted.flatMap(({ hero_id, change }) => (hero_id === RAISED.id ? change : [])).sort(),
      );
    }
    expect(movers.some(({ hero_id, days }) => hero_id === RAISED.id && days === 1)).toBe(true);
  });

  test.for([
    ["was written by somebody else", (json: string) => json.replace(/"change":0/, '"change":-0')],
    ["is cut", (json: string) => json.slice(0, -2)],
    ["is of another night", () => readChanges(second, nights.data)],
    ["is gone", () => undefined],
  ] as const)("is not told beside rates if its file %s", async ([, spoil]) => {
    using copy = copyOf(nights.data);
    const json = spoil(readChanges(third, copy.path));
    if (json === undefined) rmSync(changesFile(third, copy.path));
    else writeFileSync(changesFile(third, copy.path), json);
    await using served = await startFollowing(copy.path, { pages });
    for (const path of ["/tiers?days=1&least=0", `/heroes/${RAISED.id}?days=1`, "/?days=1"]) {
      expect((await openPage(shown, path)).text).toMatch(/[▲▼]/);
      expect((await openPage(served, path)).text).not.toMatch(/[▲▼]|since the night/);
    }
    expect(served.faults).toEqual([]);
  });

  test("follows what lies in the folder, while the same snapshot is served", async () => {
    using copy = copyOf(nights.data);
    await using served = await startFollowing(copy.path, { pages });
    const offered = async () =>
      elementsOf(await openPage(served, "/changes"), "option").map((option) => attributeOf(option, "value"));
    expect(await offered()).toContain(second);
    rmSync(manifestFileOf(copy.path, second));
    expect(await offered()).not.toContain(second);
    const { changes, ...others } = manifestOf(copy.path, third);
    writeFileSync(manifestFileOf(copy.path, third), JSON.stringify(others));
    expect((await openPage(served, "/changes")).text).toContain("This night was not compared");
    expect(served.faults).toEqual([]);
  });

  const hostile = `</bdi><script>alert(1)</script>"'&amp;\u202e\u0007 ${"x".repeat(200)}`;
  const key = { lang: hostile, hero_id: hostile };
  const odd = {
    before: { version: hostile, started_at: hostile, game_version: hostile },
    after: { version: hostile, started_at: hostile, game_version: null },
    identical: false,
    asked: [
      { dataset: hostile, compared: 1, older: 0, carried: 2, not_asked: 3, changed_after: hostile, changed_before: "" },
    ],
    changes: {
      days_apart: -1,
      heroes: { added: [{ hero_id: 999, name: hostile }, { hero_id: "1" }], gone: null },
      rates: {
        movers: Array.from({ length: 5000 }, (_, at) => ({
          ...{ hero_id: at, name: hostile, rank: hostile, days: 1, rate: "win_rate" },
          ...{ before: 1e300, after: -1, change: at, apart: 0, score: 0, also_in: null },
        })),
      },
      matchups: { matchups: [null, 1, {}] },
      texts: [
        {
          label: hostile,
          column: hostile,
          lang: "en",
          words: [
            ["=", hostile],
            ["-", hostile],
            ["+", "ท".repeat(200_000)],
          ],
        },
        { label: "", column: "", lang: hostile, words: [["?", ""]] },
      ],
      lists: [{ table: hostile, label: hostile, key, before: [hostile], after: [] }],
      tables: [
        { table: hostile, kind: "row", counts: { added: 1, gone: 0, changed: 0 }, added: [{ label: hostile, key }] },
      ],
      coverage: [{ dataset: hostile, slices: { added: 0, gone: 0, changed: 0, same: 0 }, languages: "none" }],
    },
  };

  test.for([
    ["of another program", JSON.stringify(odd), "(the first 100 of 5000)"],
    ["equal", JSON.stringify({ ...odd, identical: true, changes: null }), "Both nights hold the same data"],
    ["no object", "[]", "It is here as JSON"],
    ["cut", "{", "It is here as JSON"],
    ["too large for a page", JSON.stringify({ ...odd, more: "x".repeat(7_000_000) }), "It is here as JSON"],
  ] as const)("shows changes that are %s", async ([, json, said]) => {
    using copy = copyOf(nights.data);
    putChanges(copy.path, third, json);
    await using served = await startFollowing(copy.path, { pages });
    const response = await fetch(`${served.url}/changes`);
    const source = await response.text();
    expect(source.length).toBeLessThan(300_000);
    expect(source).not.toMatch(/<script>|(?!\n)\p{Cc}/u);
    const document = await openPage(served, "/changes");
    expect(faultsOfDocument(document)).toEqual([]);
    expect(document.text).toContain(said);
    expect((await fetch(`${served.url}/changes?format=csv`)).status).toBe(200);
    expect(served.faults).toEqual([]);
  });
});
