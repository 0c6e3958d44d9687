import { copyFileSync, cpSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffSnapshots } from "../../src/nights/diff/diff.ts";
import { updateHistory } from "../../src/nights/history/history.ts";
import { HISTORY_TABLES } from "../../src/nights/history/tables.ts";
import { sortBySlice } from "../../src/snapshot/build/sources.ts";
import { openSnapshotFile } from "../../src/snapshot/read/open.ts";
import { holdsAddresses } from "../../src/snapshot/schema/definition.ts";
import type { Coverage, SnapshotTable } from "../../src/snapshot/schema/row-types.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { hasPicturesAsSent, SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { rebuild, toSlice } from "../../src/snapshot/verify/rebuild.ts";
import { verifyFile } from "../../src/snapshot/verify/verify.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { toOldestSchema } from "../helpers/old-schema.ts";
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

/** What a crawl says where it asks for more than it had planned. */
const MORE = ["widened", "unlisted", "asking-again", "changed-lists", "changed-text", "filled", "left", "never-agrees"];
const asksMore = ({ events }: Ended) => events.map(({ event }) => event).filter((event) => MORE.includes(event));

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
       UPDATE record SET json = json_set(json, '$.data.head', '${another}') WHERE dataset = 'hero' AND slice = 'hero=2&lang=ja';
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

/** What a build of a schema makes of a file's records. */
function rebuildAs(schemaVersion: string, file: string) {
  const db = openSnapshotFile(file);
  const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
  const coverage = sortBySlice(db.prepare<[], Coverage>("SELECT * FROM coverage").all(), toSlice);
  const rebuilt = rebuild(db, { ...head, schema_version: schemaVersion }, coverage);
  db.close();
  return rebuilt;
}

/** The addresses in its tables, by table and column. */
function addressesIn(file: string, schemaVersion: string) {
  using rebuilt = rebuildAs(schemaVersion, file);
  return TYPED.flatMap(({ name, columns }) =>
    Object.keys(columns).map((column) => {
      const cells = rebuilt.db.prepare<[], unknown>(`SELECT "${column}" FROM ${name}`).pluck().all();
      return { column: `${name}.${column}`, cells: cells.filter((cell) => /^https?:/.test(String(cell))).map(String) };
    }),
  ).filter(({ cells }) => cells.length > 0);
}

const TYPED = TABLES.filter(({ kind }) => kind !== "internal");
const COLUMNS = TYPED.flatMap(({ name, columns }) =>
  Object.keys(columns).flatMap((column) => (holdsAddresses(column) ? [`${name}.${column}`] : [])),
);

describe("the tables", () => {
  test("hold the addresses of the pictures themselves from 1.8 on, in columns that are named so", () => {
    const [plain, wrapped] = [false, true].map((one) => fileOf(firstNight(one))) as [string, string];
    const sent = addressesIn(plain, "1.7.0");
    // The sample has no such.
    const none = ["hero.painting_url", "skill.video_url"];
    expect(sent.map(({ column }) => column)).toEqual(COLUMNS.filter((column) => !none.includes(column)));
    expect(addressesIn(plain, "1.8.0")).toEqual(sent);
    expect(addressesIn(wrapped, "1.8.0")).toEqual(sent);
    expect(addressesIn(wrapped, "1.7.0")).toEqual(
      sent.map(({ column, cells }) => ({ column, cells: cells.map(wrap) })),
    );
  });

  test("of a night behind a proxy are those of a night without one", () => {
    const cellsOf = (wrapped: boolean) =>
      COLUMNS.map((name) => name.split(".")).map(([table, column]) =>
        queryFile(fileOf(firstNight(wrapped)), `SELECT ${column} FROM ${table}`),
      );
    expect(cellsOf(true)).toEqual(cellsOf(false));
  });
});

/** A file as a program of schema 1.7 made it, of a night in which all pictures were sent one way. */
function asMadeBefore(from: string, wrapped: boolean): string {
  const file = join(folder.path, `${wrapped}`, basename(from));
  cpSync(from, file, { recursive: true });
  toOldestSchema(file);
  const updates = COLUMNS.map((name) => name.split(".") as [string, string]).flatMap(([table, column]) => {
    const cells = queryFile<{ cell: string }>(
      file,
      `SELECT DISTINCT ${column} AS cell FROM ${table} WHERE ${column} LIKE 'http%'`,
    );
    return cells.map(({ cell }) => `UPDATE ${table} SET ${column} = '${wrap(cell)}' WHERE ${column} = '${cell}';`);
  });
  if (wrapped) editFile(file, updates.join("\n"));
  return file;
}

const asNights = (files: readonly string[]) => files.map((file) => ({ file, sequence: null, withdrawn: false }));

describe("files of a schema before 1.8", () => {
  let files: { plain: string; wrapped: string; amid: string };
  beforeAll(async () => {
    const { after } = await crawlSecond("old", true, { wrapped: true, isOver: ({ length }) => length > 2 });
    files = {
      plain: asMadeBefore(fileOf(firstNight(false)), false),
      wrapped: asMadeBefore(fileOf(firstNight(true)), true),
      amid: after,
    };
  });

  test("are proved with the cells that they were made with", async () => {
    for (const file of [files.plain, files.wrapped]) {
      const { head, checks } = await verifyFile(file);
      expect(head.schema_version).toBe("1.7.0");
      expect(checks.filter(({ state }) => state !== "ok" && state !== "none")).toEqual([]);
    }
    expect(countIn(files.wrapped, `hero WHERE head_url LIKE '${PROXY}%'`)).toBe(2);
    editFile(files.plain, `UPDATE hero SET head_url = '${PROXY}' || head_url WHERE hero_id = 1`);
    const { checks } = await verifyFile(files.plain);
    expect(checks.find(({ name }) => name === "tables made again")).toMatchObject({ state: "FAILED" });
    editFile(files.plain, `UPDATE hero SET head_url = substr(head_url, ${PROXY.length + 1}) WHERE hero_id = 1`);
  });

  test("are judged by their own rule for notes on pictures", () => {
    const isNotedAs = (schemaVersion: string) => {
      using rebuilt = rebuildAs(schemaVersion, files.amid);
      return rebuilt.wrongNote === undefined;
    };
    expect(isNotedAs(SCHEMA_VERSION)).toBe(true);
    expect(isNotedAs(hasPicturesAsSent(SCHEMA_VERSION) ? "1.8.0" : "1.7.0")).toBe(false);
  });

  test("tell nothing against each other and against newer ones, in either direction", () => {
    const [plain, wrapped] = [false, true].map((one) => fileOf(firstNight(one))) as [string, string];
    for (const [one, other] of [
      [files.wrapped, files.plain],
      [files.wrapped, plain],
      [files.plain, wrapped],
      [files.wrapped, files.amid],
    ] as const)
      expect([toldOf(one, other), toldOf(other, one)]).toEqual([[], []]);
  });

  test("begin no versions in a history, also where an earlier program has folded them", () => {
    const history = at("history.sqlite");
    const later = (file: string, night: number) => {
      const copy = join(folder.path, `2026120${night}T000000Z-00000000.sqlite`);
      copyFileSync(file, copy);
      editFile(
        copy,
        `UPDATE snapshot SET version = '${basename(copy, ".sqlite")}', started_at = '2026-12-0${night}T00:00:00.000Z'`,
      );
      return copy;
    };
    /** Versions of rows with addresses that do not hold in all nights. */
    const versions = () =>
      HISTORY_TABLES.filter(({ values }) => values.some(holdsAddresses)).map(
        ({ versionTable }) => countIn(history, `${versionTable} WHERE from_night > 1 OR to_night IS NOT NULL`) ?? 0,
      );
    const proxied = () => countIn(history, `hero WHERE head_url LIKE '${PROXY}%'`);
    updateHistory(history, asNights([files.plain, later(files.wrapped, 1), later(files.plain, 2)]));
    expect([new Set(versions()), proxied()]).toEqual([new Set([0]), 0]);
    // A program that knew no proxies took the cells as they are, as one does where the schema says that they are right.
    const unknown = [3, 4].map((night) => later(night === 3 ? files.wrapped : files.plain, night));
    for (const file of unknown) editFile(file, "UPDATE snapshot SET schema_version = '1.8.0'");
    updateHistory(history, asNights(unknown));
    expect(Math.min(...versions())).toBeGreaterThan(0);
    expect(proxied()).toBe(2);
    updateHistory(history, asNights([later(files.wrapped, 5)]));
    expect([new Set(versions()), proxied()]).toEqual([new Set([0]), 0]);
  });
});
