import { copyFileSync, existsSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { signalledAt, stopWhileWaiting } from "../helpers/stopped.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

/** What keeps a crawl waiting, after a few answers; `stop.test.ts` has one more. */
const WAITING: [name: string, signal: NodeJS.Signals, wait: (res: ServerResponse) => void][] = [
  ["an answer drips", "SIGTERM", (res) => void res.writeHead(200, { "content-type": "application/json" }).write("{")],
  ["the upstream asks for a pause", "SIGINT", (res) => void res.writeHead(429, { "retry-after": "100" }).end("{}")],
  ["the circuit is open", "SIGTERM", (res) => void res.writeHead(503).end("{}")],
];

test.for(WAITING)(
  "a crawl that is told to stop while %s ends at %s before the wait is over, with one line",
  ([, signal, wait]) => stopWhileWaiting(signal, wait),
);

const snapshots = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

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

test("a crawl that is told to stop while it builds leaves nothing behind, and the next run asks nothing again", async () => {
  using folder = temporaryFolder();
  await using upstream = await startUpstream(2);
  const options = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000", ...LITTLE];
  const { code, stderr } = await startCommand("crawl", options, signalledAt("verifying", "SIGINT")).ended;
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
