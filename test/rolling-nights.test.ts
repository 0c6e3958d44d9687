import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderDiff } from "../scripts/cli/print-diff.ts";
import type { Slice } from "../src/api/endpoint.ts";
import { diffSnapshots } from "../src/nights/diff/diff.ts";
import { fileOf, pointerOf } from "./helpers/data-folder.ts";
import { publishRolling } from "./helpers/rolling.ts";
import { crawlOptions, LITTLE, runCommand } from "./helpers/run.ts";
import { startUpstream } from "./helpers/upstream/upstream.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 7, 1, 3) / 1000;
const FEW = "heroes,rank,hero";
const MORE = `${FEW},stats,trends,skill-combos`;
/** Days of the nights; the last is of everything. */
const DAYS = [0, 3, 5, 6, 8];
const at = (night: number) => new Date((START + (DAYS[night] ?? 0) * DAY) * 1000).toISOString();

/**
 * What nights ask. The first is a whole one of few endpoints. The second goes on from it, and lacks what that has not; the third
 * asks hero 1 and what was never asked, the fourth nothing but the lists; the last is whole again.
 */
const ASKED: ((slice: Slice) => boolean)[] = [
  () => true,
  ({ dataset, days }) => dataset === "heroes" || (dataset === "rank" && days === "7"),
  ({ dataset, hero, lang }) => /^(heroes|rank|stats|trends)$/.test(dataset) || (hero === 1 && lang === "en"),
  ({ dataset }) => dataset === "heroes",
  () => true,
];

const world = mkdtempSync(join(tmpdir(), "metasnap-rolling-"));
const data = join(world, "data");
const files: string[] = [];

/** On the fifth day each story has another word in front, on the sixth another one. */
const reword = (day: number) => (path: string, body: string) =>
  path.startsWith("/api/heroes/") && day > 3 ? body.replaceAll(/"story":"(?!")/g, `"story":"On ${day} `) : body;

beforeAll(async () => {
  let day = 0;
  await using upstream = await startUpstream(10, undefined, (path, body) => reword(day)(path, body));
  for (const [night, isAsked] of ASKED.entries()) {
    day = DAYS[night] ?? 0;
    upstream.sample.set({ day });
    const into = isAsked === ASKED[1] || (night > 1 && night < 4) ? join(world, `whole-${night}`) : data;
    const words = [...crawlOptions(upstream.url, into), ...LITTLE, "--endpoints", night === 0 ? FEW : MORE];
    const { code, stderr } = await runCommand("crawl", [...words, "--allow-partial"], {
      SOURCE_DATE_EPOCH: String(START + day * DAY),
    });
    expect([code, stderr]).toEqual([0, ""]);
    const journals = join(into, "journals");
    if (into !== data) await publishRolling(join(journals, readdirSync(journals)[0] ?? ""), data, isAsked);
    files.push(fileOf(data, pointerOf(data).version));
  }
});
afterAll(() => rmSync(world, { recursive: true, force: true }));

const file = (night: number) => files[night] ?? "";

function compare(before: number, after: number) {
  const diff = diffSnapshots(file(before), file(after));
  if (!diff.changes) throw new Error("nothing changed");
  return { ...diff, of: new Map(diff.asked?.map((entry) => [entry.dataset, entry])) };
}

describe("a diff of rolling nights", () => {
  test("leaves out what was carried over, and says how much, and from when the rest is", () => {
    const { of, changes } = compare(0, 1);
    const moments = { changed_after: at(0), changed_before: at(1) };
    expect(of.get("rank")).toEqual({ dataset: "rank", compared: 2, older: 0, carried: 2, not_asked: 0, ...moments });
    expect(of.get("hero")).toMatchObject({ compared: 0, carried: 20, not_asked: 0 });
    expect(of.get("heroes")).toMatchObject({ compared: 2, carried: 0 });
    const slices = Object.fromEntries(changes.coverage.map((entry) => [entry.dataset, entry.slices]));
    expect(slices).toMatchObject({
      rank: { added: 0, gone: 0, changed: 2, same: 0 },
      hero: { added: 0, gone: 0, changed: 0, same: 0 },
      stats: { added: 0, gone: 0, changed: 0, same: 0 },
    });
  });

  test("does not measure noise by what was carried over, and judges each list by its own nights", () => {
    const first = compare(0, 1).changes.rates.spread;
    expect(new Set(first.map(({ days }) => days))).toEqual(new Set([7]));
    expect(first.every(({ count, deviation }) => count === 10 && deviation > 0)).toBe(true);
    expect(first[0]).toMatchObject({ smallest: (0.005 * 3) / 7, changed_after: at(0), changed_before: at(1) });
    const second = compare(1, 2).changes.rates.spread.filter(({ rate, rank }) => rate === "win_rate" && rank === "all");
    expect(second).toMatchObject([
      { days: 1, smallest: 0.005, changed_after: at(0), changed_before: at(2) },
      { days: 7, smallest: (0.005 * 2) / 7, changed_after: at(1), changed_before: at(2) },
    ]);
    expect(compare(1, 2).changes.matchups.spread).toEqual([]);
    expect(compare(2, 4).changes.matchups.spread).toMatchObject([
      { source: "stats", rank: "all", changed_after: at(2), changed_before: at(4) },
      { source: "stats", rank: "glory" },
    ]);
  });

  test("tells of a change between which moments it was, as far as the answer goes that it is in", () => {
    expect(compare(1, 2).changes.texts).toMatchObject([
      { label: "Miya", column: "story", lang: "en", changed_after: at(0), changed_before: at(2) },
    ]);
    const { texts } = compare(3, 4).changes;
    expect(texts).toHaveLength(20);
    for (const { label, lang, changed_after, changed_before } of texts)
      expect([changed_after, changed_before]).toEqual([at(label === "Miya" && lang === "en" ? 2 : 0), at(4)]);
    const report = renderDiff(diffSnapshots(file(1), file(2)), { markdown: true, top: 9 });
    expect(report).toContain("7 answers compared, 19 carried over, 60 not asked in one of them\n");
    expect(report).toMatch(
      /\| of \| text \| lang \| change \| between \|\n.*\n\| Miya .* \| 2026-08-01 – 2026-08-06 \|/,
    );
    expect(report).toContain("| hero | 1 |  | 19 |  | 2026-08-01 – 2026-08-06 |");
  });

  test("takes what was never asked for neither gone nor new", () => {
    for (const [before, after] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const { of, changes } = compare(before, after);
      expect(of.get("stats")).toMatchObject({ compared: 0, carried: 0, not_asked: 20 });
      const tables = changes.tables.map(({ table }) => table);
      expect(tables).toEqual(["hero_text", "hero_rate", "hero_rate_opponent"]);
      expect(changes.lists).toEqual([]);
    }
    // What a whole night lacks as nobody wanted it is another thing.
    expect(compare(0, 2).changes.tables).toContainEqual(expect.objectContaining({ table: "hero_trend_series" }));
  });

  test("says what is older in the second, and that equal nights have not been asked again", () => {
    const { of, changes } = compare(4, 2);
    expect(of.get("rank")).toMatchObject({ compared: 4, older: 4, changed_after: at(4), changed_before: at(2) });
    expect(changes.texts).toHaveLength(20);
    const same = renderDiff(diffSnapshots(file(2), file(3)), { markdown: false, top: 9 });
    expect(same).toMatch(/ hold the same data; 2 answers compared, 65 carried over, 19 not asked in one of them\n$/);
    expect(diffSnapshots(file(0), file(0))).not.toHaveProperty("asked");
  });
});
