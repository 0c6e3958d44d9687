/**
 * A disk that is too small, or full: a file system of a few megabytes, of which a ballast leaves as much as it is to have. Only
 * root may mount one.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkCommand } from "../helpers/package.ts";
import { crawlOptions, LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { signalledAt } from "../helpers/stopped.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const START = Date.parse("2026-09-21T03:00:00Z") / 1000;
const DAY = 86_400;
const ROSTER = "/api/heroes?size=200&index=1&lang=en";

const ROOT = join(import.meta.dirname, "..", "..");

const small = temporaryFolder();
const logs = temporaryFolder();
const bin = linkCommand(ROOT, logs.path);

/** Leaves so many bytes of the small file system. */
function leave(bytes: number) {
  const ballast = join(small.path, "ballast");
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(small.path);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes));
}

describe("a crawl on a disk", () => {
  const data = join(small.path, "data");
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let needed = 0;
  const words = () => [...crawlOptions(upstream.url, data), ...LITTLE, "--allow-partial", "--json"];
  const clock = (day: number) => ({ SOURCE_DATE_EPOCH: String(START + day * DAY) });

  async function crawl(day: number, ...more: string[]) {
    upstream.asked.length = 0;
    const ended = await runCommand("crawl", [...words(), ...more], clock(day));
    return { ...ended, asked: upstream.asked.filter((path) => path !== "/api") };
  }

  /** As cron has it. */
  async function night(day: number) {
    const log = join(logs.path, "crawl.log");
    const PATH = `${bin}:${process.env.PATH}`;
    const env = { ...process.env, ...clock(day), PATH, PAUSES: "0 0" };
    const child = spawn(join(ROOT, "scripts/deploy/nightly.sh"), [log, ...words()], { env });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close"), child.stdout.resume()]);
    const lines = readFileSync(log, "utf8").split("\n");
    const events = lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as { event: string }] : []));
    return { code, said, events };
  }

  beforeAll(async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", small.path]);
    upstream = await startUpstream(4);
    needed = 1e6 * JSON.parse((await crawl(0, "--plan")).stdout).disk.needed_mb;
    expect((await crawl(0)).code).toBe(0);
  });

  afterAll(async () => {
    await upstream[Symbol.asyncDispose]();
    execFileSync("umount", [small.path]);
    for (const folder of [small, logs]) folder[Symbol.dispose]();
  });

  test.for([
    ["plain", []],
    ["--reuse", ["--reuse"]],
    ["--budget", ["--budget", "1000"]],
  ] as const)("with less than half of the room ends with 64 after the roster: %s", async ([, mode]) => {
    leave(0.4 * needed);
    const journals = readdirSync(join(data, "journals"));
    expect(await crawl(1, ...mode)).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(
        /^\S+: \d+ MB are free, and about \d+ are needed for journal, draft and file; nothing was published; free space, or [^\n]*\n$/,
      ),
      asked: [ROSTER],
    });
    expect(readdirSync(join(data, "journals"))).toEqual(journals);
  });

  test("with less than all warns; full in the build it goes on without a question once there is room, and not before", async () => {
    leave(2 * needed);
    const env = { ...clock(1), ...signalledAt("building") };
    expect((await startCommand("crawl", words(), env).ended).signal).toBe("SIGKILL");
    leave(0.45 * needed);
    upstream.asked.length = 0;
    const full = await night(1);
    const facts = { folder: data, free_mb: expect.any(Number), needed_mb: expect.any(Number) };
    expect(full.events).toContainEqual({ time: expect.any(String), event: "disk-short", ...facts });
    // Once: no pause makes room.
    expect(full.events.filter(({ event }) => event === "taken-up")).toHaveLength(1);
    expect(upstream.asked).toEqual([]);
    expect([full.code, full.said]).toEqual([
      64,
      expect.stringMatching(
        /^metasnap: the night ended with 64: \S+: the disk is full: about \d+ MB are needed, and \d+ are free; nothing was published; free space, then run the same command again\n$/,
      ),
    ]);
    const again = await crawl(1);
    expect([again.code, again.asked]).toEqual([64, []]);
    expect(again.stderr).toMatch(
      /: \d+ MB are free, no more than when a build filled the disk, and about \d+ are needed for /,
    );
    leave(2 * needed);
    const last = await crawl(1);
    expect([last.code, last.asked]).toEqual([2, []]);
  });

  test("without any room, or that is read-only, asks nothing", async () => {
    leave(0);
    expect(await crawl(4)).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/: only \d+ kB are free, and about \d+ MB are needed for /),
      asked: [],
    });
    leave(2 * needed);
    execFileSync("mount", ["-o", "remount,ro", small.path]);
    expect(await crawl(4)).toMatchObject({
      code: 64,
      stderr: `${data}: cannot be used: it lies on a read-only file system (EROFS); name another file or folder, or make this one accessible\n`,
      asked: [],
    });
    execFileSync("mount", ["-o", "remount,rw", small.path]);
    expect((await crawl(4)).code).toBe(2);
  });

  test.for([
    ["verify", ["--data", data], /^cannot be written: \S+\/data\/snapshots: [^:]*\(SQLITE_FULL\)/],
    [
      "export",
      ["--data", data, "--format", "api", "--out", join(small.path, "api")],
      /\/api\/\S+: cannot be written: /,
    ],
  ] as const)("without any room: %s says where", async ([command, words, where]) => {
    leave(0);
    const { code, stderr } = await runCommand(command, [...words]);
    expect([code, stderr]).toEqual([64, expect.stringMatching(where)]);
    expect(stderr).toMatch(/; free space, then run the same command again\n$/);
  });
});
