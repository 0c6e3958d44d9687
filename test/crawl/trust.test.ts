import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endOnFullDisk, isDiskFull } from "../../src/api/failure.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { crawlAt, crawlOverMidnight, crawlThroughAll, eventsOf, startRough } from "../helpers/misbehaviours/stories.ts";
import { crawlOptions, runCommand, runProcess, startCommand, temporaryFolder } from "../helpers/run.ts";

/** Where languages, ranks and windows do not matter; two of each, for what is told by comparing them. */
const FEW_TABLES = ["--ranks", "epic,glory", "--days", "1,7"];
const SUBSET = ["--languages", "en,ja", ...FEW_TABLES];
const PARTIAL = [...SUBSET, "--allow-partial"];
/** Where most endpoints do not matter either. */
const NUMBERS = [...PARTIAL, "--endpoints", "rank,stats,trends,relations,counters,compatibility"];

const FEW = [
  ...([
    "reset",
    "length-twice",
    "rate-limited",
    "blocked",
    "limited",
    "server-error",
    "redirect",
    "error-code",
  ] as const),
  ...(["status-204", "html", "bomb-gzip", "truncated-json", "data-null", "no-subject", "missing-field"] as const),
  ...(["empty-answer", "wrong-hero", "no-records", "closed-after-each", "br", "keys-twice-escaped"] as const),
];

describe("the same bytes", () => {
  test("come of a crawl through one misbehaviour for each reason that does not wait, and some that are borne", () =>
    crawlThroughAll(4, FEW, 0.5, NUMBERS));
});

describe("what asking again does not heal", () => {
  test("leaves what was published alone", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(3);
    const part = [...SUBSET, "--endpoints", "rank,stats"];
    expect((await crawlAt(world.url, folder.path, "--allow-partial", ...part)).code).toBe(0);
    const published = () => [pointerOf(folder.path), readdirSync(join(folder.path, "snapshots")).sort()];
    const before = published();
    world.sample.set({ day: 1 });
    for (const name of ["server-error", "no-subject"] as const) {
      world.rules = [{ name, match: "/stats" }];
      expect((await crawlAt(world.url, folder.path, "--fresh", "--attempts", "1", ...part)).code, name).toBe(3);
      expect(published(), name).toEqual(before);
    }
  });

  test("but one slice is a hole that is an error of the mirror, and the next night fills it", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(3, {
      rules: [{ name: "server-error", match: "/api/heroes/2/stats?rank=epic" }],
    });
    const part = [...PARTIAL, "--endpoints", "rank,stats"];
    expect((await crawlAt(world.url, folder.path, "--attempts", "1", ...part)).code).toBe(0);
    const get = async (path: string) =>
      JSON.parse((await runCommand("serve", ["--data", folder.path, "--get", path])).stdout) as object;
    expect(await get("/api/heroes/2/stats?rank=epic")).toMatchObject({ error: { code: "SLICE_NOT_CAPTURED" } });
    expect(await get("/api/heroes/2/stats?rank=glory")).toMatchObject({ code: 0 });
    const verify = await runCommand("verify", ["--data", folder.path]);
    expect(verify.code).toBe(0);
    expect(verify.stdout).toMatch(/│ coverage +│ warning +│ 1 of \d+ slices missing, 0 carried over │/);
    expect(verify.stdout).toMatch(/stats .* hero=2&rank=epic&lang=en .* server-error/);
    world.rules = [];
    expect((await crawlAt(world.url, folder.path, ...part)).code).toBe(0);
    expect(await get("/api/heroes/2/stats?rank=epic")).toMatchObject({ code: 0 });
  });

  test("unknown fields are no fault: they are kept and reported", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(2);
    const part = [...PARTIAL, "--endpoints", "rank,counters"];
    const first = await crawlAt(world.url, folder.path, ...part);
    expect(first.code).toBe(0);
    expect(eventsOf(first, "drift"), "the first night has nothing to drift from").toMatchObject([{ drift: [] }]);
    world.rules = [{ name: "unknown-fields", match: /api\/heroes\/.*counters/ }];
    const ended = await crawlAt(world.url, folder.path, ...part);
    expect(ended.code).toBe(0);
    const [{ drift } = { drift: [] }] = eventsOf(ended, "drift") as unknown as {
      drift: { dataset: string; before: string; count: number }[];
    }[];
    expect(drift.length).toBeGreaterThan(0);
    for (const change of drift) {
      expect(change).toMatchObject({ dataset: "counters", before: "absent", needed: false });
      expect(change.count).toBeGreaterThan(0);
    }
  });
});

test("a day that rolls over in the middle of a crawl leaves no table with two batches", () =>
  crawlOverMidnight(3, 42, 10, NUMBERS));

describe("one folder", () => {
  test("has one crawl at a time; the second, also to plan or to begin anew, names the first and asks nothing", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(2, { rules: [{ name: "hang", match: "/stats" }] });
    const before = new Date().toISOString();
    const words = [...crawlOptions(world.url, folder.path), ...NUMBERS];
    const first = startCommand("crawl", words);
    await expect.poll(() => world.log.length).toBeGreaterThan(10);
    const asked = world.log.filter(({ url }) => url.includes("/api/heroes?")).length;
    for (const more of [[], ["--plan"], ["--fresh"]]) {
      const { code, stdout, stderr } = await runCommand("crawl", [...words, ...more]);
      const [, since = ""] = / since (\S+); /.exec(stderr) ?? [];
      expect([code, stdout, stderr]).toEqual([
        64,
        "",
        `${folder.path}: process ${first.child.pid} has been working in this folder since ${since}; wait until it has ended, or name another folder with --data\n`,
      ]);
      expect([before, since, new Date().toISOString()].toSorted()[1]).toBe(since);
    }
    expect(world.log.filter(({ url }) => url.includes("/api/heroes?"))).toHaveLength(asked);
    first.child.kill("SIGKILL");
    await first.ended;
    world.rules = [];
    expect((await crawlAt(world.url, folder.path, ...NUMBERS)).code).toBe(0);
  });

  test("that is removed meanwhile ends the crawl at once with 64 and one line", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(2, {
      onRequest: (n) => n === 20 && rmSync(folder.path, { recursive: true }),
    });
    const { code, stderr } = await crawlAt(world.url, folder.path, ...NUMBERS);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/^\S+\.journal: is gone, with the answers of this crawl; nothing was published; [^\n]*\n$/),
    ]);
    // But for those under way.
    expect(world.log.length).toBeLessThan(30);
  });

  test("that was made for a plan goes with it", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(2);
    const data = join(folder.path, "made");
    const { code, stderr } = await runCommand("crawl", [...crawlOptions(world.url, data), "--plan"]);
    expect([code, stderr, existsSync(data)]).toEqual([0, "", false]);
  });

  test("that is full ends the crawl with 64 and one line that says how much room it needs, and loses nothing", async () => {
    using folder = temporaryFolder();
    await using world = await startRough(2);
    const options = [...crawlOptions(world.url, folder.path), ...SUBSET];
    const full = await runProcess("crawl", options, {}, 400);
    // SQLite calls a file that may not grow an error of the disk.
    expect([full.code, full.stderr]).toEqual([
      64,
      expect.stringMatching(
        /^\S+: the disk is full or fails \(SQLITE_IOERR_WRITE\): about \d+ MB are needed, and \d+ are free; nothing was published; free space, then run the same command again\n$/,
      ),
    ]);
    expect((await runCommand("crawl", options)).code).toBe(0);
  });

  // A quota is for a user, whom no test has to itself.
  test.for([
    ["ENOSPC", "the disk is full"],
    ["SQLITE_FULL", "the disk is full"],
    ["EDQUOT", "the quota of this disk is used up"],
    ["SQLITE_IOERR_SHMSIZE", "the disk is full or fails (SQLITE_IOERR_SHMSIZE)"],
    ["SQLITE_IOERR_SHORT_READ", undefined],
    ["SQLITE_CORRUPT", undefined],
  ] as const)("is full or not by its error: %s", ([code, words]) => {
    const error = Object.assign(new Error("oops"), { code });
    expect(isDiskFull(error)).toBe(words !== undefined);
    if (words === undefined) return;
    const { exit, message } = endOnFullDisk("/data", "9 MB are needed", error);
    expect([exit, message]).toEqual([64, `/data: ${words}: 9 MB are needed; nothing was published`]);
  });

  test.for(["/dev/null", "/dev/null/x"])("that cannot be written (%s) is refused", async (data) => {
    const { code, stderr } = await runCommand("crawl", ["--upstream", "http://127.0.0.1:9", "--data", data]);
    expect(code).toBe(64);
    expect(stderr).toMatch(/cannot be used: .*; name another file or folder, or make this one accessible\n$/);
  });
});
