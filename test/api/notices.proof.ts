import type { RequestListener } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { send, startAround } from "../helpers/upstream/around.ts";

const sample = await startSample({ heroes: 1 });
afterAll(sample.close);

const FEW = [...LITTLE, "--endpoints", "relations", "--attempts", "1"];

/** The sample, but for what it says of itself. */
const startSaying = (robots: RequestListener, api: RequestListener) =>
  startAround(sample.url, { "/robots.txt": robots, "/api": api });

const told = ({ events }: Ended) => events.filter(({ event }) => event === "upstream");

const OPEN = send("User-agent: *\nAllow: /\n");
const SILENT = send({ code: 0 });

async function crawlAround(robots: RequestListener, api: RequestListener, ...more: string[]) {
  using folder = temporaryFolder();
  await using upstream = await startSaying(robots, api);
  const ended = await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, ...more]);
  return { ...ended, url: upstream.url, seen: upstream.seen };
}

describe("before its first question a crawl reads", () => {
  const notices: [robots: RequestListener, rule: string, api: RequestListener, state: string][] = [
    [
      send("User-agent: *\nAllow: /\nAllow: /api/docs\nDisallow: /api/\n"),
      "disallows /api/ for all crawlers: ask whoever runs it",
      send({ meta: { support: { status: "available" }, base_url: "https://other.example/api/" } }),
      "available, names another base address, https://other.example",
    ],
    [
      send("User-agent: *\nDisallow:\n\nUser-agent: MetaSnap\nDisallow: /\n"),
      "disallows /api/ for metasnap: ask whoever runs it",
      send({ meta: { support: { status: "maintenance" } } }),
      "in maintenance",
    ],
    [
      send("User-agent: metasnap\nAllow: /api/\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /\n"),
      "allows /api/, asks for 2 seconds between requests",
      send({ message: "too many", details: { alternative_endpoint: "https://u:p@b.example?x=1" } }, 503),
      "status 503, too many, names another host, https://b.example",
    ],
    [
      send("not found", 404),
      "none (status 404)",
      send({ meta: { support: { status: `\u001b[2J${"x".repeat(99)}` } } }),
      `says that it is \u001b[2J${"x".repeat(36)}`,
    ],
    [
      (_, res) => void res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>\nUser-agent: *\n"),
      "none (a page)",
      SILENT,
      "answers",
    ],
    [send("\n<html>"), "none (a page)", SILENT, "answers"],
    [send("oops", 500), "status 500", send("<html>"), "no list of endpoints"],
    [
      send(`User-agent: *\n${"#".repeat(300_000)}\nDisallow: /\n`),
      "allows /api/",
      send("[".repeat(300_000)),
      "no list of endpoints",
    ],
    [(_, res) => void res.destroy(), "no answer (unreachable)", send({ meta: [], details: 1, message: {} }), "answers"],
    [() => {}, "no answer (timeout)", send({ meta: { base_url: `http://x${"/".repeat(200_000)}x` } }), "answers"],
    [
      OPEN,
      "allows /api/",
      (_, res) => void res.setHeader("x-sample-data", "made-up").end("{}"),
      "its numbers are made up",
    ],
  ];
  test.for(notices)("what /robots.txt says of crawlers, and /api of the service: $1; $3", async (notice) => {
    const [robots, rule, api, state] = notice;
    const ended = await crawlAround(robots, api, "--timeout", "1");
    expect([ended.code, ended.stderr, told(ended)]).toEqual([
      0,
      "",
      [{ event: "upstream", host: ended.url, robots: rule, api: state }],
    ]);
    expect(ended.stdout).not.toContain("\u001b");
  });

  test("both once, and says it to people in one line", async () => {
    using folder = temporaryFolder();
    await using upstream = await startSaying(
      send("User-agent: *\nDisallow: /api/\n"),
      send({ meta: { base_url: `http://x/api` } }),
    );
    const ended = await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, "--no-json"]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(
      new RegExp(
        `^upstream host ${upstream.url}, robots disallows /api/ for all crawlers: ask whoever runs it, api names another base address, http://x$`,
        "m",
      ),
    );
    const paths = upstream.seen.map(({ url }) => url);
    expect(paths.slice(0, 3).sort()).toEqual(["/api", "/api/openapi.json", "/robots.txt"]);
    expect(paths.filter((path) => !path.startsWith("/api/"))).toHaveLength(2);
  });

  test("nothing for a plan, and says nothing of one that does not answer", async () => {
    const plan = await crawlAround(OPEN, SILENT, "--plan");
    expect(plan.seen.map(({ url }) => url).filter((url) => !url.startsWith("/api/"))).toEqual([]);
    using folder = temporaryFolder();
    const silent = await runCommand("crawl", [...crawlOptions("http://127.0.0.1:9", folder.path), ...FEW]);
    expect([silent.code, told(silent)]).toEqual([4, []]);
  });
});
