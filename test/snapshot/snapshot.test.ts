import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonical, hashSlice } from "../../src/api/body/canonical.ts";
import { openJournal } from "../../src/journal/open.ts";
import { buildSnapshot } from "../../src/snapshot/build/build.ts";
import { openSnapshotFile } from "../../src/snapshot/read/open.ts";
import { SCHEMA_VERSION, toUserVersion } from "../../src/snapshot/schema/version.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { crawlOptions, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** A small night, whose bytes are as good as any. */
const night = temporaryFolder();
let journal: string;
beforeAll(async () => {
  await publishDays(night.path, [0]);
  const [name = ""] = readdirSync(join(night.path, "journals")).filter((one) => one.endsWith(".journal"));
  journal = join(night.path, "journals", name);
});
afterAll(() => night[Symbol.dispose]());

describe("a build", () => {
  test("of one journal has the same bytes each time, in any time zone, whatever the clock says", async () => {
    using folder = temporaryFolder();
    const later =
      "const D=Date,n=D.now;globalThis.Date=class extends D{constructor(...a){a.length?super(...a):super(n()+432e6)}static now(){return n()+432e6}}";
    const clock = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}` };
    const surroundings = [
      { TZ: "America/Lima", LC_ALL: "C", ...clock },
      { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8" },
    ];
    for (const [index, env] of surroundings.entries()) {
      const data = join(folder.path, String(index));
      const built = await runProcess("build", ["--data", data, "--journal", journal, "--allow-partial"], env);
      expect(built.code).toBe(0);
      expect(sha256(fileOf(data))).toBe(sha256(fileOf(night.path)));
      expect(pointerOf(data)).toEqual(pointerOf(night.path));
    }
  });

  test("of data with one changed digit has another content hash, and exactly that slice differs", async () => {
    using folder = temporaryFolder();
    let rewrite: Rewrite = (_, body) => body;
    await using upstream = await startUpstream(2, undefined, (path, body) => rewrite(path, body));
    const crawl = async (name: string) => {
      const data = join(folder.path, name);
      const few = [
        "--languages",
        "en,ja",
        "--ranks",
        "all,epic",
        "--days",
        "7,15",
        "--endpoints",
        "heroes,hero,rank,trends",
      ];
      const { code } = await runCommand("crawl", [...crawlOptions(upstream.url, data), ...few, "--allow-partial"]);
      expect(code).toBe(0);
      const { version, content_hash } = JSON.parse(readFileSync(join(data, "latest.json"), "utf8")) as Record<
        string,
        string
      >;
      const file = new SQLite(join(data, "snapshots", `${version}.sqlite`), { readonly: true });
      const slices = new Map(
        file.prepare<[], [string, string]>("SELECT dataset || ' ' || slice, sha256 FROM coverage").raw().all(),
      );
      file.close();
      return { content_hash, slices };
    };
    const before = await crawl("before");
    rewrite = (path, body) =>
      path.startsWith("/api/heroes/2/trends?rank=epic&past-days=15&")
        ? body.replace(/"ban_rate":([\d.]*)(\d)/, (_, most, last) => `"ban_rate":${most}${(Number(last) + 1) % 10}`)
        : body;
    const after = await crawl("after");
    expect(after.content_hash).not.toBe(before.content_hash);
    const changed = [...after.slices]
      .filter(([slice, sha]) => before.slices.get(slice) !== sha)
      .map(([slice]) => slice);
    expect(changed).toEqual(["trends hero=2&rank=epic&days=15&lang=en"]);
  });

  test.for([
    ["is no JSON", "not json", /not valid JSON/],
    ["has no records", '{"data":{}}', /without records/],
  ] as const)("of a body that %s fails, and leaves nothing behind", async ([, body, message]) => {
    using folder = temporaryFolder();
    const opened = openJournal(journal);
    const broken = { ...opened, pages: () => [Buffer.from(body)] };
    await expect(buildSnapshot(broken, join(folder.path, "x.sqlite"))).rejects.toThrow(message);
    opened.close();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("the file", () => {
  const db = () => new SQLite(world.snapshot, { readonly: true });

  test("is a STRICT database of ours in one file, with every reference in place", () => {
    const file = new SQLite(fileOf(night.path), { readonly: true });
    expect(file.pragma("journal_mode", { simple: true })).toBe("delete");
    expect(file.pragma("application_id", { simple: true })).toBe(0x4d536e31);
    expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(file.pragma("foreign_key_check")).toEqual([]);
    const loose = file.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
    );
    expect(loose.all()).toEqual([]);
    file.close();
  });

  test("covers every expected slice, and its hashes are those of its records", () => {
    const file = db();
    const coverage = file.prepare("SELECT * FROM coverage").all() as {
      slice_id: number;
      status: string;
      records: number;
      sha256: string;
    }[];
    expect(coverage.length).toBeGreaterThan(15_000);
    expect(coverage.filter(({ status }) => status === "failed")).toEqual([]);
    const records = file
      .prepare<[number], string>("SELECT json FROM record WHERE slice_id = ? ORDER BY position")
      .pluck();
    for (const row of coverage.filter((_, place) => place % 97 === 0)) {
      const held = records.all(row.slice_id);
      expect(held).toHaveLength(row.records);
      expect(row.status).toBe(held.length > 0 ? "captured" : "empty");
      expect(hashSlice(held.map((text): unknown => JSON.parse(text)))).toBe(row.sha256);
    }
    expect(file.prepare("SELECT sum(records) FROM coverage").pluck().get()).toBe(
      file.prepare("SELECT count(*) FROM record").pluck().get(),
    );
    file.close();
  });

  test("is found by index for each question the server asks", () => {
    const file = db();
    const plan = (sql: string, ...values: string[]) =>
      file
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map((row) => (row as { detail: string }).detail);
    expect(plan("SELECT json FROM record WHERE slice_id = ? AND position >= 0 ORDER BY position", "1")).toEqual([
      expect.stringMatching(/^SEARCH record USING INDEX sqlite_autoindex_record_1 \(slice_id=\? AND position>\?\)$/),
    ]);
    expect(plan("SELECT * FROM coverage WHERE dataset = ? AND slice = ?", "a", "b")).toEqual([
      expect.stringMatching(/^SEARCH coverage USING INDEX coverage_dataset_slice/),
    ]);
    file.close();
  });
});

describe("canonical text", () => {
  test("does not depend on the order of keys, on white space or on how a number is written", () => {
    const one: unknown = JSON.parse('{"b":1.0,"a":{"y":[2,1],"x":"\\u00e9"}}');
    const other: unknown = JSON.parse('{ "a": {"x":"é","y":[2,1]}, "b": 1 }');
    expect(canonical(one)).toBe(canonical(other));
  });

  test("depends on every value, on null against absence, and on the order of lists", () => {
    const texts = [
      '{"a":1}',
      '{"a":2}',
      '{"a":null}',
      "{}",
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"a":"1"}',
      '{"__proto__":1}',
      '{"a":1e400}',
      '{"a":-1e400}',
    ];
    expect(new Set(texts.map((text) => canonical(JSON.parse(text)))).size).toBe(texts.length);
  });
});

describe("opening", () => {
  const damage: [name: string, make: (file: string) => void, message: RegExp][] = [
    ["a missing file", () => {}, /does not exist/],
    ["an empty file", (file) => writeFileSync(file, ""), /is not an SQLite database/],
    ["a text", (file) => writeFileSync(file, "hello ".repeat(100)), /is not an SQLite database/],
    ["another database", (file) => new SQLite(file).exec("CREATE TABLE t (x)").close(), /not a snapshot of metasnap/],
    ["a journal", (file) => copyFileSync(journal, file), /not a snapshot of metasnap/],
    [
      "a newer schema",
      (file) => {
        copyFileSync(fileOf(night.path), file);
        const db = new SQLite(file);
        db.pragma("user_version = 20000");
        db.close();
      },
      /has schema 2\.0\.0, which is not known here/,
    ],
    [
      "a file cut short",
      (file) => {
        copyFileSync(fileOf(night.path), file);
        truncateSync(file, 1_000_000);
      },
      /is damaged \(1000000 bytes, its header says \d+\)/,
    ],
    [
      "a damaged page",
      (file) => {
        const bytes = readFileSync(fileOf(night.path));
        bytes.fill(0xff, 4096 * 50, 4096 * 60);
        writeFileSync(file, bytes);
      },
      /is damaged/,
    ],
  ];
  test.for(damage)("%s is refused with the reason in one line", ([, make, message]) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "x.sqlite");
    make(file);
    expect(() => openSnapshotFile(file)).toThrow(message);
    expect(() => openSnapshotFile(file)).toThrow(
      expect.objectContaining({ exit: 64, hint: expect.stringMatching(/./) }),
    );
  });

  test("a folder is refused", () => {
    using folder = temporaryFolder();
    expect(() => openSnapshotFile(folder.path)).toThrow(/is not a file/);
  });

  test.for([19_900, toUserVersion(SCHEMA_VERSION) + 1])(
    "one with schema %s, which is not known, is refused",
    (version) => {
      using folder = temporaryFolder();
      const file = join(folder.path, "x.sqlite");
      copyFileSync(fileOf(night.path), file);
      const db = new SQLite(file);
      db.pragma(`user_version = ${version}`);
      db.close();
      expect(() => openSnapshotFile(file)).toThrow(/has schema 1\.\d+\.\d+, which is not known here \(1\.0\.0\)/);
    },
  );

  test("a pointer that names a path is refused by the server", async () => {
    using folder = temporaryFolder();
    const pointer = JSON.parse(readFileSync(join(night.path, "latest.json"), "utf8")) as object;
    writeFileSync(join(folder.path, "latest.json"), JSON.stringify({ ...pointer, version: "../../etc/passwd" }));
    const { code, stderr } = await runCommand("serve", ["--data", folder.path]);
    expect(code).toBe(64);
    expect(stderr).toMatch(/latest\.json: is not a pointer of metasnap; the next crawl, build or pull writes it again/);
  });
});
