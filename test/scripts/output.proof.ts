import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { publishDays } from "../helpers/mirror.ts";
import { crawlOptions, RATES, startCommand, temporaryFolder } from "../helpers/run.ts";

test.for([
  ["words", "--no-json"],
  ["JSON", "--json"],
] as const)("a reader that goes away does not end a night that is told in %s", async ([, how]) => {
  using folder = temporaryFolder();
  await using sample = await startSample({ heroes: 2 });
  const words = [...crawlOptions(sample.url, folder.path), ...RATES, "--allow-partial", how];
  const { child, ended } = startCommand("crawl", words);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(folder.path, "latest.json"))).toBe(true);
});

test("a reader that goes away does not end a server that has something to tell", async () => {
  using folder = temporaryFolder();
  const [older = "", newer = ""] = await publishDays(folder.path, [0, 1], "--endpoints", "heroes,stats");
  rollback(folder.path, older);
  const { child, ended } = startCommand("serve", ["--data", folder.path, "--port", "0"]);
  const [greeting] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = / on (http:\S+),/.exec(String(greeting))?.[1];
  child.stdout?.destroy();
  const served = async () => {
    const { headers, body } = await request(`${url}/api/heroes/1/stats`);
    await body.dump();
    return headers["x-snapshot-version"];
  };
  for (const version of [newer, older]) {
    rollback(folder.path, version);
    await expect.poll(served).toBe(version);
  }
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

describe("a log of nights, as cron keeps it", () => {
  const SLICES = ["--heroes", "1,2", "--languages", "en", "--endpoints", "heroes,hero,stats"];

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
    await using sample = await startSample();
    const began = new Date().toISOString();
    const where = [...crawlOptions(sample.url, folder.path), "--rate", "5000", "--allow-partial"];
    const { code, lines } = await logOf([...where, ...SLICES], { METASNAP_KEP: "3" });
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
