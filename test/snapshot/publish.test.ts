import { hash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import { compressFile } from "../../src/snapshot/published/companions.ts";
import { analystsFileOf } from "../../src/snapshot/published/folder.ts";
import { prune } from "../../src/snapshot/published/prune.ts";
import { rollback as rollbackTo } from "../../src/snapshot/published/rollback.ts";
import { fileOf, manifestFileOf, manifestOf, pointerOf, published } from "../helpers/data-folder.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const FEW = [...LITTLE, "--endpoints", "heroes,hero,stats,rank,versions"];

const world = temporaryFolder();
/** Journals of three nights; the third has a hero fewer. */
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

/** A folder with these nights published, the last one as the latest. */
function folderWith(...nights: number[]) {
  const folder = temporaryFolder();
  cpSync(join(world.path, `published-${nights.join("-")}`), folder.path, { recursive: true });
  return folder;
}

/** Crawls a day of the sample into a folder, and keeps the journal. */
async function crawl(sample: string, data: string, day: number, ...more: string[]) {
  const options = [...crawlOptions(sample, data), ...FEW, ...more];
  const ended = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) });
  const written = readdirSync(join(data, "journals")).sort().at(-1) ?? "";
  copyFileSync(join(data, "journals", written), join(world.path, `journal-${day}`));
  return ended;
}

beforeAll(async () => {
  await using sample = await startUpstream(6);
  const crawls = join(world.path, "crawls");
  const keep = (name: string) => cpSync(crawls, join(world.path, name), { recursive: true });
  const publishDay = async (day: number) => {
    sample.sample.set({ day });
    expect((await crawl(sample.url, crawls, day, "--allow-partial")).code).toBe(0);
    versions.push(pointerOf(crawls).version);
  };
  await publishDay(0);
  keep("published-0");
  subset = await crawl(sample.url, crawls, 1, "--heroes", "1");
  await publishDay(2);
  keep("published-0-subset-1");
  sample.sample.set({ day: 3, heroes: 2 });
  refused = await crawl(sample.url, crawls, 3, "--allow-partial");
  for (const day of [0, 2, 3]) journals.push(join(world.path, `journal-${day}`));

  using folder = folderWith(0);
  expect((await build(folder.path, 1)).code).toBe(0);
  cpSync(folder.path, join(world.path, "published-0-1"), { recursive: true });
  expect(published(folder.path)).toEqual(filesOf(...versions));
});
afterAll(() => world[Symbol.dispose]());

describe("the gate against loss", () => {
  test("refuses a crawl with fewer heroes, with 5 and one line that says how to let it through", () => {
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(
      /^more than 5 % would be lost: heroes from 6 to 2(, [\w ]+ from \d+ to \d+)*; nothing was published; if that is right, publish it with `npm run build -- --max-loss \d+`\n$/,
    );
    const data = join(world.path, "crawls");
    expect(pointerOf(data).version).toBe(versions[1]);
    expect(published(data)).toEqual(published(join(world.path, "published-0-subset-1")));
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

  test("replaces the last one by the same data where its file is another now, and says so", async () => {
    using folder = folderWith(0, 1);
    const before = pointerText(folder.path);
    editFile(fileOf(folder.path), "UPDATE hero_rate SET win_rate = 0.99");
    const again = await build(folder.path, 1);
    expect([again.code, again.stderr, again.stdout]).toEqual([
      0,
      "",
      expect.stringMatching(/^\S+ was not what had been published, and is replaced: [^\n]+\npublished \S+\n$/),
    ]);
    expect(pointerText(folder.path)).toBe(before);
    expect(hash("sha256", readFileSync(fileOf(folder.path)))).toBe(pointerOf(folder.path).sha256);
    expect((await build(folder.path, 1)).code).toBe(2);
  });

  test("refuses a night that lacks all records of an endpoint the last one had", async () => {
    using folder = folderWith(0);
    const emptied = join(folder.path, "emptied");
    copyFileSync(journals[1] ?? "", emptied);
    const journal = openJournal(emptied);
    const finishedAt = journal.header().finished_at ?? "";
    journal.reopen();
    journal.setState("base", null);
    for (const { id } of journal.slices().filter((stored) => stored.slice.dataset === "versions")) {
      journal.requeue([id]);
      journal.markFailed(id, "server-error");
    }
    journal.finish(finishedAt, 1);
    journal.close();
    const words = ["--data", folder.path, "--journal", emptied, "--allow-partial"];
    const { code, stderr } = await runCommand("build", [...words, "--max-loss", "99.9"]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(
        /^more than 99.9 % would be lost: records of versions from \d+ to 0; nothing was published; if that is right, publish it with `npm run build -- --max-loss 100`\n$/,
      ),
    ]);
    const built = await runCommand("build", [...words, "--max-loss", "100"]);
    expect([built.code, built.stdout]).toEqual([
      7,
      expect.stringContaining("1 slice is missing: versions (server-error)"),
    ]);
  });

  test("does not look at a subset, which never becomes the latest", () => {
    expect(subset.code).toBe(0);
    expect(subset.events.at(-1)).toMatchObject({ event: "published", latest: false });
  });
});

describe("the night before", () => {
  test.for([
    [
      "is cut short",
      (file: string) => truncateSync(file, 100_000),
      /: is damaged \(100000 bytes, its header says \d+\)$/,
    ],
    [
      "is another file than was published",
      (file: string) => editFile(file, "UPDATE hero_rate SET win_rate = 0.99"),
      /: manifest: sha256 is \w+, the manifest says \w+$/,
    ],
  ] as const)("that %s keeps no night from being published, and is told of", async ([, damage, told]) => {
    using folder = folderWith(0);
    damage(fileOf(folder.path));
    const { code, stdout, stderr } = await build(folder.path, 1);
    const [warning = "", line] = stdout.split("\n");
    expect([code, stderr, line]).toEqual([0, "", `published ${fileOf(folder.path, versions[1])}`]);
    expect(warning).toMatch(new RegExp(`^${versions[0]} was not what had been published, and is replaced: `));
    expect(warning).toMatch(told);
    expect(manifestOf(folder.path).changes).toBeUndefined();
  });

  test("is compared with also without its manifest", async () => {
    using folder = folderWith(0);
    rmSync(manifestFileOf(folder.path));
    const { code, stdout } = await build(folder.path, 1);
    expect([code, stdout]).toEqual([0, `published ${fileOf(folder.path, versions[1])}\n`]);
    expect(manifestOf(folder.path).changes).toEqual(manifestOf(join(world.path, "published-0-1")).changes);
  });
});

test("what a killed run has left of another night is removed, and nothing that is not ours", async () => {
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

describe("--keep", () => {
  test("removes the oldest with their manifests once the pointer has moved", async () => {
    using folder = folderWith(0);
    expect((await build(folder.path, 1, "--keep", "1")).code).toBe(0);
    expect(published(folder.path)).toEqual(filesOf(versions[1]));
  });

  test("removes the compressed copy too, which --compress makes the same each time", async () => {
    using folder = folderWith(0);
    expect((await build(folder.path, 1, "--compress")).code).toBe(0);
    expect(published(folder.path)).toEqual([...filesOf(...versions), `${versions[1]}.sqlite.zst`]);
    const [file, copy] = [fileOf(folder.path), `${fileOf(folder.path)}.zst`];
    expect(zstdDecompressSync(readFileSync(copy)).equals(readFileSync(file))).toBe(true);
    const { compressed } = manifestOf(folder.path);
    expect(compressed).toEqual({ size: statSync(copy).size, sha256: hash("sha256", readFileSync(copy)) });
    expect(await compressFile(file, join(folder.path, "again"))).toEqual(compressed);
    copyFileSync(copy, `${fileOf(folder.path, versions[0])}.zst`);
    prune(folder.path, 1);
    expect(published(folder.path)).toEqual([...filesOf(versions[1]), `${versions[1]}.sqlite.zst`]);
  });

  test("removes the analysts' file too, which --analysts-file makes the same each time", async () => {
    using folder = folderWith(0);
    using other = folderWith(0);
    for (const { path } of [folder, other])
      expect(await build(path, 1, "--analysts-file")).toMatchObject({ code: 0, stderr: "" });
    expect(published(folder.path)).toEqual([...filesOf(...versions), `${versions[1]}.analysts.sqlite`].sort());
    const [file = "", again = ""] = [folder, other].map(({ path }) => analystsFileOf(fileOf(path)));
    const bytes = readFileSync(file);
    expect(readFileSync(again).equals(bytes)).toBe(true);
    expect(manifestOf(folder.path).analysts).toEqual({ size: bytes.length, sha256: hash("sha256", bytes) });
    const out = join(folder.path, "out");
    const words = ["--data", folder.path, "--format", "sqlite", "--out", out, versions[1] ?? ""];
    expect(await runCommand("export", words)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(out, basename(file))).equals(bytes)).toBe(true);
    copyFileSync(file, analystsFileOf(fileOf(folder.path, versions[0])));
    prune(folder.path, 1);
    expect(published(folder.path)).toEqual([...filesOf(versions[1]), `${versions[1]}.analysts.sqlite`].sort());
  });

  test("never removes what the pointer names, however old", async () => {
    using folder = folderWith(0, 1);
    expect((await build(folder.path, 2, "--max-loss", "100")).code).toBe(0);
    const third = pointerOf(folder.path).version;
    rollbackTo(folder.path, versions[0]);
    prune(folder.path, 1);
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
    expect(pointerText(folder.path)).toBe(pointerText(join(world.path, "published-0")));
    expect((await rollback(folder.path, "--to", versions[1] ?? "")).code).toBe(0);
    expect(pointerText(folder.path)).toBe(before);
    expect(published(folder.path)).toEqual(files);
  });

  test("passes over a subset, and ends at the first", async () => {
    using folder = temporaryFolder();
    cpSync(join(world.path, "published-0-subset-1"), folder.path, { recursive: true });
    expect(published(folder.path)).toHaveLength(7);
    expect((await rollback(folder.path)).code).toBe(0);
    expect(pointerOf(folder.path).version).toBe(versions[0]);
    const { code, stderr } = await rollback(folder.path);
    expect(code).toBe(64);
    expect(stderr).toMatch(/holds nothing to roll back to, \S+ is the first that was published; name another version/);
    const subset = published(folder.path).find(
      (name) => /^\S+\.sqlite$/.test(name) && manifestOf(folder.path, name.slice(0, -7)).latest === false,
    );
    const named = await rollback(folder.path, "--to", subset?.slice(0, -7) ?? "");
    expect([named.code, named.stderr]).toEqual([
      64,
      expect.stringMatching(/is a subset of a night; name another version/),
    ]);
    expect(pointerOf(folder.path).version).toBe(versions[0]);
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
    expect(pointerText(folder.path)).toBe(pointerText(join(world.path, "published-0")));
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
