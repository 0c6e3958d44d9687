import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { FAST, STATS, signalledAt, stopWhileWaiting } from "../helpers/stopped.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const snapshots = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

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

  test("twice ends at once", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, () => true);
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, ...STATS];
    expect((await startCommand("crawl", options, signalledAt("upstream", "SIGINT", "SIGTERM")).ended).signal).toBe(
      "SIGTERM",
    );
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
