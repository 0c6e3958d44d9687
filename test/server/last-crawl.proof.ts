import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { lockFolder } from "../../src/journal/lock.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { crawlOptions, LITTLE, RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const fileIn = (data: string) => join(data, "last-crawl.json");
const readLast = (data: string) => JSON.parse(readFileSync(fileIn(data), "utf8"));

const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", [...crawlOptions(upstream, data), ...LITTLE, ...RATES, "--allow-partial", ...more]);

/** The gauges of the last crawl that `/metrics` has, by the ends of their names. */
async function gaugesOf(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const gauges = [...text.matchAll(/^metasnap_last_crawl_(\w+) (.*)$/gm)];
  return Object.fromEntries(gauges.map(([, name, value]) => [name, Number(value)]));
}

describe("a crawl leaves in its folder when it ran and how it ended", () => {
  test("if it publishes, by the clock here and not by SOURCE_DATE_EPOCH", () => {
    const [first = ""] = fewNights.until;
    const { began_at, ended_at, ...last } = readLast(first);
    expect(last).toEqual({ exit_code: 0, version: pointerOf(first).version });
    expect(Date.parse(began_at)).toBeGreaterThan(Date.parse(pointerOf(first).started_at));
    expect([began_at, ended_at].toSorted()).toEqual([began_at, ended_at]);
    expect(Date.parse(ended_at)).toBeLessThanOrEqual(Date.now());
  });

  test("if nothing has changed", async () => {
    using folder = copyOfFirst(1);
    const sample = await startSample({ heroes: 3 });
    expect((await crawl(sample.url, folder.path)).code).toBe(2);
    await sample.close();
    expect(readLast(folder.path)).toMatchObject({ exit_code: 2, version: null });
  });

  test("if the upstream is away, also in a folder without a snapshot", async () => {
    using folder = temporaryFolder();
    await using away = await startServer((_, res) => void res.writeHead(404).end());
    const { code } = await crawl(away.url, folder.path, "--attempts", "1");
    expect(code).toBe(4);
    expect(readLast(folder.path)).toMatchObject({ exit_code: 4, version: null });
  });

  test("if it is told to stop, and nothing before that", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, ({ url }) => url?.includes("/rank") === true);
    const { child, ended } = startCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...RATES]);
    await expect.poll(() => upstream.asked.some((path) => path.includes("/rank"))).toBe(true);
    expect(existsSync(fileIn(folder.path))).toBe(false);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(130);
    expect(readLast(folder.path)).toMatchObject({ exit_code: 130, version: null });
  });

  test("but not if it has not begun", async () => {
    using folder = temporaryFolder();
    expect((await crawl("http://127.0.0.1:9", folder.path, "--rate", "x")).code).toBe(64);
    expect((await crawl("http://127.0.0.1:9", folder.path, "--without", "heroes")).code).toBe(64);
    using _ = lockFolder(folder.path);
    const { code, stderr } = await crawl("http://127.0.0.1:9", folder.path);
    expect([code, stderr]).toEqual([64, expect.stringContaining("working in this folder since ")]);
    expect(existsSync(fileIn(folder.path))).toBe(false);
  });

  test("and ends as it would if that cannot be written", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(fileIn(folder.path), "in the way"), { recursive: true });
    const sample = await startSample({ heroes: 3 });
    const { code, stderr } = await crawl(sample.url, folder.path);
    await sample.close();
    expect([code, stderr]).toEqual([0, ""]);
  });
});

test("what another command publishes and prunes leaves it as it is", async () => {
  using folder = copyOfFirst(1);
  const before = readFileSync(fileIn(folder.path), "utf8");
  writeFileSync(`${fileIn(folder.path)}.draft`, "{");
  rmSync(join(folder.path, "latest.json"));
  expect((await runCommand("build", ["--data", folder.path, "--keep", "1", "--allow-partial"])).code).toBe(0);
  expect(readFileSync(fileIn(folder.path), "utf8")).toBe(before);
  expect(existsSync(`${fileIn(folder.path)}.draft`)).toBe(false);
});

describe("/metrics", () => {
  test("tells how the crawl ended that was the last at the time of the scrape", async () => {
    using folder = copyOfFirst(1);
    await using served = await startServe(["--data", folder.path]);
    const { began_at, ended_at } = readLast(folder.path);
    expect(await gaugesOf(served.url)).toEqual({
      timestamp_seconds: Date.parse(ended_at) / 1000,
      duration_seconds: (Date.parse(ended_at) - Date.parse(began_at)) / 1000,
      exit_code: 0,
    });
    await using away = await startServer((_, res) => void res.writeHead(404).end());
    await crawl(away.url, folder.path, "--attempts", "1");
    expect(await gaugesOf(served.url)).toMatchObject({ exit_code: 4 });
    for (const path of ["/last-crawl.json", "/snapshots/last-crawl.json", "/snapshots/../last-crawl.json"])
      expect([path, (await fetch(served.url + path)).status]).toEqual([path, 404]);
  });

  const said = { began_at: "2026-09-21T02:17:00.000Z", ended_at: "2026-09-21T03:17:00.000Z", exit_code: 3 };
  const whole = { ...said, version: null };

  test("tells of no time below nothing if the clock was set back meanwhile", async () => {
    using folder = copyOfFirst(1);
    writeFileSync(fileIn(folder.path), JSON.stringify({ ...whole, ended_at: "2026-09-21T02:00:00.000Z" }));
    await using served = await startServe(["--data", folder.path]);
    expect(await gaugesOf(served.url)).toMatchObject({ duration_seconds: 0, exit_code: 3 });
  });

  test("tells nothing of a crawl if the file is damaged or of somebody else", async () => {
    using folder = copyOfFirst(1);
    const file = fileIn(folder.path);
    await using served = await startServe(["--data", folder.path]);
    const put = async (text: string) => {
      writeFileSync(file, text);
      return await gaugesOf(served.url);
    };
    expect(await put(JSON.stringify(whole))).toMatchObject({ duration_seconds: 3600, exit_code: 3 });
    for (const text of [
      "",
      "{",
      "null",
      JSON.stringify(said),
      JSON.stringify({ ...whole, exit_code: '3\nmetasnap_last_crawl_exit_code{x="y"} 0' }),
      JSON.stringify({ ...whole, exit_code: 1e300 }),
      JSON.stringify({ ...whole, ended_at: "tomorrow" }),
      JSON.stringify({ ...whole, version: "../latest" }),
      JSON.stringify(whole) + " ".repeat(4000),
      "[".repeat(2000),
    ])
      expect([text.slice(0, 200), await put(text)]).toEqual([text.slice(0, 200), {}]);
    const elsewhere = join(folder.path, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify(whole));
    for (const replace of [() => symlinkSync(elsewhere, file), () => mkdirSync(file), () => undefined]) {
      rmSync(file, { recursive: true, force: true });
      replace();
      expect(await gaugesOf(served.url)).toEqual({});
    }
  });
});
