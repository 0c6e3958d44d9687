import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import { startSample } from "../../src/sample/service/server.ts";
import { hashArchive } from "../../src/snapshot/build/hashes.ts";
import { STEPS } from "../../src/snapshot/published/publish.ts";
import { checkShrink } from "../../src/snapshot/published/shrink-guard.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { exitOf } from "../../src/snapshot/verify/checks.ts";
import { verifyFile } from "../../src/snapshot/verify/verify.ts";
import { readExpected } from "../../src/snapshot/verify/verify-process.ts";
import { fileOf, manifestFileOf, manifestOf, pointerOf, published } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { type Ended, LITTLE, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";

const draw = createDraw("publish");
const FEW = ["--endpoints", "heroes,hero,stats,rank,versions"];
const NIGHT = [...LITTLE, ...FEW, "--allow-partial"];

const world = mkdtempSync(join(tmpdir(), "metasnap-publish-"));
/** Journals of four nights; the third has a hero fewer, the fourth carries over from the second. */
const journals: string[] = [];
/** Versions as an undisturbed build names them. */
const versions: string[] = [];
let refused: Ended;
let subset: Ended;

const pointerText = (data: string) => readFileSync(join(data, "latest.json"), "utf8");
/** The first night follows none, so that nothing is known to have changed. */
const filesOf = (...names: (string | undefined)[]) =>
  names
    .flatMap((name) => [...(name === versions[0] ? [] : [`${name}.changes.json`]), `${name}.json`, `${name}.sqlite`])
    .sort();

/** A build of one night, from a journal of its own: a journal has one reader at a time. */
async function build(data: string, night: number, ...more: string[]) {
  const journal = join(data, `night-${night}`);
  copyFileSync(journals[night] ?? "", journal);
  return runCommand("build", ["--data", data, "--journal", journal, "--allow-partial", ...more]);
}

const rollback = (data: string, ...more: string[]) => runCommand("rollback", ["--data", data, ...more]);
const verify = (file: string) => runCommand("verify", ["--snapshot", file]);

/** The checks that fail, and with what figure, without a process. */
async function failures(file: string) {
  const { checks } = await verifyFile(file, readExpected(file));
  const failed = checks.filter(({ state }) => state === "FAILED");
  return { exit: exitOf(checks), names: failed.map(({ name }) => name), failed };
}

/** A folder with these nights published, the last one as the latest. */
function folderWith(...nights: number[]) {
  const folder = temporaryFolder();
  cpSync(join(world, `published-${nights.join("-")}`), folder.path, { recursive: true });
  return folder;
}

function overwrite(file: string, where: (bytes: Buffer) => number, length: number) {
  const bytes = readFileSync(file);
  const at = Math.floor(where(bytes));
  bytes.fill("x", at, at + length);
  writeFileSync(file, bytes);
}

/** Changes a row behind the back of an index, which keeps it as it was. */
function forgetIndex(file: string) {
  const edit = (sql: string, ...values: unknown[]) => {
    const db = new SQLite(file).unsafeMode();
    db.exec("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON");
    const rows = db
      .prepare(sql)
      .raw()
      .all(...values) as unknown[][];
    db.close();
    return rows;
  };
  const [index = []] = edit("DELETE FROM sqlite_schema WHERE name = 'hero_rate_hero_id' RETURNING rowid, *");
  edit("UPDATE hero_rate SET hero_id = 99 WHERE hero_id = 1 RETURNING 1");
  edit(
    "INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?, ?) RETURNING 1",
    ...index,
  );
}

beforeAll(async () => {
  const sample = await startSample({ heroes: 3 });
  const crawls = join(world, "crawls");
  const crawlIn = async (data: string, day: number, ...more: string[]) => {
    const options = ["--upstream", sample.url, "--data", data, "--rate", "5000", "--concurrency", "8", ...more];
    const ended = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) });
    const written = readdirSync(join(data, "journals")).sort().at(-1) ?? "";
    copyFileSync(join(data, "journals", written), join(world, `journal-${day}`));
    return ended;
  };
  const crawl = (day: number, ...more: string[]) => crawlIn(crawls, day, ...more);
  expect((await crawl(0, ...NIGHT)).code).toBe(0);
  versions.push(pointerOf(crawls).version);
  subset = await crawl(1, ...LITTLE, ...FEW, "--heroes", "1");
  sample.set({ day: 2 });
  expect((await crawl(2, ...NIGHT)).code).toBe(0);
  versions.push(pointerOf(crawls).version);
  cpSync(crawls, join(world, "published-0-subset-1"), { recursive: true });
  const rolling = join(world, "rolling");
  cpSync(crawls, rolling, { recursive: true });
  sample.set({ day: 4 });
  expect((await crawlIn(rolling, 4, ...NIGHT, "--reuse")).code).toBe(0);
  sample.set({ day: 3, heroes: 2 });
  refused = await crawl(3, ...NIGHT);
  await sample.close();
  for (const day of [0, 2, 3, 4]) journals.push(join(world, `journal-${day}`));

  const both = join(world, "published-0-1");
  expect((await runCommand("build", ["--data", both, "--journal", journals[0] ?? "", "--allow-partial"])).code).toBe(0);
  cpSync(both, join(world, "published-0"), { recursive: true });
  expect((await runCommand("build", ["--data", both, "--journal", journals[1] ?? "", "--allow-partial"])).code).toBe(0);
  expect(published(both)).toEqual(filesOf(...versions));
});

afterAll(() => rmSync(world, { recursive: true, force: true }));

describe("the shrink gate", () => {
  drawTests(2);

  test("refuses a crawl with fewer heroes, with 5 and one line that says how to let it through", () => {
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(
      /^the snapshot has shrunk by more than 5 %: heroes from 3 to 2(, \w+ from \d+ to \d+)*; nothing was published; if that is right, publish it with `npm run build -- --max-loss \d+`\n$/,
    );
    const data = join(world, "crawls");
    expect(pointerOf(data).version).toBe(versions[1]);
    expect(published(data)).toEqual(published(join(world, "published-0-subset-1")));
  });

  test("lets the same journal through with the option that it names, and not with less", async () => {
    using folder = folderWith(0, 1);
    const before = pointerText(folder.path);
    const needed = Number(/--max-loss (\d+)/.exec(refused.stderr)?.[1]);
    const less = await build(folder.path, 2, "--max-loss", String(needed - 1));
    expect(less.code).toBe(5);
    expect(pointerText(folder.path)).toBe(before);
    expect(published(folder.path)).toEqual(filesOf(...versions));
    expect((await build(folder.path, 2, "--max-loss", String(needed))).code).toBe(0);
    expect(pointerOf(folder.path).counts?.heroes).toBe(2);
  });

  test("knows what the last snapshot held when its file has vanished", async () => {
    using folder = folderWith(0, 1);
    rmSync(fileOf(folder.path));
    expect((await build(folder.path, 2)).code).toBe(5);
  });

  const spoilt = [
    ["cut short", (file: string) => truncateSync(file, 100_000)],
    ["of another record", (file: string) => editFile(file, "UPDATE record SET json = replace(json, '0.5', '0.6')")],
    ["of another cell", (file: string) => editFile(file, "UPDATE hero_rate SET win_rate = 0.99")],
  ] as const;
  test.for(draw.some(spoilt, 1))(
    "replaces the last one by the same data where its file is now %s, and says so",
    async ([, spoil]) => {
      using folder = folderWith(0, 1);
      const before = pointerText(folder.path);
      spoil(fileOf(folder.path));
      const again = await build(folder.path, 1);
      expect([again.code, again.stderr, again.stdout]).toEqual([
        0,
        "",
        expect.stringMatching(/^\S+ was not what had been published, and is replaced: [^\n]+\npublished \S+\n$/),
      ]);
      expect(pointerText(folder.path)).toBe(before);
      expect((await failures(fileOf(folder.path))).failed).toEqual([]);
      expect((await build(folder.path, 1)).code).toBe(2);
    },
  );

  test("counts in the file when an old pointer does not say", async () => {
    using folder = folderWith(0, 1);
    const { counts, ...old } = pointerOf(folder.path);
    expect(counts).toMatchObject({ heroes: 3, languages: 2 });
    writeFileSync(join(folder.path, "latest.json"), JSON.stringify(old));
    expect((await build(folder.path, 2)).stderr).toMatch(/heroes from 3 to 2/);
  });

  test.for([
    ["as its file says", () => {}],
    ["as its manifest says, where the file has vanished", (file: string) => rmSync(file)],
  ] as const)("refuses a night that lacks all records of an endpoint the last one had, %s", async ([, spoil]) => {
    using folder = folderWith(0);
    spoil(fileOf(folder.path));
    const emptied = join(folder.path, "emptied");
    copyFileSync(journals[1] ?? "", emptied);
    const journal = openJournal(emptied);
    const gone = journal.slices().filter(({ slice }) => slice.dataset === "versions");
    const finishedAt = journal.header().finished_at ?? "";
    journal.reopen();
    journal.removeSlices(gone.map(({ id }) => id));
    journal.finish(finishedAt, 1);
    journal.close();
    const words = ["--data", folder.path, "--journal", emptied, "--allow-partial"];
    const { code, stderr } = await runCommand("build", [...words, "--max-loss", "99.9"]);
    expect([code, stderr]).toEqual([
      5,
      "the snapshot has shrunk by more than 99.9 %: all records of versions; nothing was published; if that is right, publish it with `npm run build -- --max-loss 100`, or crawl without that endpoint: --without versions\n",
    ]);
    expect((await runCommand("build", [...words, "--max-loss", "100"])).code).toBe(0);
  });

  test("does not look at a subset, which never becomes the latest", () => {
    expect(subset.code).toBe(0);
    expect(subset.events.at(-1)).toMatchObject({ event: "published", latest: false });
  });
});

describe("a loss", () => {
  const whole = { heroes: 133, languages: 17, records: 200_000 };

  test("names a few of many endpoints that are lost", () => {
    const lost = ["a", "b", "c", "d", "e", "f".repeat(99), "g"];
    expect(() => checkShrink(whole, { ...whole, heroes: 100 }, 5, lost)).toThrow(
      /heroes from 133 to 100, all records of a, b, c, d, e and 2 more; .*$/,
    );
    expect(() => checkShrink(whole, whole, 100, lost)).not.toThrow();
  });

  test.for([
    [{ heroes: 113 }, 5, /: heroes from 133 to 113; .*/],
    [{ languages: 16 }, 5, /: languages from 17 to 16; .*/],
    [{ records: 189_999 }, 5, /: records from 200000 to 189999; .*/],
    [{ heroes: 132 }, 0, /more than 0 %: heroes from 133 to 132/],
    [{ heroes: 0, languages: 0, records: 0 }, 99.9, /heroes from 133 to 0, languages from 17 to 0, records from/],
  ] as const)("refuses %j at %d %%", ([change, maxLoss, message]) => {
    expect(() => checkShrink(whole, { ...whole, ...change }, maxLoss)).toThrow(
      expect.objectContaining({ exit: 5, message: expect.stringMatching(message) }),
    );
  });

  test.for([
    [{}, 0],
    [{ heroes: 134, records: 300_000 }, 0],
    [{ heroes: 127 }, 5],
    [{ records: 190_000 }, 5],
    [{ heroes: 0, languages: 0, records: 0 }, 100],
  ] as const)("passes %j at %d %%", ([change, maxLoss]) => {
    expect(() => checkShrink(whole, { ...whole, ...change }, maxLoss)).not.toThrow();
  });
});

describe(`the night before (${drawn})`, () => {
  drawTests(2);

  const damages: [how: string, damage: (data: string) => void, told: RegExp][] = [
    ["whose header is overwritten", (data) => overwrite(fileOf(data), () => 0, 16), /: is not an SQLite database$/],
    [
      "whose middle is overwritten",
      (data) => overwrite(fileOf(data), ({ length }) => length / 2, 9000),
      /: is damaged \(/,
    ],
    [
      "whose end is overwritten",
      (data) => overwrite(fileOf(data), ({ length }) => length - 4096, 4096),
      /: is damaged \(/,
    ],
    [
      "with another letter in a record",
      (data) => overwrite(fileOf(data), (bytes) => bytes.indexOf('"main_hero_win_rate"') + 1, 1),
      /: manifest: sha256 is \w+, the manifest says \w+$/,
    ],
    [
      "with an index that does not fit its table",
      (data) => forgetIndex(fileOf(data)),
      /: whole file: row \d+ missing from index hero_rate_hero_id$/,
    ],
    [
      "that is cut short",
      (data) => truncateSync(fileOf(data), 100_000),
      /: is damaged \(100000 bytes, its header says \d+\)$/,
    ],
    ["that has vanished", (data) => rmSync(fileOf(data)), /: has vanished$/],
  ];
  test.for(draw.some(damages, 1))(
    "%s keeps no night from being published, and is told of",
    async ([, damage, told]) => {
      using folder = folderWith(0);
      damage(folder.path);
      const { code, stdout, stderr } = await build(folder.path, 1);
      const [warning = "", line] = stdout.split("\n");
      expect([code, stderr, line]).toEqual([0, "", `published ${fileOf(folder.path, versions[1])}`]);
      expect(warning).toMatch(new RegExp(`^${versions[0]} was not what had been published, and is replaced: `));
      expect(warning).toMatch(told);
      const { follows, changes, sha256 } = manifestOf(folder.path);
      expect([follows, changes]).toEqual([versions[0], undefined]);
      expect(sha256).toBe(pointerOf(join(world, "published-0-1")).sha256);
    },
  );

  const lost: [what: string, fileIn: (data: string) => string][] = [
    ["manifest", (data) => manifestFileOf(data)],
    ["proof", (data) => join(data, "proofs.json")],
  ];
  test.for(draw.some(lost, 1))("is compared with also without its %s", async ([, fileIn]) => {
    using folder = folderWith(0);
    rmSync(fileIn(folder.path));
    const { code, stdout } = await build(folder.path, 1);
    expect([code, stdout]).toEqual([0, `published ${fileOf(folder.path, versions[1])}\n`]);
    expect(manifestOf(folder.path).changes).toEqual(manifestOf(join(world, "published-0-1")).changes);
  });

  const READS: [night: number, before: number[]][] = [
    [1, [0]],
    [3, [0, 1]],
  ];
  test.for(draw.some(READS, 1))(
    "is read whole once by a build of night %i, and the new file once for each of its proofs",
    async ([night, before]) => {
      using folder = folderWith(...before);
      const [reads, journal] = [join(folder.path, "reads"), join(folder.path, "journal")];
      copyFileSync(journals[night] ?? "", journal);
      const latest = basename(fileOf(folder.path));
      const env = {
        WHOLE_READS: reads,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, "..", "helpers", "whole-reads.ts")}`,
      };
      const words = ["--data", folder.path, "--journal", journal, "--allow-partial"];
      expect(await runProcess("build", words, env)).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(reads, "utf8").trimEnd().split("\n").sort()).toEqual([
        "integrity_check .next.sqlite",
        "read .next.sqlite",
        "read .next.sqlite.changes",
        `read ${latest}`,
      ]);
    },
  );
});

describe("missing slices", () => {
  test("are refused with 3 unless --allow-partial is given", async () => {
    using folder = folderWith(0);
    const before = pointerText(folder.path);
    const holed = join(folder.path, "holed");
    copyFileSync(journals[1] ?? "", holed);
    const journal = openJournal(holed);
    const id = journal.slices().find(({ slice }) => slice.dataset === "stats")?.id ?? 0;
    journal.reopen();
    journal.requeue([id]);
    journal.markFailed(id, "server-error");
    journal.finish(new Date().toISOString(), 1);
    journal.close();
    const options = ["--data", folder.path, "--journal", holed];
    const { code, stderr } = await runProcess("build", options);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^1 slices are missing, the first is stats hero=1&rank=all&lang=en \(server-error\); nothing/,
    );
    expect(pointerText(folder.path)).toBe(before);
    expect(published(folder.path)).toEqual(filesOf(versions[0]));
    expect((await runCommand("build", [...options, "--allow-partial"])).code).toBe(0);
    expect(pointerText(folder.path)).not.toBe(before);
  });
});

describe(`a kill (${drawn})`, () => {
  drawTests(1);

  const KILLED = ["build", ...STEPS.map(([name]) => name)].map((name, place) => [name, place - 1] as const);
  const moved = STEPS.findIndex(([name]) => name === "rename pointer");

  test.for(draw.some(KILLED, 1))(
    "after '%s' leaves a snapshot served, and the next run clean",
    async ([step, place]) => {
      using folder = folderWith(0);
      const { path } = folder;
      const journal = join(path, "night-1");
      copyFileSync(journals[1] ?? "", journal);
      const script = join(import.meta.dirname, "..", "helpers", "killed", "publish-killed.ts");
      const child = spawn(process.execPath, [script, journal, path, step], { stdio: "ignore" });
      const signal = await new Promise((resolve) => child.once("close", (_, name) => resolve(name)));
      expect(signal).toBe("SIGKILL");

      expect(pointerOf(path).version).toBe(versions[place < moved ? 0 : 1]);
      const get = await runCommand("serve", ["--data", path, "--get", "/api/heroes/1/stats"]);
      expect(get.code).toBe(0);
      expect(get.stdout).toMatch(/^\{"code":0,.*"main_heroid":1\b.*"total":1\}\}\n$/);

      const again = await runCommand("build", ["--data", path, "--journal", journal, "--allow-partial"]);
      expect([again.code, again.stderr]).toEqual([place < moved ? 0 : 2, ""]);
      expect(pointerText(path)).toBe(pointerText(join(world, "published-0-1")));
      expect(published(path)).toEqual(filesOf(...versions));
      expect(readdirSync(path).filter((name) => name.includes("draft"))).toEqual([]);
      expect((await failures(fileOf(path))).failed).toEqual([]);
    },
  );

  test("that left something of another night is cleaned up too, and nothing that is not ours", async () => {
    using folder = folderWith(0);
    const lies = (name: string) => writeFileSync(join(folder.path, "snapshots", name), "cut");
    const cut = "20260101T000000Z-00000000";
    for (const name of [".next.sqlite", ".next.sqlite-journal", ".next.sqlite.draft"]) lies(name);
    for (const name of [`${cut}.sqlite`, `${versions[0]}.json.draft`, "notes.txt", "mine.sqlite"]) lies(name);
    writeFileSync(join(folder.path, "latest.json.draft"), "cut");
    expect((await build(folder.path, 1)).code).toBe(0);
    expect(published(folder.path)).toEqual([...filesOf(...versions), "mine.sqlite", "notes.txt"]);
    expect(existsSync(join(folder.path, "latest.json.draft"))).toBe(false);
  });
});

describe("--keep", () => {
  drawTests(1);

  test("removes the oldest with their manifests once the pointer has moved", async () => {
    using folder = folderWith(0);
    expect((await build(folder.path, 1, "--keep", "1")).code).toBe(0);
    expect(published(folder.path)).toEqual(filesOf(versions[1]));
  });

  test("removes the compressed copy too, which --compress makes the same each time", async () => {
    using folder = folderWith(0);
    using other = folderWith(0);
    for (const { path } of [folder, other]) expect((await build(path, 1, "--compress")).code).toBe(0);
    expect(published(folder.path)).toEqual([...filesOf(...versions), `${versions[1]}.sqlite.zst`]);
    const copy = `${fileOf(folder.path)}.zst`;
    expect(readFileSync(copy).equals(readFileSync(`${fileOf(other.path)}.zst`))).toBe(true);
    expect(zstdDecompressSync(readFileSync(copy)).equals(readFileSync(fileOf(folder.path)))).toBe(true);
    const manifest = manifestOf(folder.path);
    const sha256 = createHash("sha256").update(readFileSync(copy)).digest("hex");
    expect(manifest.compressed).toEqual({ size: statSync(copy).size, sha256 });
    expect((await build(folder.path, 2, "--max-loss", "100", "--keep", "1")).code).toBe(0);
    expect(published(folder.path)).toEqual(filesOf(pointerOf(folder.path).version));
  });

  test("never removes what the pointer names, however old", async () => {
    using folder = folderWith(0, 1);
    expect((await build(folder.path, 2, "--max-loss", "100")).code).toBe(0);
    const third = pointerOf(folder.path).version;
    expect((await rollback(folder.path, "--to", versions[0] ?? "")).code).toBe(0);
    expect((await build(folder.path, 0, "--keep", "1")).code).toBe(2);
    expect(pointerOf(folder.path).version).toBe(versions[0]);
    expect(published(folder.path)).toEqual(filesOf(versions[0], third));
  });
});

describe("rollback", () => {
  test("moves the pointer to the version before and forward again, byte for byte", async () => {
    using folder = folderWith(0, 1);
    const [before, files] = [pointerText(folder.path), published(folder.path)];
    const back = await rollback(folder.path);
    expect(back).toMatchObject({ code: 0, stdout: `latest is ${versions[0]}\n`, stderr: "" });
    expect(pointerText(folder.path)).toBe(pointerText(join(world, "published-0")));
    expect((await rollback(folder.path, "--to", versions[1] ?? "")).code).toBe(0);
    expect(pointerText(folder.path)).toBe(before);
    expect(published(folder.path)).toEqual(files);
  });

  test("passes over a subset, and ends at the first", async () => {
    using folder = temporaryFolder();
    cpSync(join(world, "published-0-subset-1"), folder.path, { recursive: true });
    expect(published(folder.path)).toHaveLength(7);
    expect((await rollback(folder.path)).code).toBe(0);
    expect(pointerOf(folder.path).version).toBe(versions[0]);
    const { code, stderr } = await rollback(folder.path);
    expect(code).toBe(64);
    expect(stderr).toMatch(/holds nothing to roll back to, \S+ is the first that was published; name another version/);
  });

  test("names the known versions when it is given another", async () => {
    using folder = folderWith(0, 1);
    for (const unknown of ["20260101T000000Z-00000000", "../../etc/passwd", ""]) {
      const { code, stderr } = await rollback(folder.path, `--to=${unknown}`);
      expect(code).toBe(64);
      expect(stderr).toBe(
        `${folder.path}: holds no published version ${unknown}; published are ${versions.toReversed().join(", ")}\n`,
      );
    }
  });

  test("refuses a folder where nothing was published", async () => {
    using folder = temporaryFolder();
    expect(await rollback(folder.path)).toMatchObject({ code: 64, stderr: expect.stringMatching(/does not exist/) });
  });

  test("gets away from a file that has vanished, and from a pointer that cannot be read", async () => {
    using folder = folderWith(0, 1);
    rmSync(fileOf(folder.path));
    expect((await rollback(folder.path)).code).toBe(0);
    expect(pointerOf(folder.path).version).toBe(versions[0]);
    writeFileSync(join(folder.path, "latest.json"), "{");
    const blind = await rollback(folder.path);
    expect(blind).toMatchObject({ code: 64, stderr: expect.stringMatching(/rollback -- --to <version>/) });
    expect((await rollback(folder.path, "--to", versions[0] ?? "")).code).toBe(0);
    expect(pointerText(folder.path)).toBe(pointerText(join(world, "published-0")));
  });

  test("does not point to a damaged file, or to one whose manifest is another's", async () => {
    using folder = folderWith(0, 1);
    const before = pointerText(folder.path);
    const manifest = manifestFileOf(folder.path, versions[0]);
    const whole = readFileSync(manifest);
    copyFileSync(manifestFileOf(folder.path), manifest);
    expect((await rollback(folder.path)).stderr).toMatch(/is not the manifest of/);
    writeFileSync(manifest, whole);
    truncateSync(fileOf(folder.path, versions[0]), 100_000);
    expect((await rollback(folder.path)).stderr).toMatch(/is damaged/);
    expect(pointerText(folder.path)).toBe(before);
  });
});

describe("verify", () => {
  drawTests(3);

  const stateOf = ({ stdout }: Ended, check: string) =>
    new RegExp(`│ ${check} +│ (\\w+) +│ (.*?) +│`).exec(stdout)?.slice(1) ?? [];
  const failed = ({ stdout }: Ended) => [...stdout.matchAll(/│ (.*?) +│ FAILED +│/g)].map(([, name]) => name);

  test("of a good file ends with 0 and shows every check with a figure", async () => {
    const data = join(world, "published-0");
    const ended = await runProcess("verify", ["--data", data]);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const { sha256, counts } = pointerOf(data);
    expect(stateOf(ended, "whole file")).toEqual(["ok", expect.stringMatching(/^\d+ bytes$/)]);
    expect(stateOf(ended, "foreign keys")).toEqual(["ok", "0 broken"]);
    expect(stateOf(ended, "manifest")).toEqual(["ok", expect.stringContaining(sha256.slice(0, 16))]);
    expect(stateOf(ended, "schema version")).toEqual(["ok", expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(stateOf(ended, "hash of each slice")).toEqual(["ok", expect.stringMatching(/^\d+ slices$/)]);
    expect(stateOf(ended, "content hash")).toEqual(["ok", expect.stringMatching(/^[0-9a-f]{16}…$/)]);
    expect(stateOf(ended, "records")).toEqual(["ok", `${counts?.records} records`]);
    expect(stateOf(ended, "notes on texts")).toEqual(["ok", expect.stringMatching(/^[1-9]\d* records$/)]);
    expect(stateOf(ended, "coverage")).toEqual(["ok", expect.stringMatching(/^0 of \d+ slices missing$/)]);
    expect(stateOf(ended, "texts")).toEqual(["ok", expect.stringMatching(/^\d+ texts$/)]);
  });

  test.for([
    ["another digit", (byte: number) => (byte === 0x31 ? 0x32 : 0x31), []],
    ["no JSON any more", () => 0x78, ["records"]],
  ] as const)("finds one changed byte in a record (%s)", async ([, change, more]) => {
    using folder = folderWith(0);
    const file = fileOf(folder.path);
    const db = new SQLite(file, { readonly: true });
    const json = db.prepare<[], string>("SELECT json FROM record WHERE dataset = 'stats' LIMIT 1").pluck().get() ?? "";
    db.close();
    const bytes = readFileSync(file);
    const at = bytes.indexOf(json.slice(0, 60)) + json.search(/\d/);
    expect(json.search(/\d/)).toBeLessThan(60);
    bytes[at] = change(bytes[at] ?? 0);
    writeFileSync(file, bytes);
    const ended = await verify(file);
    expect(ended.code).toBe(64);
    expect(failed(ended)).toEqual([
      "manifest",
      "hash of each slice",
      "content hash",
      "archive hash",
      ...more,
      "tables made again",
    ]);
    expect(stateOf(ended, "hash of each slice")[1]).toMatch(/^1 slices differ, the first is stats hero=/);
  });

  test("tells a byte that is no UTF-8 from the character that a reader shows for it", () => {
    using folder = folderWith(0);
    const db = new SQLite(fileOf(folder.path));
    const coverage = db.prepare<[], Coverage>("SELECT * FROM coverage").all();
    const hashes = ["efbfbd", "ff", "c3", "00", ""].map((bytes) => {
      db.exec(`UPDATE record SET json = CAST(x'22${bytes}22' AS TEXT) WHERE rowid = (SELECT min(rowid) FROM record)`);
      return hashArchive(db, { started_at: "", sample: 0, rolling: 0 }, coverage);
    });
    db.close();
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  const edits: [what: string, sql: string, checks: string[]][] = [
    [
      "a record gone",
      "DELETE FROM record WHERE rowid = (SELECT min(rowid) FROM record WHERE dataset = 'stats')",
      ["manifest", "hash of each slice", "content hash", "archive hash", "records", "tables made again"],
    ],
    [
      "records of no slice",
      "INSERT INTO record VALUES ('stats', 'hero=999', 0, '{}', NULL)",
      ["foreign keys", "manifest", "records"],
    ],
    [
      "a note that leaves out a text",
      "UPDATE record SET texts = '[]' WHERE dataset = 'rank' AND position = 0",
      ["manifest", "notes on texts"],
    ],
    [
      "a note on a text that is none",
      "UPDATE listed_text SET id = '2' WHERE text_id = 0",
      ["manifest", "tables made again"],
    ],
    [
      "another content hash",
      "UPDATE snapshot SET content_hash = 'x'",
      ["manifest", "content hash", "tables made again"],
    ],
    ["another schema", "UPDATE snapshot SET schema_version = '0.9.0'", ["manifest", "schema version"]],
    [
      "another rate in a typed table",
      "UPDATE hero_rate SET win_rate = 0.99 WHERE hero_id = 1",
      ["manifest", "tables made again"],
    ],
    ["another name in a typed table", "UPDATE hero_text SET name = 'Nobody'", ["manifest", "tables made again"]],
    ["more heroes than there are", "UPDATE snapshot SET heroes = 999999", ["manifest", "tables made again"]],
    ["another licence", "UPDATE snapshot SET licence = 'yours'", ["manifest", "tables made again"]],
    ["another word in the dictionary", "UPDATE table_doc SET description = 'x'", ["manifest", "tables made again"]],
    [
      "another batch",
      "UPDATE coverage SET batch = '1' WHERE dataset = 'stats'",
      ["manifest", "archive hash", "tables made again"],
    ],
    [
      "another start, by a millisecond",
      "UPDATE snapshot SET started_at = '2026-09-21T14:13:20.001Z'",
      ["manifest", "archive hash", "tables made again"],
    ],
    [
      "a slice said to be empty",
      "UPDATE coverage SET status = 'empty' WHERE dataset = 'versions'",
      ["manifest", "content hash", "archive hash", "records", "tables made again"],
    ],
  ];
  test.for(draw.some(edits, 3))("finds %s", async ([, sql, checks]) => {
    using folder = folderWith(0);
    const file = fileOf(folder.path);
    editFile(file, sql);
    const { exit, names } = await failures(file);
    expect([exit, names]).toEqual([64, checks]);
  });

  test("says that a manifest is missing, and refuses one of another file or none of ours", async () => {
    using folder = folderWith(0, 1);
    const manifest = manifestFileOf(folder.path);
    copyFileSync(manifestFileOf(folder.path, versions[0]), manifest);
    const other = await verify(fileOf(folder.path));
    expect([other.code, failed(other)]).toEqual([64, ["manifest"]]);
    expect(stateOf(other, "manifest")[1]).toBe(`version is ${versions[1]}, the manifest says ${versions[0]}`);
    writeFileSync(manifest, "{}");
    const { failed: none } = await failures(fileOf(folder.path));
    expect(none).toMatchObject([{ name: "manifest", figure: "the file beside it is not a manifest" }]);
  });

  test("of a sound file without a manifest ends with 3, and says last and loudly what it could not prove", async () => {
    using folder = folderWith(0);
    const file = fileOf(folder.path);
    const manifest = file.replace("sqlite", "json");
    const { version, content_hash, sha256, size } = pointerOf(folder.path);
    rmSync(manifest);
    const alone = await verify(file);
    expect([alone.code, alone.stderr, failed(alone)]).toEqual([3, "", []]);
    expect(stateOf(alone, "manifest")).toEqual(["none", "no manifest beside the file"]);
    const told = [
      `NOT PROVED: that this is the file that was published. There is no ${manifest}.`,
      "Whoever changes records can make the tables and hashes in a file again. The manifest would have proved",
      `  version       ${version}`,
      `  content hash  ${content_hash}`,
      `  sha256        ${sha256}`,
      `  size          ${size} bytes`,
      `Compare them with /snapshots/${version}.json of a mirror that you trust, or put that beside the file and verify again.`,
      "",
    ];
    expect(alone.stdout.split("\n").slice(-told.length)).toEqual(told);
    // What is damaged is worse than what is not proved.
    editFile(file, "UPDATE hero_rate SET win_rate = 0.99 WHERE hero_id = 1");
    const damaged = await verify(file);
    expect([damaged.code, failed(damaged)]).toEqual([64, ["tables made again"]]);
    expect(damaged.stdout).toContain("NOT PROVED: ");
  });

  test.for([
    ["cut short", (file: string) => truncateSync(file, 300_000)],
    ["longer than it says", (file: string) => appendFileSync(file, "more")],
    ["no database", (file: string) => writeFileSync(file, "hello ".repeat(100))],
  ] as const)("refuses a file that is %s with 64 and one line", async ([, damage]) => {
    using folder = folderWith(0);
    damage(fileOf(folder.path));
    const { code, stderr } = await verify(fileOf(folder.path));
    expect(code).toBe(64);
    expect(stderr).toMatch(/^[^\n]*(is damaged|is not an SQLite database)[^\n]*\n$/);
  });
});
