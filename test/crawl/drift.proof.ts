import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { compareShapes } from "../../src/snapshot/build/drift.ts";
import { createShapeCollector } from "../../src/snapshot/build/shape.ts";
import type { Drift } from "../../src/snapshot/documents/drift-document.ts";
import { copyOf, fileOf } from "../helpers/data-folder.ts";
import { type Ended, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const HEROES = 3;
const LANGUAGES = ["en", "de"];
/** The endpoints whose answers are changed. */
const ENDPOINTS = "heroes,positions,counters,roles,equipment-expanded,spells";
const RANKS = ["all", "glory"];
const WINDOWS = ["1", "7"];
const PART = [
  ...["--languages", LANGUAGES.join(), "--ranks", RANKS.join(), "--days", WINDOWS.join()],
  ...["--rate", "5000", "--endpoints", ENDPOINTS, "--allow-partial"],
];

interface Page {
  // biome-ignore lint/suspicious/noExplicitAny: the tests put anything anywhere in a record
  data: { records: any[] };
}

/** Changes the answers of one path in the second night. */
interface Change {
  path: string;
  edit: (page: Page, query: URLSearchParams) => void;
}

const live = new Map<string, Change["edit"]>();
const firstNight = temporaryFolder();
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let first: Ended;

const crawl = (data: string, ...more: string[]) =>
  runCommand("crawl", ["--upstream", upstream.url, "--data", data, ...PART, ...more]);

beforeAll(async () => {
  upstream = await startUpstream(HEROES, undefined, (path, body) => {
    const { pathname, searchParams } = new URL(path, "http://upstream");
    const edit = live.get(pathname);
    if (!edit) return body;
    const page = JSON.parse(body) as Page;
    edit(page, searchParams);
    return JSON.stringify(page);
  });
  first = await crawl(firstNight.path);
  expect(first.stderr).toBe("");
});
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  firstNight[Symbol.dispose]();
});

/** The second night after the first one, with changed answers. */
async function crawlAgain(changes: Change[]) {
  const folder = copyOf(firstNight.path);
  for (const { path, edit } of changes) live.set(path, edit);
  const second = await crawl(folder.path, "--fresh");
  live.clear();
  expect([second.stderr, second.code]).toEqual(["", 0]);
  const [before, after] = [first, second].map(({ events }) =>
    fileOf(folder.path, String(events.find(({ event }) => event === "published")?.version)),
  ) as [string, string];
  const manifest = after.replace(".sqlite", ".json");
  const { drift } = JSON.parse(readFileSync(manifest, "utf8")) as { drift: Drift[] };
  return { second, drift, before, after, manifest, [Symbol.dispose]: folder[Symbol.dispose] };
}

const forEach = (edit: (record: Page["data"]["records"][number]) => void) => (page: Page) =>
  page.data.records.forEach(edit);

describe("a night whose fields are others than in the night before is published, and says so", () => {
  test("of each field, with what it was, what it is now, how often, and an example", async () => {
    using nights = await crawlAgain([
      {
        path: "/api/academy/roles",
        edit({ data }, query) {
          if (query.get("lang") === "en") data.records[0].data.emblem_detail.data.emblembg = "blue";
        },
      },
      {
        path: "/api/academy/equipment/expanded",
        edit({ data }, query) {
          if (query.get("lang") === "de" && query.get("index") === "1") data.records[3].data.equipskill2 = null;
        },
      },
      { path: "/api/heroes", edit: forEach((record) => delete record.data.hero.data.smallmap) },
      { path: "/api/heroes/positions", edit: forEach((record) => delete record.id) },
      {
        path: "/api/heroes/2/counters",
        edit: forEach(({ data }) => Object.assign(data, { main_hero_win_rate: String(data.main_hero_win_rate) })),
      },
    ]);
    expect(nights.drift.toSorted((a, b) => (a.dataset < b.dataset ? -1 : 1))).toEqual(
      [
        {
          dataset: "counters",
          path: "$.data.main_hero_win_rate",
          before: "number",
          now: "number|string",
          count: RANKS.length * WINDOWS.length,
          example: expect.stringMatching(/^"0\.\d+"$/),
        },
        {
          dataset: "equipment-expanded",
          path: "$.data.equipskill2",
          before: "string",
          now: "null|string",
          count: 1,
          example: "null",
        },
        {
          dataset: "heroes",
          path: "$.data.hero.data.smallmap",
          before: "string",
          now: "absent",
          count: HEROES * LANGUAGES.length,
          example: expect.stringMatching(/^"https:/),
        },
        {
          dataset: "positions",
          path: "$.id",
          before: "number",
          now: "absent",
          count: HEROES * LANGUAGES.length,
          example: expect.stringMatching(/^\d+$/),
        },
        {
          dataset: "roles",
          path: "$.data.emblem_detail.data.emblembg",
          before: "number",
          now: "number|string",
          count: 1,
          example: '"blue"',
        },
      ].map((drift) => ({ ...drift, needed: false })),
    );
  });

  test("with needed fields first, in the manifest, the report, `verify` and `diff`; what is no drift in a manifest is left out", async () => {
    const long = `${"x".repeat(98)}😀😀`;
    using nights = await crawlAgain([
      { path: "/api/academy/spells", edit: forEach((record) => Object.assign(record, { "a\u001bc": long })) },
      {
        path: "/api/heroes/positions",
        edit: forEach(({ data }) => {
          for (const { data: role } of data.hero.data.sortid.filter(Boolean)) role.sort_id = Number(role.sort_id);
        }),
      },
    ]);
    expect(nights.drift).toMatchObject([
      { dataset: "positions", path: "$.data.hero.data.sortid[].data.sort_id", needed: true },
      { dataset: "spells", before: "absent", now: "string", example: `"${"x".repeat(98)}`, needed: false },
    ]);
    const told = nights.second.events.filter(({ event }) => event === "drift");
    expect(told).toEqual([{ event: "drift", drift: nights.drift }]);
    expect(diffSnapshots(nights.before, nights.after).changes?.shape).toEqual(nights.drift);
    const diff = await runCommand("diff", [nights.before, nights.after], { NO_COLOR: "1" });
    expect(diff.stdout).toMatch(
      /│ positions │ \$\.data\.hero\.data\.sortid\[\]\.data\.sort_id │ .* │ +\d+ │ .* │ needed │/,
    );
    const verify = () => runCommand("verify", ["--snapshot", nights.after]);
    const { stdout, code } = await verify();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Fields of other types.*│ positions │ \$\.data.*│ needed │\n.*│ spells +│ \$\.ac +│/s);
    expect(stdout).not.toContain("\u001b");

    const manifest = JSON.parse(readFileSync(nights.manifest, "utf8")) as object;
    const cell = { dataset: "spells", path: "$.id", before: "number", now: "absent" };
    for (const [drift, isTold] of [
      [[{ ...cell, count: 1, example: "1", needed: false }], true],
      [undefined, false],
      [7, false],
      [[7], false],
    ] as const) {
      writeFileSync(nights.manifest, JSON.stringify({ ...manifest, drift }));
      const again = await verify();
      expect([again.code, again.stdout.includes("Fields of other types")]).toEqual([0, isTold]);
      if (isTold) expect(again.stdout).toMatch(/│ spells +│ \$\.id +│ number │ absent │ +1 │ 1 +│/);
    }
  });
});

describe("fingerprints", () => {
  const shapeOf = (...records: unknown[]) => {
    const shapes = createShapeCollector();
    for (const record of records) shapes.add("spells", record);
    return shapes.rows();
  };
  const compare = (before: unknown[], now: unknown[]) => compareShapes(shapeOf(...before), shapeOf(...now));

  test("count each type of a path, in the order of their names, with the first value of each", () => {
    expect(shapeOf({ a: null }, { a: 2 }, { a: 1 }, { a: null }, {})).toEqual([
      {
        dataset: "spells",
        path: "$.a",
        types: "null|number",
        seen: 4,
        parents: 5,
        example: "2",
        by_type: '{"null":{"seen":2,"example":"null"},"number":{"seen":2,"example":"2"}}',
      },
    ]);
  });

  test("keep fields apart that a dot, a bracket or half a character would make one", () => {
    const rows = shapeOf({ "a.b": 1, a: { b: 1 }, "c[]": 1, c: [1], '"': 1, "\ud83d": 1, "\ud83e": 1, "": 1, é: 1 });
    expect(rows.map(({ path }) => path)).toEqual([
      '$.""',
      '$."\\""',
      '$."\\ud83d"',
      '$."\\ud83e"',
      '$."a.b"',
      '$."c[]"',
      "$.a",
      "$.a.b",
      "$.c",
      "$.c[]",
      "$.é",
    ]);
  });

  test.for([
    ["ends before a pair that does not fit", `${"x".repeat(98)}😀`, `"${"x".repeat(98)}`],
    ["keeps one that fits", `${"x".repeat(97)}😀y`, `"${"x".repeat(97)}😀`],
    ["escapes half a pair", `a\ud83d`, `"a\\ud83d"`],
  ])("an example %s", ([, value, example]) => {
    const [row] = shapeOf({ a: value });
    expect(row?.example).toBe(example);
    expect(JSON.parse(row?.by_type ?? "")).toEqual({ string: { seen: 1, example } });
  });

  test("tell new types by how many values have them", () => {
    const drift = compare([{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: "x" }, { a: "y" }, { a: null }]);
    expect(drift).toMatchObject([{ path: "$.a", before: "number", now: "null|number|string", count: 3 }]);
  });

  test.for(['{"number":{"seen":"2","example":"2"}}', '{"number":{"seen":2}}', '{"number":null}', "null"])(
    "of a file from elsewhere are not believed where types are not counted: %s",
    (by_type) => {
      const [row] = shapeOf({ a: 1 });
      if (!row) throw new Error("no fingerprint");
      expect(() => compareShapes([{ ...row, types: "string", by_type }], [{ ...row, by_type }])).toThrow();
    },
  );

  test("tell a field that is gone by what lacks it, also when nothing else is left there", () => {
    expect(compare([{ a: { b: 1 } }, { a: { b: 1 } }], [{ a: {} }])).toMatchObject([{ path: "$.a.b", count: 1 }]);
    expect(compare([{ a: [1] }], [{ a: [] }])).toEqual([]);
    expect(compare([{ a: { b: { c: 1 } } }], [{ a: {} }, { a: {} }])).toMatchObject([{ path: "$.a.b", count: 2 }]);
  });
});
