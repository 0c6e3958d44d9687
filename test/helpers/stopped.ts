import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { startCommand, temporaryFolder } from "./run.ts";
import { startUpstream } from "./upstream/upstream.ts";

export const FAST = ["--rate", "5000", "--languages", "en", "--ranks", "all", "--days", "7"];
export const STATS = ["--endpoints", "stats,relations"];

/** The environment of a command that gets a signal as it logs an event, and another one once it has heard that one. */
export const signalledAt = (event: string, first: NodeJS.Signals = "SIGKILL", second?: NodeJS.Signals) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "killed", "at-event.ts")}`,
  KILL_AT: event,
  KILL_WITH: first,
  ...(second && { KILL_THEN: second }),
});

/** A crawl that waits for some answers gets a signal: it ends long before they would come, and says in one line how to go on. */
export async function stopWhileWaiting(signal: NodeJS.Signals, wait: (res: ServerResponse) => void) {
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
  const told = performance.now();
  child.kill(signal);
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/^interrupted with \d+ of \d+ slices in \S+; run the same command again to resume\n$/),
  ]);
  expect(performance.now() - told).toBeLessThan(90_000);
}
