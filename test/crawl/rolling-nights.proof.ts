import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderDiff } from "../../scripts/cli/print-diff.ts";
import type { Slice } from "../../src/api/endpoint.ts";
import { diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { buildAndPublish } from "../../src/snapshot/pipeline.ts";
import { crawlSmall } from "../helpers/crawl-small.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { judgeHistory, readHistory } from "../helpers/judge-history.ts";
import { publishRolling } from "../helpers/rolling.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 7, 1, 3) / 1000;
const FEW = "heroes,rank,hero";
const MORE = `${FEW},stats,academy-counters,trends,skill-combos`;
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
  ({ dataset, hero, lang }) =>
    /^(heroes|rank|stats|academy-counters|trends)$/.test(dataset) || (hero === 1 && lang === "en"),
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
    const isWhole = night === 0 || night === 4;
    const journal = await crawlSmall({
      upstream: upstream.url,
      data: isWhole ? data : join(world, `whole-${night}`),
      languages: ["en", "ja"],
      ranks: ["all", "glory"],
      endpoints: (night === 0 ? FEW : MORE).split(","),
      startedAt: new Date((START + day * DAY) * 1000),
    });
    if (isWhole) await buildAndPublish(journal, data, { latest: true });
    else await publishRolling(journal, data, isAsked);
    files.push(fileOf(data));
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
    expect(first[0]).toMatchObject({ changed_after: at(0), changed_before: at(1) });
    const second = compare(1, 2).changes.rates.spread.filter(({ rate, rank }) => rate === "win_rate" && rank === "all");
    expect(second).toMatchObject([
      { days: 1, changed_after: at(0), changed_before: at(2) },
      { days: 7, changed_after: at(1), changed_before: at(2) },
    ]);
    expect(compare(1, 2).changes.matchups.spread).toEqual([]);
    expect(compare(2, 4).changes.matchups.spread).toMatchObject([
      { rank: "all", changed_after: at(2), changed_before: at(4) },
      { rank: "glory" },
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
    expect(report).toContain("7 answers compared, 19 carried over, 80 not asked in one of them\n");
    expect(report).toMatch(
      /\| Of \| Text \| Language \| Change \| Between \|\n.*\n\| Miya .* \| 2026-08-01 – 2026-08-06 \|/,
    );
    expect(report).toContain("| hero | 1 | 0 | 19 | 0 | 2026-08-01 – 2026-08-06 |");
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
    expect(same).toMatch(/ hold the same data; 2 answers compared, 85 carried over, 19 not asked in one of them\n$/);
    expect(diffSnapshots(file(0), file(0))).not.toHaveProperty("asked");
  });
});

describe("a history of rolling nights", () => {
  const folder = temporaryFolder();
  const history = join(folder.path, "history.sqlite");
  const nights = () => files.map((one, night) => ({ file: one, sequence: night + 1, withdrawn: false }));
  const ask = (sql: string, from = history) => queryFile<Record<string, unknown>>(from, sql);
  beforeAll(() => void updateHistory(history, nights()));
  afterAll(() => folder[Symbol.dispose]());

  test("says what each night has from an earlier one or was never asked for, as runs of nights", () => {
    expect(ask("SELECT rolling, carried_slices, failed_slices FROM night ORDER BY night_id")).toEqual([
      { rolling: 0, carried_slices: 0, failed_slices: 0 },
      { rolling: 1, carried_slices: 22, failed_slices: 80 },
      { rolling: 1, carried_slices: 19, failed_slices: 19 },
      { rolling: 1, carried_slices: 85, failed_slices: 19 },
      { rolling: 0, carried_slices: 0, failed_slices: 0 },
    ]);
    const runs = "SELECT asked_at, from_night, to_night FROM carried_slice WHERE lang = 'en' AND";
    expect(ask(`${runs} dataset = 'hero' AND hero_id = 1 ORDER BY from_night`)).toEqual([
      { asked_at: at(0), from_night: 2, to_night: 3 },
      { asked_at: at(2), from_night: 4, to_night: 5 },
    ]);
    expect(ask(`${runs} dataset = 'stats' AND hero_id = 1 AND rank = 'all' ORDER BY from_night`)).toEqual([
      { asked_at: null, from_night: 2, to_night: 3 },
      { asked_at: at(2), from_night: 4, to_night: 5 },
    ]);
    expect(ask("SELECT * FROM failed_slice")).toEqual([]);
  });

  test("holds what each night holds", () => {
    const lacking = [0, 80, 19, 19, 0];
    const folded = nights().map((night, place) => {
      const [version] = queryFile<{ version: string }>(night.file, "SELECT version FROM snapshot");
      return { ...night, version: version?.version ?? "", failed: lacking[place] ?? 0 };
    });
    expect(judgeHistory(history, folded)).toEqual([]);
  });

  test("begins no version in a night that did not ask, and says between which moments each change lies", () => {
    const rates = `SELECT from_night, changed_after, changed_before, ended_after, ended_before FROM hero_rate
      WHERE rank = 'all' AND hero_id = 3 AND days =`;
    expect(ask(`${rates} 1 ORDER BY from_night`)).toEqual([
      { from_night: 1, changed_after: null, changed_before: at(0), ended_after: at(0), ended_before: at(2) },
      { from_night: 3, changed_after: at(0), changed_before: at(2), ended_after: at(2), ended_before: at(4) },
      { from_night: 5, changed_after: at(2), changed_before: at(4), ended_after: null, ended_before: null },
    ]);
    expect(ask(`${rates} 7 ORDER BY from_night`)).toMatchObject([
      { from_night: 1, ended_before: at(1) },
      { from_night: 2, changed_after: at(0), changed_before: at(1), ended_after: at(1), ended_before: at(2) },
      { from_night: 3, changed_after: at(1), changed_before: at(2) },
      { from_night: 5, changed_after: at(2), changed_before: at(4) },
    ]);
    expect(
      ask(
        "SELECT date, changed_after, changed_before FROM rate_change WHERE hero = 'Miya' AND rank = 'all' AND days = 1",
      ),
    ).toEqual([
      { date: "2026-08-01", changed_after: null, changed_before: at(0) },
      { date: "2026-08-06", changed_after: at(0), changed_before: at(2) },
      { date: "2026-08-09", changed_after: at(2), changed_before: at(4) },
    ]);
  });

  test("tells each text once, in the night that asked for it", () => {
    expect(
      ask(`SELECT key, lang, date_from, changed_after, changed_before FROM text_change
           WHERE key IN ('[1]', '[2]') ORDER BY key, lang, date_from`),
    ).toEqual([
      { key: "[1]", lang: "en", date_from: "2026-08-06", changed_after: at(0), changed_before: at(2) },
      { key: "[1]", lang: "en", date_from: "2026-08-09", changed_after: at(2), changed_before: at(4) },
      { key: "[1]", lang: "ja", date_from: "2026-08-09", changed_after: at(0), changed_before: at(4) },
      { key: "[2]", lang: "en", date_from: "2026-08-09", changed_after: at(0), changed_before: at(4) },
      { key: "[2]", lang: "ja", date_from: "2026-08-09", changed_after: at(0), changed_before: at(4) },
    ]);
  });

  test("does not take what was asked for the first time for what came into being", () => {
    for (const table of ["hero_pairing", "hero_trend", "skill_combo_text"])
      expect(ask(`SELECT DISTINCT from_night FROM ${table} WHERE changed_after IS NOT NULL`)).toEqual(
        table === "skill_combo_text" ? [] : [{ from_night: 5 }],
      );
    expect(ask("SELECT DISTINCT changed_before FROM hero_pairing WHERE from_night = 3")).toEqual([
      { changed_before: at(2) },
    ]);
  });

  test("has a gap where a night was never asked for what one before it has, in whole rows and in columns", () => {
    const other = join(folder.path, "other.sqlite");
    // Of another base, which lacks the pages of heroes.
    const bare = join(folder.path, "bare.sqlite");
    copyFileSync(file(1), bare);
    editFile(
      bare,
      `UPDATE coverage SET status = 'failed', reason = 'not-asked', records = 0, sha256 = NULL, asked_at = NULL WHERE dataset = 'hero';
       UPDATE snapshot SET version = '20260808T000000Z-00000000', started_at = '2026-08-08T00:00:00.000Z';
       UPDATE hero_text SET story = NULL, tale = NULL, detail_slice_id = NULL; DELETE FROM hero_speciality`,
    );
    const last = join(folder.path, "last.sqlite");
    copyFileSync(file(4), last);
    editFile(
      last,
      "UPDATE snapshot SET version = '20260820T000000Z-00000000', started_at = '2026-08-20T00:00:00.000Z'",
    );
    updateHistory(
      other,
      [file(4), bare, last].map((one, night) => ({ file: one, sequence: night + 1, withdrawn: false })),
    );
    expect(
      ask(
        "SELECT DISTINCT from_night, to_night, gap, changed_after, ended_before FROM hero_speciality ORDER BY 1",
        other,
      ),
    ).toEqual([
      { from_night: 1, to_night: 2, gap: 1, changed_after: null, ended_before: null },
      { from_night: 3, to_night: null, gap: null, changed_after: null, ended_before: null },
    ]);
    expect(ask("SELECT DISTINCT gap FROM hero_pairing WHERE to_night = 2", other)).toEqual([{ gap: 1 }]);
    expect(ask("SELECT * FROM text_change", other)).toEqual([]);
  });

  test("is the same in whatever order they are folded, and again changes nothing", () => {
    const shuffled = join(folder.path, "shuffled.sqlite");
    for (const night of [2, 0, 4, 3, 1]) updateHistory(shuffled, nights().slice(night, night + 1));
    expect(readHistory(shuffled)).toEqual(readHistory(history));
    const before = readFileSync(history);
    expect(updateHistory(history, nights()).ingested).toBe(0);
    expect(readFileSync(history).equals(before)).toBe(true);
  });

  test("is folded and written out by the commands, from another folder too", async () => {
    const own = join(folder.path, "from.sqlite");
    const nowhere = join(folder.path, "nowhere");
    const args = ["--data", nowhere, "--from", data, "--file", own];
    expect((await runCommand("history", args)).stdout).toContain("5 nights folded");
    expect(ask("SELECT count(*) AS runs FROM carried_slice", own)).toEqual(
      ask("SELECT count(*) AS runs FROM carried_slice"),
    );
    const out = ["--out", join(folder.path, "out"), "--tables", "hero,coverage", "--all", "--partition"];
    expect(await runCommand("export", ["--data", data, ...out])).toMatchObject({ code: 0 });
  });
});
