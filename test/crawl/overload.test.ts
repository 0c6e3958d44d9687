import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failToCrawl } from "../helpers/crawl-here.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const WORDS = [...RATES, "--languages", "en", "--ranks", "all,glory", "--days", "7", "--allow-partial"];

/** What an upstream says that has too much to do. */
const LOADED: Record<string, (response: ServerResponse) => void> = {
  "rate-limited": (response) => response.writeHead(429, { "content-type": "application/json" }).end("{}"),
  unavailable: (response) => response.writeHead(503, { "content-type": "application/json" }).end("{}"),
  blocked: (response) => response.writeHead(405, { "content-type": "text/html" }).end("<html>no</html>"),
};

/** An upstream that gives `count` answers and no more, until it is told otherwise. */
async function startLoaded(reason: string, count: number) {
  const state = { left: count, asked: 0, url: "" };
  const upstream = await startUpstream(2, (_, response) => {
    state.asked += 1;
    state.left -= 1;
    if (state.left < 0) LOADED[reason]?.(response);
    return state.left < 0;
  });
  state.url = upstream.url;
  return Object.assign(state, { [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() });
}

/** A crawl that gives up as soon as the lowest pace gives nothing. One in flight, so that each answer lowers the pace. */
const crawlImpatiently = (words: string[]) => failToCrawl([...words, "--concurrency", "1"], { patienceMs: 0 });

/** What such a crawl says. */
function lineOf(reason: string, url: string, data: string): RegExp {
  const begin = `${url}: gave nothing for 0 s at the lowest pace (${reason}), with 2 of 3 slices in ${data}/journals/`;
  const end = "; nothing was published; run the same command again in a few hours to resume";
  return new RegExp(`^${RegExp.escape(begin)}[^ ;]+${RegExp.escape(end)}$`);
}

test.for(Object.keys(LOADED))("a crawl that the upstream has no time for ends with 3: %s", async (reason) => {
  using folder = temporaryFolder();
  await using upstream = await startLoaded(reason, 2);
  const words = [...crawlOptions(upstream.url, folder.path), ...WORDS, "--attempts", "100"];
  const line = expect.stringMatching(lineOf(reason, upstream.url, folder.path));
  expect(await crawlImpatiently(words)).toEqual([3, line]);
  expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
});

test("a crawl that never got anything ends with 4", async () => {
  using folder = temporaryFolder();
  await using upstream = await startLoaded("rate-limited", 0);
  const words = [...crawlOptions(upstream.url, folder.path), ...WORDS, "--attempts", "100"];
  const [code, line] = await crawlImpatiently(words);
  expect(code).toBe(4);
  expect(line).toContain("at the lowest pace (rate-limited), with 0 of 1 slices in ");
  // The rate is halved four times.
  expect(upstream.asked).toBe(4);
});

test("a night within a budget ends so, too, its requests count, and the same command goes on with it", async () => {
  using folder = temporaryFolder();
  await using upstream = await startLoaded("rate-limited", 2);
  const words = [...crawlOptions(upstream.url, folder.path), ...WORDS, "--budget", "50"];
  expect((await crawlImpatiently([...words, "--attempts", "100"]))[0]).toBe(3);
  const counts = queryFile<{ requests: number }>(join(folder.path, "requests.sqlite"), "SELECT requests FROM day");
  const NOTICES = 3;
  expect(new Set(counts.map(({ requests }) => requests))).toEqual(new Set([upstream.asked + NOTICES]));
  upstream.left = 1000;
  upstream.asked = 0;
  expect(await runCommand("crawl", words)).toMatchObject({ code: 0, stderr: "" });
  // What was missing, and the look at the list of heroes at the end.
  expect(upstream.asked).toBe(2);
  expect(pointerOf(folder.path).counts?.heroes).toBe(2);
});

test.for(["nightly.sh", "every-night.sh"])("%s pauses for hours before it asks again", async (script) => {
  using folder = temporaryFolder();
  const [bin, pauses, waits] = ["bin", "pauses", "waits"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  // A crawl that ends with 3; `sleep` of hours is over at once, and another waits.
  const programs = {
    metasnap: "exit 3",
    sleep: `case $1 in *h) echo "$1" >>'${pauses}' ;; *) touch '${waits}'; exec /bin/sleep "$1" ;; esac`,
  };
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const path = join(import.meta.dirname, "..", "..", "scripts", "deploy", script);
  const words = script === "nightly.sh" ? [join(folder.path, "crawl.log")] : ["00:00", "metasnap"];
  const env = { PATH: `${bin}:${process.env.PATH}`, METASNAP_DATA: folder.path };
  const child = spawn(path, words, { env, cwd: folder.path, stdio: "ignore" });
  const ended = once(child, "close");
  // One ends by itself, the other waits for the next night.
  await expect.poll(() => child.exitCode !== null || existsSync(waits)).toBe(true);
  expect(readFileSync(pauses, "utf8")).toBe("2h\n2h\n4h\n");
  child.kill("SIGTERM");
  await ended;
});
