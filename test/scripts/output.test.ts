import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { createLines } from "../../src/base/meter.ts";
import { createProgress } from "../../src/crawl/progress.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { copyOfFirst } from "../helpers/few-nights.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";

test("a disk that is full is told, whatever was to be written there", async () => {
  using folder = copyOfFirst(1);
  const args = [...commandLine("verify"), "--data", folder.path];
  const child = spawn(process.execPath, args, { stdio: ["ignore", openSync("/dev/full", "w"), "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  expect(await once(child, "close")).toEqual([64, null]);
  expect(stderr).toMatch(/^stdout: cannot be written: .*ENOSPC.*; free space, then run the same command again\n$/);
});

test("what a crawl tells people is to be had without a terminal", async () => {
  using folder = temporaryFolder();
  await using sample = await startSample();
  const slices = ["--heroes", "1,2", "--languages", "en", "--endpoints", "heroes,hero,stats"];
  const words = [...crawlOptions(sample.url, folder.path), "--rate", "5000", "--allow-partial", ...slices];
  const { code, stdout, events } = await runCommand("crawl", [...words, "--no-json"]);
  expect([code, events]).toEqual([0, []]);
  expect(stdout).toMatch(/^crawl \d+% \d\/\d+ \| 0\/s \| 0 failed \| \d+ s left$/m);
  expect(stdout).toMatch(/^crawl 100% (\d+)\/\1 \| \d+\/s \| 0 failed \| 0 s left$/m);
  expect(stdout).toMatch(/│ stats +│ +12 │.*│ en +│/);
  expect(stdout).toMatch(/^published version \d/m);
});

describe("how far a crawl is", () => {
  /** What is told at the beginning, of so many slices at so many requests a second. */
  function begin(json: boolean, rate: number, purpose: "answer" | "proof") {
    const out = new PassThrough();
    createProgress(out, json, rate).begin(29_150, 2, purpose);
    return String(out.read());
  }

  test("is told with its step, in words and in JSON", () => {
    expect(begin(false, 8, "answer")).toBe("crawl 0% 2/29150 | 0/s | 0 failed | 1 h 1 min left\n");
    expect(begin(false, 8, "proof")).toMatch(/^proof 0% 2\/29150 /);
    const facts = { done: 2, total: 29_150, failed: 0, rate: 0, seconds_left: 3644 };
    const [time, event] = [expect.any(String), "progress"];
    expect(JSON.parse(begin(true, 8, "proof"))).toEqual({ time, event, purpose: "proof", ...facts });
  });

  test("is told at its begin, once a minute and at its end where nothing can move", () => {
    const told: [seconds: number, done: number][] = [];
    let seconds = 0;
    const lines = createLines(
      (done) => told.push([seconds, done]),
      () => 1000 * seconds,
    );
    lines.begin(1000, 0);
    for (seconds = 1; seconds <= 150; seconds += 1) lines.move(seconds);
    lines.end();
    expect(told).toEqual([
      [0, 0],
      [60, 60],
      [120, 120],
      [151, 150],
    ]);
  });

  test("is not told to be over in a second where the rate has no bound", () => {
    expect(JSON.parse(begin(true, 100_000, "answer"))).toMatchObject({ seconds_left: 30 });
  });
});
