import { existsSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const FAST = ["--rate", "5000", "--languages", "en", "--ranks", "all", "--days", "7"];
/** Less than any of the waits below. */
const SOON = { timeout: 90_000 };

const snapshots = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

/** What keeps a crawl waiting, after a few answers. */
const WAITING: [name: string, wait: (res: ServerResponse) => void][] = [
  ["an answer is awaited", () => undefined],
  ["an answer drips", (res) => void res.writeHead(200, { "content-type": "application/json" }).write("{")],
  ["the upstream asks for a pause", (res) => void res.writeHead(429, { "retry-after": "100" }).end("{}")],
  ["the circuit is open", (res) => void res.writeHead(503).end("{}")],
];

async function until(reached: () => boolean) {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe(`a crawl that is told to stop (${drawn})`, () => {
  drawTests(2);

  const draw = createDraw("stop");
  for (const [name, wait] of WAITING) {
    test.for(draw.some(["SIGINT", "SIGTERM"] as const, 1))(
      `while ${name} ends at %s before the wait is over, with one line`,
      SOON,
      async (signal) => {
        using folder = temporaryFolder();
        let held = 0;
        await using upstream = await startUpstream(2, (req, res) => {
          if (!req.url?.includes("/stats")) return false;
          held += 1;
          wait(res);
          return true;
        });
        const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, "--timeout", "60"];
        const { child, ended } = startCommand("crawl", [...options, "--endpoints", "stats,relations"]);
        await until(() => held > 0);
        child.kill(signal);
        const { code, stderr } = await ended;
        expect([code, stderr]).toEqual([
          130,
          expect.stringMatching(
            /^interrupted with \d+ of \d+ slices in \S+; run the same command again to continue\n$/,
          ),
        ]);
      },
    );
  }

  test("while it plans ends with 130 and one line", async () => {
    await using upstream = await startUpstream(2, () => true);
    const { child, ended } = startCommand("crawl", ["--upstream", upstream.url, "--plan"]);
    await until(() => upstream.asked.length > 0);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, "interrupted before the plan was made; run the same command again\n"]);
  });

  test("while it builds leaves nothing behind, and the next run asks nothing again", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2);
    const options = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000", ...LITTLE];
    const { child, ended } = startCommand("crawl", options);
    await until(() => snapshots(folder.path).length > 0);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(
        /^interrupted while building from \S+; nothing was published; run the same command again to continue\n$/,
      ),
    ]);
    expect([snapshots(folder.path), existsSync(join(folder.path, "latest.json"))]).toEqual([[], false]);
    upstream.asked.length = 0;
    const again = await runCommand("crawl", options);
    expect(again.code).toBe(0);
    expect(upstream.asked).toEqual([]);
    const built = startCommand("build", ["--data", folder.path]);
    await until(() => snapshots(folder.path).some((file) => file.startsWith(".next")));
    built.child.kill("SIGTERM");
    expect((await built.ended).code).toBe(130);
    expect(snapshots(folder.path).filter((file) => file.startsWith(".next"))).toEqual([]);
    expect((await runCommand("build", ["--data", folder.path])).code).toBe(0);
  });

  test("twice ends at once", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, (req) => req.url?.includes("/stats") === true);
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, "--endpoints", "stats"];
    const { child, ended } = startCommand("crawl", options);
    await until(() => upstream.asked.some((path) => path.includes("/stats")));
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill("SIGTERM");
    expect((await ended).signal).toBe("SIGTERM");
  });

  test("by --max-time ends with 3 and is continued by the next run", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(4);
    const options = ["--upstream", upstream.url, "--data", folder.path, "--languages", "en", "--endpoints", "trends"];
    const cut = await runCommand("crawl", [...options, "--rate", "8", "--max-time", "3s"]);
    expect([cut.code, cut.stderr]).toEqual([
      3,
      expect.stringMatching(
        /^the time of --max-time is over with \d+ of \d+ slices in \S+; run the same command again to continue\n$/,
      ),
    ]);
    expect(snapshots(folder.path)).toEqual([]);
    const before = upstream.asked.length;
    expect(before).toBeGreaterThan(0);
    expect((await runCommand("crawl", [...options, "--rate", "5000", "--max-time", "10m"])).code).toBe(0);
    expect(new Set(upstream.asked).size).toBe(upstream.asked.length);
    const wrong = await runCommand("crawl", [...options, "--max-time", "10"]);
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      64,
      expect.stringMatching(/must be a number with s, m or h/),
    ]);
  });
});
