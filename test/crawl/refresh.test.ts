import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openBudget } from "../../src/crawl/budget.ts";
import { openJournal } from "../../src/journal/open.ts";
import { buildSnapshot } from "../../src/snapshot/build/build.ts";
import { openBase } from "../../src/snapshot/read/base.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { drawTests } from "../helpers/draw.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { type Intercept, type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const HOUR = 3600;
/** Some moment of an evening. */
const EVENING = Date.parse("2026-09-21T20:00:00Z") / 1000;
const DAY = 24 * HOUR;

const SOME = [
  ...LITTLE,
  "--endpoints",
  "heroes,rank,hero,skill-combos,stats,trends,counters,compatibility,timeline,builds,lane,versions",
];

/** An upstream of two heroes that can be changed from night to night, and its nights in a folder. */
async function startNights() {
  const folder = temporaryFolder();
  let [intercept, rewrite]: [Intercept, Rewrite] = [() => false, (_, body) => body];
  const upstream = await startUpstream(
    2,
    (req, res) => intercept(req, res),
    (path, body) => rewrite(path, body),
  );
  return {
    data: folder.path,
    upstream,
    change(next: { intercept?: Intercept; rewrite?: Rewrite }) {
      intercept = next.intercept ?? intercept;
      rewrite = next.rewrite ?? rewrite;
    },
    /** A crawl that begins so many seconds after the first evening; what it asked is in `asked`. */
    async crawl(seconds: number, words: string[], url = upstream.url): Promise<Ended & { asked: string[] }> {
      upstream.asked.length = 0;
      const clock = { SOURCE_DATE_EPOCH: String(EVENING + seconds) };
      beginDay(folder.path, clock.SOURCE_DATE_EPOCH);
      const options = [...crawlOptions(url, folder.path), ...SOME, "--allow-partial", "--json", ...words];
      const ended = await runCommand("crawl", options, clock);
      return { ...ended, asked: [...upstream.asked] };
    },
    coverage: () => read<Coverage>(fileOf(folder.path), "SELECT * FROM coverage"),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function read<Row>(file: string, sql: string): Row[] {
  const db = new SQLite(file, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

/** The sha256 of what the newest journal and its base give. */
async function buildAgain(data: string): Promise<string> {
  const name = readdirSync(join(data, "journals")).sort().at(-1) ?? "";
  const journal = openJournal(join(data, "journals", name));
  using base = await openBase(data, journal.getState("base") ?? { version: "", sha256: "" });
  const file = join(data, "again.sqlite");
  await buildSnapshot(journal, file, { base });
  journal.close();
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

const eventOf = ({ events }: Ended, name: string) => events.find(({ event }) => event === name);
const countsOf = (asked: readonly string[], part: string) => asked.filter((path) => path.includes(part)).length;
const iso = (seconds: number) => new Date((EVENING + seconds) * 1000).toISOString();

describe("crawl --reuse", () => {
  drawTests(1);

  test("asks all numbers again, and neither texts nor what was empty", async () => {
    await using nights = await startNights();
    const first = await nights.crawl(0, ["--reuse"]);
    expect(first.code, first.stderr).toBe(0);
    const plan = await nights.crawl(DAY, ["--reuse", "--plan"]);
    const planned = JSON.parse(plan.stdout) as { requests: number; saved: Record<string, number> };
    const second = await nights.crawl(DAY, ["--reuse"]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.asked.length).toBe(planned.requests);
    expect(second.asked.length).toBeLessThan(first.asked.length);
    expect(planned.saved.empty).toBeGreaterThan(0);
    expect(countsOf(second.asked, "/counters")).toBe(countsOf(first.asked, "/counters"));
    const rows = nights.coverage();
    const stats = rows.filter(({ dataset }) => dataset === "stats");
    expect(new Set(stats.map(({ asked_at }) => asked_at))).toEqual(new Set([iso(DAY)]));
    const carried = rows.filter(({ asked_at }) => asked_at === iso(0));
    expect(carried.length).toBe(Number(eventOf(second, "carried")?.carried));
    expect(
      carried.every(({ status, dataset, lang }) => status === "empty" || dataset === "hero" || lang === "ja"),
    ).toBe(true);
  });

  test("asks for all that was empty where some of it no longer is", async () => {
    await using nights = await startNights();
    // Nobody plays on any lane at first.
    nights.change({ rewrite: (path, body) => (path.includes("timeline") ? EMPTY_PAGE : body) });
    const first = await nights.crawl(0, []);
    nights.change({ rewrite: (_, body) => body });
    const second = await nights.crawl(DAY, ["--reuse"]);
    expect(second.code, second.stderr).toBe(0);
    expect(eventOf(second, "filled")).toBeDefined();
    expect(countsOf(second.asked, "timeline?")).toBeGreaterThanOrEqual(countsOf(first.asked, "lang=en") > 0 ? 20 : 0);
    expect(nights.coverage().filter(({ dataset, asked_at }) => dataset === "timeline" && asked_at === iso(0))).toEqual(
      [],
    );
  });
});

describe("texts", () => {
  drawTests(1);

  const sign: Rewrite = (path, body) => (path.includes("/meta/version") ? body.replace("2.2.16", "2.2.17") : body);

  test("are asked after a sign of change, first in English, then what has changed there", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(0, [])).code).toBe(0);
    const story: Rewrite = (path, body) =>
      /heroes\/1\?/.test(path) ? body.replace(/"story":"/, '"story":"New: ') : body;
    nights.change({ rewrite: (path, body) => sign(path, story(path, body)) });
    const night = await nights.crawl(DAY, ["--reuse"]);
    expect(night.code, night.stderr).toBe(0);
    expect(eventOf(night, "changed-lists")).toMatchObject({ datasets: ["versions"] });
    const heroes = night.asked.filter((path) => /heroes\/\d\?/.test(path));
    expect(heroes.filter((path) => path.includes("lang=en"))).toHaveLength(2);
    const stories = read<{ json: string }>(
      fileOf(nights.data),
      "SELECT json FROM record WHERE dataset = 'hero' AND slice LIKE 'hero=1&%'",
    );
    expect(stories.every(({ json }) => json.includes("New: "))).toBe(true);
    expect(nights.coverage().filter(({ suspect }) => suspect === 1)).toEqual([]);
  });

  test("are suspect until their turn comes", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(0, [])).code).toBe(0);
    nights.change({
      rewrite: sign,
      intercept: ({ url = "" }, res) => /heroes\/\d\?/.test(url) && res.writeHead(500).end() !== undefined,
    });
    const night = await nights.crawl(DAY, ["--reuse", "--attempts", "1"]);
    expect(night.code, night.stderr).toBe(0);
    const suspects = nights.coverage().filter(({ suspect }) => suspect === 1);
    expect(suspects.filter(({ dataset }) => dataset === "hero")).toHaveLength(4);
    nights.change({ intercept: () => false });
    expect((await nights.crawl(2 * DAY, ["--reuse"])).code).toBe(0);
    expect(nights.coverage().filter(({ suspect }) => suspect === 1)).toEqual([]);
  });

  test("are not due because the upstream wrote its list anew", async () => {
    await using nights = await startNights();
    nights.change({
      rewrite: (path, body) => (path.includes("version") ? body.replaceAll(/"updatedAt":\d+/g, '"updatedAt":1') : body),
    });
    expect((await nights.crawl(0, [])).code).toBe(0);
    nights.change({ rewrite: (_, body) => body });
    const night = await nights.crawl(DAY, ["--reuse"]);
    expect(night.code, night.stderr).toBe(0);
    expect(eventOf(night, "changed-lists")).toBeUndefined();
  });
});

const EMPTY_PAGE = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';

/** A night's requests for two heroes and these endpoints, and less than a whole crawl of them. */
const BUDGET = ["--budget", "60"];

describe("crawl --budget", () => {
  drawTests(2);

  test("asks for what is due, carries the rest over, and says of each slice when it was asked", async () => {
    await using nights = await startNights();
    const seen = new Map<string, number>();
    for (const night of [0, 1, 2]) {
      const ended = await nights.crawl(night * DAY, BUDGET);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.asked.length).toBeLessThanOrEqual(60);
      expect(pointerOf(nights.data)).toMatchObject({ rolling: true, started_at: iso(night * DAY) });
      for (const { dataset, slice, asked_at } of nights.coverage())
        if (asked_at === iso(night * DAY)) seen.set(`${dataset}?${slice}`, night);
    }
    const rows = nights.coverage();
    for (const { dataset, slice, asked_at } of rows) {
      const night = seen.get(`${dataset}?${slice}`);
      expect(asked_at, slice).toBe(night === undefined ? null : iso(night * DAY));
    }
    expect(new Set(rows.map(({ asked_at }) => asked_at)).size).toBeGreaterThan(1);
    // The whole tier list is of the last night.
    expect(new Set(rows.filter(({ dataset }) => dataset === "rank").map(({ asked_at }) => asked_at))).toEqual(
      new Set([iso(2 * DAY)]),
    );
    expect(await buildAgain(nights.data)).toBe(pointerOf(nights.data).sha256);
    expect((await runCommand("verify", ["--data", nights.data])).code).toBe(0);
  });

  test("takes no more than is left of the day, also in a second run, and none when nothing is", async () => {
    await using nights = await startNights();
    const runs = [
      await nights.crawl(0, BUDGET),
      await nights.crawl(HOUR, BUDGET),
      await nights.crawl(2 * HOUR, BUDGET),
    ];
    const asked = runs.reduce((sum, run) => sum + run.asked.length, 0);
    expect(asked).toBeLessThanOrEqual(60);
    const last = runs.at(-1);
    expect(last?.code).toBe(3);
    expect(last?.stderr).toContain("the budget of 60 requests a day is spent");
    expect((await nights.crawl(5 * HOUR, BUDGET)).code).toBe(0);
  });

  test("refuses one that is too small for a table, and says what is enough", async () => {
    await using nights = await startNights();
    const ended = await nights.crawl(0, ["--budget", "20"]);
    expect(ended.code).toBe(64);
    const enough = Number(/at least (\d+)/.exec(ended.stderr)?.[1]);
    expect((await nights.crawl(DAY, ["--budget", String(enough)])).code).toBe(0);
  });

  test("a hero who goes is gone, and one who comes has holes until his turn", async () => {
    await using nights = await startNights();
    await using smaller = await startUpstream(1);
    expect((await nights.crawl(0, [])).code).toBe(0);
    const gone = await nights.crawl(DAY, [...BUDGET, "--max-loss", "60"], smaller.url);
    expect(gone.code, gone.stderr).toBe(0);
    expect(nights.coverage().filter(({ hero_id }) => hero_id === 2)).toEqual([]);
    const back = await nights.crawl(2 * DAY, BUDGET);
    expect(back.code, back.stderr).toBe(0);
    const holes = nights.coverage().filter(({ status }) => status === "failed");
    expect(holes.length).toBeGreaterThan(0);
    expect(holes.every(({ hero_id, reason }) => hero_id === 2 && reason === "not-asked")).toBe(true);
    expect((await nights.crawl(3 * DAY, ["--budget", "500"])).code).toBe(0);
    expect(nights.coverage().filter(({ status }) => status === "failed")).toEqual([]);
  });

  test("a list that names a hero who is not there is looked at again before anything is asked for him", async () => {
    await using nights = await startNights();
    await nights.crawl(0, []);
    let damaged = 0;
    nights.change({
      rewrite: (path, body) => {
        if (!/^\/api\/heroes\?.*lang=en/.test(path) || damaged > 0) return body;
        damaged += 1;
        return body.replace('"hero_id":2', '"hero_id":7');
      },
    });
    const second = await nights.crawl(DAY, ["--budget", "90"]);
    expect([second.code, damaged], second.stderr).toEqual([0, 1]);
    expect(second.asked.filter((path) => path.includes("/heroes/7"))).toEqual([]);
    expect(nights.coverage().filter(({ hero_id }) => hero_id === 7)).toEqual([]);
  });

  test("carries nothing over from a file that is not what was published", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(0, [])).code).toBe(0);
    const file = fileOf(nights.data);
    const db = new SQLite(file);
    db.prepare("UPDATE record SET json = '{}' WHERE dataset = 'stats'").run();
    db.close();
    const refused = await nights.crawl(DAY, BUDGET);
    expect([refused.code, refused.asked]).toEqual([64, []]);
    expect(refused.stderr).toContain(`${file}: is not the file that was published`);
  });

  test("drops what was left unfinished before the snapshot in hand", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(0, [])).code).toBe(0);
    nights.change({ intercept: ({ url = "" }) => url.includes("/stats") });
    expect((await nights.crawl(DAY, [...BUDGET, "--max-time", "1s"])).code).toBe(3);
    const unfinished = readdirSync(join(nights.data, "journals")).at(-1) ?? "";
    // Meanwhile a newer night has come from elsewhere.
    nights.change({ intercept: () => false });
    await using elsewhere = await startNights();
    elsewhere.change({
      rewrite: (path, body) => (path.includes("/stats") ? body.replace('[{"', '[{"other":1,"') : body),
    });
    expect((await elsewhere.crawl(2 * DAY, [])).code).toBe(0);
    for (const part of ["snapshots", "latest.json"])
      cpSync(join(elsewhere.data, part), join(nights.data, part), { recursive: true });
    const last = await nights.crawl(3 * DAY, BUDGET);
    expect(last.code, last.stderr).toBe(0);
    expect(readdirSync(join(nights.data, "journals"))).not.toContain(unfinished);
    expect(nights.coverage().map(({ asked_at }) => asked_at)).not.toContain(iso(DAY));
  });

  test("where numbers differ by language, no other language is answered with those of English", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(0, [])).code).toBe(0);
    nights.change({
      rewrite: (path, body) => (/lane\?.*lang=ja/.test(path) ? body.replace('[{"', '[{"other":1,"') : body),
    });
    for (const night of [1, 2]) {
      const ended = await nights.crawl(night * DAY, ["--budget", "120", "--max-age-of", "lane=1d"]);
      expect(ended.code, ended.stderr).toBe(0);
    }
    const [row] = read<{ difference: string | null }>(
      fileOf(nights.data),
      "SELECT * FROM language_proof WHERE dataset = 'lane'",
    );
    expect(row?.difference).not.toBeNull();
    // First as holes, then as what they are.
    expect(nights.coverage().filter(({ dataset, lang }) => dataset === "lane" && lang === "ja")).toHaveLength(2);
  });
});

test("--max-age-of is of use with --budget only", async () => {
  using folder = temporaryFolder();
  const words = ["--upstream", "http://127.0.0.1:9", "--data", folder.path, "--max-age-of", "counters=7d"];
  const ended = await runCommand("crawl", words);
  expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining("--budget")]);
});

describe("the budget of a day", () => {
  test("counts around midnight for both days", () => {
    using folder = temporaryFolder();
    let now = Date.parse("2026-09-21T23:58:00Z");
    const budget = openBudget(folder.path, 10, () => now);
    budget.spend();
    now += 90_000;
    budget.spend();
    expect(budget.left()).toBe(8);
    now += 120_000;
    expect(budget.left()).toBe(9);
    budget.close();
  });

  test.for([
    ["no database", (file: string) => writeFileSync(file, "requests: 7\n".repeat(200))],
    ["other tables", (file: string) => new SQLite(file).exec("CREATE TABLE day (day TEXT)").close()],
  ] as const)("is not guessed where its file has %s", ([, write]) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "requests.sqlite");
    write(file);
    expect(() => openBudget(folder.path, 10, Date.now)).toThrow(`${file}: does not count requests`);
  });

  test("outlives the process, and a bound does not", () => {
    using folder = temporaryFolder();
    const now = () => Date.parse("2026-09-21T12:00:00Z");
    const first = openBudget(folder.path, 3, now);
    first.spend();
    first.bound(1);
    first.spend();
    expect(() => first.spend()).toThrow("the upstream takes no more requests for now");
    first.close();
    const second = openBudget(folder.path, 3, now);
    expect(second.left()).toBe(1);
    second.close();
  });
});
