import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { FAST, STATS, stopWhileWaiting } from "../helpers/stopped.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const snapshots = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

/** What tells a crawl to stop as it logs an event. */
const told = (event: string, ...[first, second]: NodeJS.Signals[]) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "..", "helpers", "killed", "at-event.ts")}`,
  KILL_AT: event,
  ...(first && { KILL_WITH: first }),
  ...(second && { KILL_THEN: second }),
});

describe("a crawl that is told to stop", () => {
  test("while an answer is awaited ends before the wait is over, with one line", () =>
    stopWhileWaiting("SIGINT", () => undefined));

  test("while it plans ends with 130 and one line", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, () => true);
    const words = ["--upstream", upstream.url, "--data", folder.path, "--plan"];
    const { child, ended } = startCommand("crawl", words);
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
        /^interrupted while building from \S+; nothing was published; run the same command again to resume\n$/,
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
    const crawl = (time: string) => runCommand("crawl", [...options, "--rate", "5000", "--max-time", time]);
    const soon = await crawl("3s");
    // On a busy machine it may not have come to the answers that do not come.
    const cut = answers < 0 ? soon : await crawl("30s");
    expect([cut.code, cut.stderr]).toEqual([
      3,
      expect.stringMatching(
        /^the time of --max-time is over with \d+ of \d+ slices in \S+; run the same command again to resume\n$/,
      ),
    ]);
    expect(snapshots(folder.path)).toEqual([]);
    const answered = upstream.asked.splice(0).slice(0, 10);
    answers = Number.POSITIVE_INFINITY;
    expect((await crawl("10m")).code).toBe(0);
    expect(upstream.asked.filter((path) => answered.includes(path))).toEqual([]);
    const wrong = await runCommand("crawl", [...options, "--max-time", "10"]);
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      64,
      expect.stringMatching(/must be a number with s, m or h/),
    ]);
  });
});
