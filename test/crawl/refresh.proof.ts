/** Crawls that carry answers over, night after night and beyond the plain cases. */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { momentOf, ONE_DAY, ONE_HOUR, startNights } from "../helpers/own-nights.ts";
import { type Ended, LITTLE } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import type { Rewrite } from "../helpers/upstream/upstream.ts";

const SOME = [
  ...LITTLE,
  "--endpoints",
  "heroes,rank,hero,skill-combos,stats,trends,counters,compatibility,timeline,builds,lane,versions",
];
/** A night's requests for two heroes and these endpoints, and less than a whole crawl of them. */
const BUDGET = ["--budget", "60"];

let first: Awaited<ReturnType<typeof startNights>>;
beforeAll(async () => {
  first = await startNights(2, SOME);
  expect((await first.crawl(0)).code).toBe(0);
});
afterAll(() => first[Symbol.asyncDispose]());

const eventOf = ({ events }: Ended, name: string) => events.find(({ event }) => event === name);
const countsOf = (asked: readonly string[], part: string) => asked.filter((path) => path.includes(part)).length;

const signOfChange: Rewrite = (path, body) =>
  path.includes("/meta/version") ? body.replace("2.2.16", "2.2.17") : body;
const EMPTY_PAGE = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';

describe("crawl --reuse", () => {
  test("asks for all that was empty where some of it no longer is", async () => {
    await using nights = await startNights(2, SOME);
    // Nobody of one rank plays on any lane at first.
    nights.change({ rewrite: (path, body) => (/timeline.*rank=glory/.test(path) ? EMPTY_PAGE : body) });
    const first = await nights.crawl(0, []);
    nights.change({ rewrite: (_, body) => body });
    const second = await nights.crawl(ONE_DAY, ["--reuse"]);
    expect(second.code, second.stderr).toBe(0);
    expect(eventOf(second, "filled")).toBeDefined();
    expect(countsOf(second.asked, "timeline?")).toBeGreaterThanOrEqual(countsOf(first.asked, "lang=en") > 0 ? 20 : 0);
    expect(
      nights.coverage().filter(({ dataset, asked_at }) => dataset === "timeline" && asked_at === momentOf(0)),
    ).toEqual([]);
  });
});

describe("texts", () => {
  test("that could not be had are carried over with the reason, and are no doubt", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    nights.change({
      rewrite: signOfChange,
      intercept: ({ url = "" }, res) => /heroes\/\d\?/.test(url) && res.writeHead(500).end() !== undefined,
    });
    const night = await nights.crawl(ONE_DAY, ["--reuse", "--attempts", "1"]);
    expect(night.code, night.stderr).toBe(7);
    const rows = nights.coverage();
    expect(rows.filter(({ reason }) => reason === "server-error")).toHaveLength(4);
    expect(rows.filter(({ suspect, reason }) => suspect === 1 && reason !== null)).toEqual([]);
    nights.change({ intercept: () => false });
    expect((await nights.crawl(2 * ONE_DAY, ["--reuse"])).code).toBe(0);
    expect(nights.coverage().filter(({ suspect }) => suspect === 1)).toEqual([]);
  });

  test("are not due because the upstream wrote its list anew", async () => {
    await using nights = await startNights(2, SOME);
    nights.change({
      rewrite: (path, body) => (path.includes("version") ? body.replaceAll(/"updatedAt":\d+/g, '"updatedAt":1') : body),
    });
    expect((await nights.crawl(0, [])).code).toBe(0);
    nights.change({ rewrite: (_, body) => body });
    const night = await nights.crawl(ONE_DAY, ["--reuse"]);
    expect(night.code, night.stderr).toBe(0);
    expect(eventOf(night, "changed-lists")).toBeUndefined();
  });
});

describe("crawl --budget", () => {
  test("takes no more than is left of the day, also in a second run, and none when nothing is", async () => {
    await using nights = await startNights(2, SOME);
    const runs = [
      await nights.crawl(0, BUDGET),
      await nights.crawl(ONE_HOUR, BUDGET),
      await nights.crawl(2 * ONE_HOUR, BUDGET),
    ];
    const asked = runs.reduce((sum, run) => sum + run.asked.length, 0);
    expect(asked).toBeLessThanOrEqual(60);
    const last = runs.at(-1);
    expect(last?.code).toBe(3);
    expect(last?.stderr).toContain("the budget of 60 requests a day is spent");
    expect((await nights.crawl(5 * ONE_HOUR, BUDGET)).code).toBe(0);
  });

  test("a hero who goes is gone, and one who comes has holes until his turn", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    nights.upstream.sample.set({ heroes: 1 });
    const gone = await nights.crawl(ONE_DAY, [...BUDGET, "--max-loss", "60"]);
    nights.upstream.sample.set({ heroes: 2 });
    expect(gone.code, gone.stderr).toBe(0);
    expect(nights.coverage().filter(({ hero_id }) => hero_id === 2)).toEqual([]);
    const back = await nights.crawl(2 * ONE_DAY, BUDGET);
    expect(back.code, back.stderr).toBe(0);
    const holes = nights.coverage().filter(({ status }) => status === "failed");
    expect(holes.length).toBeGreaterThan(0);
    expect(holes.every(({ hero_id, reason }) => hero_id === 2 && reason === "not-asked")).toBe(true);
    expect((await nights.crawl(3 * ONE_DAY, ["--budget", "500"])).code).toBe(0);
    expect(nights.coverage().filter(({ status }) => status === "failed")).toEqual([]);
  });

  test("a list that names a hero who is not there is looked at again before anything is asked for him", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    let damaged = 0;
    nights.change({
      rewrite: (path, body) => {
        if (!/^\/api\/heroes\?.*lang=en/.test(path) || damaged > 0) return body;
        damaged += 1;
        return body.replace('"hero_id":2', '"hero_id":7');
      },
    });
    const second = await nights.crawl(ONE_DAY, ["--budget", "90"]);
    expect([second.code, damaged], second.stderr).toEqual([0, 1]);
    expect(second.asked.filter((path) => path.includes("/heroes/7"))).toEqual([]);
    expect(nights.coverage().filter(({ hero_id }) => hero_id === 7)).toEqual([]);
  });

  test("carries nothing over from a file that is not what was published", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    const file = fileOf(nights.data);
    const db = new SQLite(file);
    db.prepare(
      "UPDATE record SET json = '{}' WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'stats')",
    ).run();
    db.close();
    const refused = await nights.crawl(ONE_DAY, BUDGET);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("build -- --max-loss")]);
    expect(eventOf(refused, "base-unreadable")?.reason).toContain(`${file}: is not the file that was published`);
    expect(fileOf(nights.data)).toBe(file);
    expect((await nights.crawl(2 * ONE_DAY, [...BUDGET, "--max-loss", "100"])).code).toBe(0);
    expect(nights.coverage().filter(({ asked_at }) => asked_at === momentOf(0))).toEqual([]);
  });

  test("drops what was left unfinished before the snapshot in hand", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    nights.change({ intercept: ({ url = "" }) => url.includes("/stats") });
    expect((await nights.crawl(ONE_DAY, [...BUDGET, "--max-time", "3s"])).code).toBe(3);
    const unfinished = readdirSync(join(nights.data, "journals")).at(-1) ?? "";
    // Meanwhile a newer night has come from elsewhere.
    nights.change({ intercept: () => false });
    await using elsewhere = await startNights(2, SOME);
    elsewhere.change({
      rewrite: (path, body) => (path.includes("/stats") ? body.replace('[{"', '[{"other":1,"') : body),
    });
    expect((await elsewhere.crawl(2 * ONE_DAY, [])).code).toBe(0);
    for (const part of ["snapshots", "latest.json"])
      cpSync(join(elsewhere.data, part), join(nights.data, part), { recursive: true });
    const last = await nights.crawl(3 * ONE_DAY, BUDGET);
    expect(last.code, last.stderr).toBe(0);
    expect(readdirSync(join(nights.data, "journals"))).not.toContain(unfinished);
    expect(nights.coverage().map(({ asked_at }) => asked_at)).not.toContain(momentOf(ONE_DAY));
  });

  test("where numbers differ by language, no other language is answered with those of English", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    nights.change({
      rewrite: (path, body) => (/lane\?.*lang=ja/.test(path) ? body.replace('[{"', '[{"other":1,"') : body),
    });
    for (const night of [1, 2]) {
      const ended = await nights.crawl(night * ONE_DAY, ["--budget", "120"]);
      expect(ended.code, ended.stderr).toBe(0);
    }
    const [row] = queryFile<{ difference: string | null }>(
      fileOf(nights.data),
      "SELECT dataset, slice, language_proof.lang, difference FROM language_proof JOIN coverage USING (slice_id) WHERE dataset = 'lane'",
    );
    expect(row?.difference).not.toBeNull();
    // First as holes, then as what they are.
    expect(nights.coverage().filter(({ dataset, lang }) => dataset === "lane" && lang === "ja")).toHaveLength(2);
  });
});
