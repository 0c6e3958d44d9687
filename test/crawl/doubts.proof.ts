import { expect, test } from "vitest";
import { pointerOf } from "../helpers/data-folder.ts";
import { countAgain, crawlOn, PART } from "../helpers/doubted.ts";
import { startCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

test("a crawl that is killed while it looks again goes on to the same bytes, and looks no more often", async () => {
  using whole = temporaryFolder();
  using killed = temporaryFolder();
  let running: ReturnType<typeof startCommand> | undefined;
  let next = 0;
  const kill = () => {
    if (running && upstream.asked.length === next) running.child.kill("SIGKILL");
    return false;
  };
  await using upstream = await startUpstream(4, kill, (path, body) => {
    if (path.startsWith("/api/heroes/rank?")) return body.replace('"main_heroid":4', '"main_heroid":999');
    return path.startsWith("/api/heroes/2/stats")
      ? body.replaceAll(/"_updatedAt":\d+/g, '"_updatedAt":4000000000000')
      : body;
  });
  const words = ["--endpoints", "rank,stats,counters", "--languages", "en,de", "--concurrency", "1"];
  const date = "2026-09-21T14:00:00Z";
  const again = () => countAgain(upstream.asked, /rank\?|stats/);
  expect((await crawlOn(date, upstream.url, whole.path, ...words)).code).toBe(0);
  const [requests, looks] = [upstream.asked.length, again()];
  expect(looks).toBeGreaterThan(5);
  upstream.asked.length = 0;
  const KILLS = [requests - 14, requests - 9, requests - 4];
  for (const at of KILLS) {
    next = at;
    const line = ["--upstream", upstream.url, "--data", killed.path, "--rate", "5000", ...PART, ...words];
    running = startCommand("crawl", line, { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1000) });
    expect((await running.ended).signal).toBe("SIGKILL");
  }
  running = undefined;
  expect((await crawlOn(date, upstream.url, killed.path, ...words)).code).toBe(0);
  expect(pointerOf(killed.path)).toEqual(pointerOf(whole.path));
  // Of a run that is killed, what was under way is asked for again.
  expect(again()).toBeLessThanOrEqual(looks + 2 * KILLS.length);
});
