import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { createLines } from "../../src/base/meter.ts";
import { createProgress } from "../../src/crawl/progress.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { copyOfFirst } from "../helpers/few-nights.ts";
import { runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";

const sample = await startSample();
afterAll(() => sample.close());

const little = (data: string) => {
  const slices = ["--heroes", "1,2", "--languages", "en", "--endpoints", "heroes,hero,stats"];
  return ["--upstream", sample.url, "--data", data, "--rate", "5000", "--allow-partial", ...slices];
};

describe("a reader that goes away", () => {
  test("does not end a night", async () => {
    using folder = temporaryFolder();
    const { child, ended } = startCommand("crawl", [...little(folder.path), "--json"]);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(folder.path, "latest.json"))).toBe(true);
  });
});

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
  const { code, stdout, events } = await runCommand("crawl", [...little(folder.path), "--no-json"]);
  expect([code, events]).toEqual([0, []]);
  expect(stdout).toMatch(/^crawl \d+% \d\/\d+ \| 0\/s \| 0 failed \| \d+ s left$/m);
  expect(stdout).toMatch(/^crawl 100% (\d+)\/\1 \| \d+\/s \| 0 failed \| 0 s left$/m);
  expect(stdout).toMatch(/│ stats +│ +12 │.*│ en +│/);
  expect(stdout).toMatch(/^published version \d/m);
});

describe("a log of nights, as cron keeps it", () => {
  /** The lines of stdout and stderr together. */
  async function logOf(words: string[], env: NodeJS.ProcessEnv = {}) {
    using folder = temporaryFolder();
    const log = openSync(join(folder.path, "log"), "w");
    const line = [...commandLine("crawl"), ...words];
    const child = spawn(process.execPath, line, { stdio: ["ignore", log, log], env: { ...process.env, ...env } });
    const [code] = await once(child, "close");
    const lines = readFileSync(join(folder.path, "log"), "utf8").trimEnd().split("\n");
    return { code, lines: lines.map((text) => JSON.parse(text) as { time: string; event: string }) };
  }

  test("has nothing but lines of JSON with their times, of which the first says what begins", async () => {
    using folder = temporaryFolder();
    const began = new Date().toISOString();
    const { code, lines } = await logOf(little(folder.path), { METASNAP_KEP: "3" });
    const times = lines.map(({ time }) => time);
    const all = [began, ...times, new Date().toISOString()];
    expect(all).toEqual(all.toSorted());
    const [begin, unknown] = lines;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const message = "METASNAP_KEP: is not a setting, and has no effect; did you mean METASNAP_KEEP?";
    expect([code, begin, unknown]).toEqual([
      0,
      {
        time,
        event: "begin",
        version: manifest.version,
        upstreams: [sample.url],
        data: folder.path,
        mode: "all",
        selection: { languages: ["en"], heroes: ["1", "2"], endpoints: ["heroes", "hero", "stats"] },
      },
      { time, event: "warning", message },
    ]);
    expect(lines.at(-1)?.event).toBe("published");
  });

  test("begins and ends with a line if it fails, and says a mistake in one", async () => {
    using folder = temporaryFolder();
    const away = ["--upstream", "http://127.0.0.1:9", "--data", folder.path, "--attempts", "1"];
    const { code, lines } = await logOf([...away, "--reuse"]);
    expect([code, lines]).toMatchObject([
      4,
      [
        { event: "begin", mode: "reuse", selection: "all" },
        { event: "fault" },
        { event: "failed", exit: 4, message: expect.stringMatching(/gave no hero list/), hint: expect.any(String) },
      ],
    ]);
    const [message, hint] = [/^option '--rate <n>' argument '0' is invalid\. It must be /, "--help lists the options"];
    const failed = { event: "failed", exit: 64, message: expect.stringMatching(message), hint };
    expect(await logOf([...away, "--rate", "0"])).toMatchObject({ code: 64, lines: [failed] });
  });
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
