import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { holdsAddresses } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { PROXY, wrap, wrapAll } from "../helpers/upstream/image-proxy.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 9, 10, 3) / 1000;
const ENDPOINTS =
  "heroes,rank,positions,hero,skill-combos,stats,counters,builds,lane,spells,roles,emblems,ranks,equipment,catalog,versions,ratings,rating";

/** What a night is told: addresses as they are or behind the proxy, and once that is over the other way. */
interface Told {
  wrapped: boolean;
  isOver?: (asked: readonly string[]) => boolean;
}

/** An upstream of two heroes whose operator puts a proxy before its pictures, or takes it out again. */
async function startFlipping() {
  let told: Told = { wrapped: false };
  let over = false;
  const look = () => {
    over ||= told.isOver?.(upstream.asked) ?? false;
    return false;
  };
  const upstream = await startUpstream(2, look, (path, body) =>
    path.startsWith("/api/") && told.wrapped !== over ? wrapAll(body) : body,
  );
  return {
    async crawl(data: string, night: number, next: Told, words: readonly string[] = []) {
      [told, over] = [next, false];
      upstream.asked.length = 0;
      const options = [...crawlOptions(upstream.url, data), ...LITTLE, "--endpoints", ENDPOINTS, "--allow-partial"];
      const clock = { SOURCE_DATE_EPOCH: String(START + night * DAY) };
      const ended = await runCommand("crawl", [...options, "--json", ...words], clock);
      return { ...ended, asked: upstream.asked.toSorted() };
    },
    /** What it answers. */
    async ask(path: string, wrapped: boolean) {
      [told, over] = [{ wrapped }, false];
      return (await fetch(upstream.url + path)).json();
    },
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const firstNight = (wrapped: boolean) => at(`first-${wrapped}`);
let upstream: Awaited<ReturnType<typeof startFlipping>>;

beforeAll(async () => {
  upstream = await startFlipping();
  for (const wrapped of [false, true]) {
    const night = await upstream.crawl(firstNight(wrapped), 0, { wrapped });
    expect([night.code, night.stderr, asksMore(night)]).toEqual([0, "", []]);
  }
});
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A second night after a first one, in a folder of its own. */
async function crawlSecond(name: string, after: boolean, told: Told, words: readonly string[] = []) {
  cpSync(firstNight(after), at(name), { recursive: true });
  const night = await upstream.crawl(at(name), 1, told, words);
  return { ...night, before: fileOf(firstNight(after)), after: fileOf(at(name)) };
}

/** What a crawl says where it asks for more than it had planned: empty answers are looked at again in any night, and canaries. */
const MORE = ["widened", "unlisted", "asking-again", "changed-lists", "changed-text", "filled", "left", "doubt"];
const asksMore = ({ events }: Ended) =>
  events
    .filter(({ event, check }) => MORE.includes(event) && check !== "empty" && check !== "unstamped")
    .map(({ event }) => event);

const countIn = (file: string, rows: string) =>
  queryFile<{ count: number }>(file, `SELECT count(*) AS count FROM ${rows}`)[0]?.count;

/** All that a diff tells of two nights, and of the endpoints those that are not all the same. */
function toldOf(before: string, after: string) {
  const { changes } = diffSnapshots(before, after);
  if (!changes) throw new Error("they have the same hash");
  const { heroes, rates, matchups, texts, lists, tables, shape, coverage } = changes;
  const other = coverage.filter(
    ({ slices: { changed, added, gone }, languages }) => changed + added + gone > 0 || languages.length > 0,
  );
  return [heroes.added, heroes.gone, rates.movers, matchups.matchups, texts, lists, tables, shape, other].flat();
}

describe("a night in which the proxy comes or goes", () => {
  const random = createRandom("pictures");
  const WAYS: [way: string, words: string[]][] = [
    ["plain", []],
    ["--reuse", ["--reuse"]],
    ["--budget", ["--budget", "90"]],
  ];
  test.for(WAYS)("%s: tells nothing, widens nothing, suspects nothing, and asks no more", async ([way, words]) => {
    const usual = await crawlSecond(`${way}-usual`, false, { wrapped: false }, words);
    const fifth = Math.floor(usual.asked.length / 5);
    const until = fifth + random.below(2 * fifth);
    const isOver = ({ length }: readonly string[]) => length > until;
    const flips: [name: string, after: boolean, told: Told][] = [
      ["between", false, { wrapped: true }],
      ["amid", false, { wrapped: false, isOver }],
      ["back", true, { wrapped: true, isOver }],
    ];
    // What says of no batch is asked a second time, as a canary.
    const isCanary = (path: string, place: number, all: readonly string[]) =>
      /\/lane\?.*lang=en/.test(path) && all.indexOf(path) < place;
    if (usual.asked.some(isCanary))
      flips.push(["canary", false, { wrapped: false, isOver: (asked) => asked.some(isCanary) }]);
    else expect(way).toBe("plain");
    for (const [name, earlier, told] of flips) {
      const what = `${name}, after ${until} of ${usual.asked.length} questions (SEED=${SEED})`;
      const { before, after, ...night } = await crawlSecond(`${way}-${name}`, earlier, told, words);
      expect([night.code, night.stderr, asksMore(night)], what).toEqual([0, "", []]);
      expect(night.asked, what).toEqual(usual.asked);
      expect(countIn(after, "coverage WHERE suspect = 1"), what).toBe(0);
      expect(countIn(after, "language_proof WHERE difference IS NOT NULL"), what).toBe(0);
      const proxied = [before, after].map((file) => countIn(file, `record WHERE json LIKE '%${PROXY}%'`));
      if (name !== "canary") expect(proxied[1], what).not.toBe(proxied[0]);
      expect([toldOf(before, after), toldOf(after, before)], what).toEqual([[], []]);
      const { stdout } = await runCommand("diff", ["--data", at(`${way}-${name}`)]);
      const lines = stdout.split("\n").filter((line) => line.startsWith("│"));
      // Of rolling nights it says of each endpoint what was asked, under one head.
      expect(lines, what).toHaveLength(way === "plain" ? 0 : 1 + ENDPOINTS.split(",").length);
    }
  });

  test("is answered as it was sent", async () => {
    const data = at("answered");
    await crawlSecond("answered", false, { wrapped: true });
    for (const path of [
      "/api/heroes/1?lang=ja",
      "/api/heroes?lang=en",
      "/api/heroes/2/counters?rank=all&days=7&lang=ja",
    ]) {
      const { stdout } = await runCommand("serve", ["--data", data, "--get", path]);
      const { data: sent } = (await upstream.ask(path, true)) as { data: object };
      expect(JSON.stringify(sent)).toContain(PROXY);
      expect(JSON.parse(stdout).data).toEqual(sent);
    }
  });

  test("tells what else has changed in it, and nothing but that", async () => {
    const { before, after } = await crawlSecond("changed", true, { wrapped: false });
    const copy = at("changed.sqlite");
    copyFileSync(after, copy);
    const another = wrap("https://cdn.example/another.png");
    const step = "SELECT combo_id, position FROM skill_combo_step LIMIT 1";
    editFile(
      copy,
      `UPDATE hero SET head_url = '${another}' WHERE hero_id = 2;
       UPDATE skill_combo_step SET icon_url = '${another}' WHERE (combo_id, position) = (${step});
       UPDATE record SET json = json_set(json, '$.data.head', '${another}') WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'hero' AND slice = 'hero=2&lang=ja');
       UPDATE coverage SET sha256 = 'other' WHERE dataset = 'hero' AND slice = 'hero=2&lang=ja'`,
    );
    expect(toldOf(before, copy)).toMatchObject([
      { table: "skill_combo_step" },
      { table: "hero", changed: [{ key: { hero_id: 2 }, columns: { head_url: { after: expect.anything() } } }] },
      { table: "skill_combo_step", counts: { changed: 1 } },
      { dataset: "hero", slices: { changed: 1, added: 0, gone: 0 } },
    ]);
  });
});

const TYPED = TABLES.filter(({ kind }) => kind !== "internal");
const COLUMNS = TYPED.flatMap(({ name, columns }) =>
  Object.keys(columns).flatMap((column) => (holdsAddresses(column) ? [`${name}.${column}`] : [])),
);

describe("the tables", () => {
  test("hold the addresses of the pictures themselves, in columns that are named so", () => {
    const columns = TYPED.flatMap(({ name, columns: all }) =>
      Object.keys(all)
        .filter((column) => countIn(fileOf(firstNight(true)), `${name} WHERE ${column} GLOB 'http*'`) !== 0)
        .map((column) => `${name}.${column}`),
    );
    // The sample has no such.
    const none = ["hero.painting_url", "skill.video_url"];
    expect(columns).toEqual(COLUMNS.filter((column) => !none.includes(column)));
    const proxied = columns
      .map((name) => name.split(".") as [string, string])
      .filter(
        ([table, column]) => countIn(fileOf(firstNight(true)), `${table} WHERE ${column} LIKE '${PROXY}%'`) !== 0,
      );
    expect(proxied).toEqual([]);
  });

  test("of a night behind a proxy are those of a night without one", () => {
    const cellsOf = (wrapped: boolean) =>
      COLUMNS.map((name) => name.split(".")).map(([table, column]) =>
        queryFile(fileOf(firstNight(wrapped)), `SELECT ${column} FROM ${table}`),
      );
    expect(cellsOf(true)).toEqual(cellsOf(false));
  });
});
