/** What the upstream announces in its OpenAPI document: it is read once a journal, and whatever it is ends no night. */
import { readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { RANK_CODES } from "../../src/api/enumerations.ts";
import { readAnnounced } from "../../src/crawl/announced.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import { startSample } from "../../src/sample/service/server.ts";
import { manifestOf } from "../helpers/data-folder.ts";
import { createDraw } from "../helpers/draw.ts";
import { crawlOptions, type Ended, LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { send, startAround } from "../helpers/upstream/around.ts";

const sample = await startSample({ heroes: 1 });
afterAll(sample.close);

const DOCUMENT = "/api/openapi.json";
const FEW = [...LITTLE, "--endpoints", "relations", "--allow-partial"];

/** What the newest journal remembers of it. */
function announcedIn(data: string): unknown {
  const folder = join(data, "journals");
  const journals = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  const [row] = queryFile<{ json: string }>(
    join(folder, journals.sort().at(-1) ?? ""),
    "SELECT json FROM state WHERE name = 'announced'",
  );
  return row && JSON.parse(row.json);
}

const told = ({ events }: Ended) => events.filter(({ event }) => event === "deprecated" || event === "enumerations");

/** A night of an upstream with this document. */
async function crawlAround(document: RequestListener, ...more: string[]) {
  using folder = temporaryFolder();
  await using upstream = await startAround(sample.url, { [DOCUMENT]: document });
  const ended = await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, ...more]);
  expect([ended.code, ended.stderr, manifestOf(folder.path).crawl.failed_attempts]).toEqual([0, "", 0]);
  return { ...ended, told: told(ended), announced: announcedIn(folder.path) };
}

const withPaths = (paths: object, components: object = {}) => ({ openapi: "3.1.0", paths, components });
const DEPRECATED = { get: { deprecated: true } };
const RATINGS = { "/api/academy/heroes/ratings": DEPRECATED };
const TOLD = [{ event: "deprecated", datasets: ["ratings"] }];

describe("an endpoint is deprecated", () => {
  test("if its path is, whatever the parameter in it is called, with a slash at the end or without", () => {
    const renamed = ENDPOINTS.map(({ path }) => path.replace(/\{\w+\}/, "{id}"));
    for (const end of ["", "/"]) {
      const paths = Object.fromEntries(renamed.toReversed().map((path) => [path + end, DEPRECATED]));
      expect(readAnnounced(withPaths(paths))?.deprecated).toEqual(ENDPOINTS.map(({ dataset }) => dataset));
    }
  });

  test("and not if another method or another path is, or what marks it is no `true`", () => {
    const announced = readAnnounced(
      withPaths({
        "/api/heroes": { get: { deprecated: "true" } },
        "/api/heroes/rank": { deprecated: true, post: { deprecated: true } },
        "/api/heroes/{hero_identifier}": { get: { deprecated: false } },
        "/api/heroes/{hero_identifier}/wallpapers": DEPRECATED,
        "/api/academy/heroes/{id}/ratings": DEPRECATED,
      }),
    );
    expect(announced?.deprecated).toEqual([]);
  });

  test("is said in one line, and kept in the journal", async () => {
    const paths = { ...RATINGS, "/api/academy/heroes/ratings/{id}": DEPRECATED, "/api/academy/roles/": DEPRECATED };
    const night = await crawlAround(send(withPaths(paths)));
    const deprecated = ["roles", "ratings", "rating"];
    expect([night.told, night.announced]).toEqual([[{ event: "deprecated", datasets: deprecated }], { deprecated }]);
  });

  test("of the sample none is, and nothing is said", async () => {
    using folder = temporaryFolder();
    const ended = await runCommand("crawl", [...crawlOptions(sample.url, folder.path), ...FEW]);
    expect([ended.code, told(ended), announcedIn(folder.path)]).toEqual([0, [], { deprecated: [] }]);
  });
});

describe("values of parameters that only one side knows", () => {
  const STATS = "/api/heroes/{hero_identifier}/stats";
  const query = (name: string, schema: unknown) => ({ name, in: "query", schema });
  const ofStats = (parameter: object, components?: object) =>
    withPaths({ [STATS]: { get: { parameters: [parameter] } } }, components);

  test("are said in one line, with the number of endpoints, and never in more than a line", async () => {
    const immortal = query("rank", { enum: [...RANK_CODES, "immortal"] });
    const days = query("days", { enum: [1, 3, 7, 60] });
    const positions = ["role", "lane"].map((name) => query(name, { items: { enum: ["tank", "\u001b[2J"] } }));
    const document = withPaths({
      "/api/heroes/positions": { get: { parameters: positions } },
      [STATS]: { get: { parameters: [immortal] } },
      "/api/heroes/{id}/counters": { get: { parameters: [days] }, parameters: [immortal] },
      "/api/academy/roles": { get: { parameters: [query("order", { enum: ["up"] })] } },
    });
    const night = await crawlAround(send(document));
    expect(night.told).toEqual([
      {
        event: "enumerations",
        only_there:
          "role \u001b[2J in 1 endpoint, lane tank in 1 endpoint, lane \u001b[2J in 1 endpoint, rank immortal in 2 endpoints, days 60 in 1 endpoint",
        only_here: expect.stringMatching(/^role fighter in 1 endpoint, .*lane gold in 1 endpoint, days 15 .*…$/),
      },
    ]);
    expect(night.stdout).not.toContain("\u001b");
  });

  const OTHERS = RANK_CODES.slice(1).map((rank) => `rank ${rank} in 1 endpoint`);
  const schemas: [form: string, schema: object][] = [
    ["as it is", { enum: ["new", "all"] }],
    ["with numbers and what is no word", { enum: [0, "new", null, "", ["all"], { all: 1 }, true, "all"] }],
    ["of a list", { items: { enum: ["new", "all"] } }],
    [
      "in one of several forms",
      { anyOf: [{ type: "null" }, { oneOf: [{ const: "new" }] }, { allOf: [{ const: "all" }] }] },
    ],
    ["that refers to itself", { enum: ["all"], anyOf: [{ $ref: "#/components/schemas/Rank" }, { enum: ["new"] }] }],
  ];
  test.for(schemas)("are read from a schema %s", ([, schema]) => {
    const referring = ofStats(query("rank", { $ref: "#/components/schemas/Rank" }), { schemas: { Rank: schema } });
    for (const document of [ofStats(query("rank", schema), { schemas: { Rank: schema } }), referring]) {
      const { onlyThere, onlyHere } = readAnnounced(document) ?? {};
      expect(onlyThere?.replace("rank 0 in 1 endpoint, ", "")).toBe("rank new in 1 endpoint");
      expect(onlyHere).toBe(OTHERS.join(", "));
    }
  });

  test("are read from a parameter that is referred to", () => {
    const parameters = { R: query("rank", { enum: ["all"] }) };
    expect(readAnnounced(ofStats({ $ref: "#/components/parameters/R" }, { parameters }))?.onlyHere).toBe(
      OTHERS.join(", "),
    );
  });

  const silent: [what: string, parameter: object, components?: object][] = [
    ["states no values", query("rank", { type: "string" })],
    ["has no schema", { name: "rank", in: "query" }],
    ["stands elsewhere", { ...query("rank", { enum: ["new"] }), in: "header" }],
    ["is not ours", query("season", { enum: ["new"] })],
    ["refers to nothing", query("rank", { $ref: "#/components/schemas/__proto__" })],
    ["refers to another file", query("rank", { $ref: "https://other.example/#/components/schemas/Rank" })],
    ["has more values than any", query("rank", { enum: Array.from({ length: 200_000 }, (_, at) => `r${at}`) })],
    [
      "has more parts than any",
      query("rank", { $ref: "#/components/schemas/0" }),
      {
        schemas: Object.fromEntries(
          Array.from({ length: 5000 }, (_, at) => [
            at,
            { enum: ["new"], items: { $ref: `#/components/schemas/${at + 1}` } },
          ]),
        ),
      },
    ],
  ];
  test.for(silent)("are none if the parameter %s", ([, parameter, components]) => {
    expect(readAnnounced(ofStats(parameter, components))).toEqual({ deprecated: [], onlyThere: "", onlyHere: "" });
  });
});

const draw = createDraw("announced");

describe("a document", () => {
  const large = (size: number) => JSON.stringify(withPaths(RATINGS)).padEnd(size);
  const unread: [what: string, document: RequestListener][] = [
    ["that is a page", send("<!doctype html><title>Docs</title>")],
    ["that is not there", send(withPaths(RATINGS), 404)],
    ["of a host that fails", send(withPaths(RATINGS), 500)],
    ["elsewhere", (_, res) => void res.writeHead(307, { location: "/other.json" }).end()],
    ["cut short", send(JSON.stringify(withPaths(RATINGS)).slice(0, -1))],
    ["that is no object", send([withPaths(RATINGS)])],
    ["without paths", send({ code: 10407, message: "closed" })],
    ["with paths that are none", send(withPaths([RATINGS]))],
    ["of more than 2 MB", send(large(2 * 1024 * 1024 + 1))],
    ["of endless brackets", send("[".repeat(2 * 1024 * 1024))],
    ["that breaks off", (_, res) => void res.destroy()],
    ["that never comes", () => {}],
    ["that never ends", (_, res) => void setInterval(() => res.write("{"), 100).unref()],
  ];
  test.for(draw.some(unread, 3))("%s counts as unread, and as no fault", async ([, document]) => {
    const night = await crawlAround(document, "--timeout", "1");
    expect([night.told, night.announced]).toEqual([[], undefined]);
  });

  const nested = (depth: number) => `${'{"items":'.repeat(depth)}1${"}".repeat(depth)}`;
  const hostile: [what: string, text: string][] = [
    ["of 2 MB", large(2 * 1024 * 1024)],
    [
      "with a hundred thousand paths",
      JSON.stringify(
        withPaths({ ...RATINGS, ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`/api/${at}`, 0])) }),
      ),
    ],
    [
      "with deep parts",
      `{"paths":{"/api/academy/heroes/ratings":{"get":{"deprecated":true,"parameters":[{"name":"lang","in":"query","schema":${nested(100_000)}}]}}}}`,
    ],
    [
      "with long paths",
      JSON.stringify(
        withPaths({
          ...RATINGS,
          [`${"/".repeat(500_000)}x`]: {},
          ["{".repeat(500_000)]: {},
          ["{x".repeat(500_000)]: {},
        }),
      ),
    ],
    [
      "with names of its own",
      `{"__proto__":{"paths":1},"paths":{"__proto__":{"get":{"deprecated":true}},"constructor":1,"/api/academy/heroes/ratings":{"get":{"deprecated":true,"parameters":{"__proto__":[]}}}},"components":{"schemas":{"__proto__":{"enum":["x"]}},"parameters":[]}}`,
    ],
  ];
  test.for(draw.some(hostile, 2))("%s is read all the same", async ([, text]) => {
    const began = performance.now();
    expect((await crawlAround(send(text))).told).toEqual(TOLD);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe("the document is asked for", () => {
  const NOTICES = ["/robots.txt", "/api", DOCUMENT];

  test("with each run until it was read, then no more until the next journal", async () => {
    using folder = temporaryFolder();
    const QUESTION = "/api/heroes/1/relations?size=200&index=1&lang=en";
    let kill = () => {};
    const answers: Record<string, RequestListener> = { [DOCUMENT]: send({}, 500), [QUESTION]: () => kill() };
    await using upstream = await startAround(sample.url, answers);
    const words = [...crawlOptions(upstream.url, folder.path), ...LITTLE, "--endpoints", "relations"];
    const asked = () => NOTICES.map((path) => upstream.seen.filter(({ url }) => url === path).length);
    const killed = startCommand("crawl", words);
    kill = () => void killed.child.kill("SIGKILL");
    expect([(await killed.ended).signal, asked()]).toEqual(["SIGKILL", [1, 1, 1]]);
    answers[DOCUMENT] = send(withPaths(RATINGS));
    const again = startCommand("crawl", words);
    kill = () => void again.child.kill("SIGKILL");
    const ended = await again.ended;
    expect([ended.signal, told(ended), asked()]).toEqual(["SIGKILL", TOLD, [2, 2, 2]]);
    delete answers[QUESTION];
    const last = await runCommand("crawl", words);
    expect([last.code, told(last), asked()]).toEqual([0, [], [3, 3, 2]]);
    expect(announcedIn(folder.path)).toEqual({ deprecated: ["ratings"] });
    const next = await runCommand("crawl", words);
    expect([told(next), asked()]).toEqual([TOLD, [4, 4, 3]]);
  });

  test.for([
    [2, []],
    [3, NOTICES],
  ] as const)("not on a day that has too few requests left, as each counts (%i: %j)", async ([left, notices]) => {
    using folder = temporaryFolder();
    await using upstream = await startAround(sample.url, {});
    const budget = openBudget(folder.path, 60, Date.now);
    while (budget.left() > left) budget.spend();
    budget.close();
    await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, "--budget", "60"]);
    const asked = upstream.seen.map(({ url }) => url);
    expect(asked).toHaveLength(left);
    expect(asked.filter((path) => !path.startsWith("/api/heroes")).sort()).toEqual([...notices].sort());
  });
});
