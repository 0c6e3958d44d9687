import { copyFileSync, existsSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

const FAST = ["--rate", "5000", "--languages", "en", "--ranks", "all", "--days", "7"];
const STATS = ["--endpoints", "stats,relations"];
/** Less than any of the waits below. */
const SOON = { timeout: 90_000 };

const snapshots = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

/** What tells a crawl to stop as it logs an event. */
const told = (event: string, ...[first, second]: NodeJS.Signals[]) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "..", "helpers", "killed", "at-event.ts")}`,
  KILL_AT: event,
  ...(first && { KILL_WITH: first }),
  ...(second && { KILL_THEN: second }),
});

/** What keeps a crawl waiting, after a few answers. */
const WAITING: [name: string, signal: NodeJS.Signals, wait: (res: ServerResponse) => void][] = [
  ["an answer is awaited", "SIGINT", () => undefined],
  ["an answer drips", "SIGTERM", (res) => void res.writeHead(200, { "content-type": "application/json" }).write("{")],
  ["the upstream asks for a pause", "SIGINT", (res) => void res.writeHead(429, { "retry-after": "100" }).end("{}")],
  ["the circuit is open", "SIGTERM", (res) => void res.writeHead(503).end("{}")],
];

describe("a crawl that is told to stop", () => {
  test.for(WAITING)("while %s ends at %s before the wait is over, with one line", SOON, async ([, signal, wait]) => {
    using folder = temporaryFolder();
    let held = 0;
    await using upstream = await startUpstream(2, (req, res) => {
      if (!req.url?.includes("/stats")) return false;
      held += 1;
      wait(res);
      return true;
    });
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, ...STATS, "--timeout", "100"];
    const { child, ended } = startCommand("crawl", options);
    await expect.poll(() => held).toBeGreaterThan(0);
    child.kill(signal);
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(/^interrupted with \d+ of \d+ slices in \S+; run the same command again to continue\n$/),
    ]);
  });

  test("while it plans ends with 130 and one line", async () => {
    await using upstream = await startUpstream(2, () => true);
    const { child, ended } = startCommand("crawl", ["--upstream", upstream.url, "--plan"]);
    await expect.poll(() => upstream.asked.length).toBeGreaterThan(0);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, "interrupted before the plan was made; run the same command again\n"]);
  });

  test("while it builds leaves nothing behind, and the next run asks nothing again", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2);
    const options = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000", ...LITTLE];
    const { code, stderr } = await startCommand("crawl", options, told("verifying", "SIGINT")).ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(
        /^interrupted while building from \S+; nothing was published; run the same command again to continue\n$/,
      ),
    ]);
    expect([snapshots(folder.path), existsSync(join(folder.path, "latest.json"))]).toEqual([[], false]);
    upstream.asked.length = 0;
    expect((await runCommand("crawl", options)).code).toBe(0);
    expect(upstream.asked).toEqual([]);
  });

  test("twice ends at once", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, () => true);
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, ...STATS];
    expect((await startCommand("crawl", options, told("upstream", "SIGINT", "SIGTERM")).ended).signal).toBe("SIGTERM");
  });

  test("by --max-time ends with 3 and is continued by the next run", async () => {
    using folder = temporaryFolder();
    let answers = 10;
    await using upstream = await startUpstream(4, () => {
      answers -= 1;
      return answers < 0;
    });
    const options = ["--upstream", upstream.url, "--data", folder.path, "--languages", "en", "--endpoints", "trends"];
    const cut = await runCommand("crawl", [...options, "--rate", "5000", "--max-time", "3s"]);
    expect([cut.code, cut.stderr]).toEqual([
      3,
      expect.stringMatching(
        /^the time of --max-time is over with \d+ of \d+ slices in \S+; run the same command again to continue\n$/,
      ),
    ]);
    expect(snapshots(folder.path)).toEqual([]);
    const answered = upstream.asked.splice(0).slice(0, 10);
    answers = Number.POSITIVE_INFINITY;
    expect((await runCommand("crawl", [...options, "--rate", "5000", "--max-time", "10m"])).code).toBe(0);
    expect(upstream.asked.filter((path) => answered.includes(path))).toEqual([]);
    const wrong = await runCommand("crawl", [...options, "--max-time", "10"]);
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      64,
      expect.stringMatching(/must be a number with s, m or h/),
    ]);
  });
});

test("a build that is told to stop leaves nothing behind", async () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, "whole.journal");
  copyFileSync(world.journal, journal);
  const { child, ended } = startCommand("build", ["--data", folder.path, "--journal", journal]);
  await expect.poll(() => snapshots(folder.path).some((file) => file.startsWith(".next"))).toBe(true);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(130);
  expect(snapshots(folder.path)).toEqual([]);
});
