import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { RANK_CODES } from "../../src/api/enumerations.ts";
import { readAnnounced } from "../../src/crawl/announced.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import {
  announcedIn,
  crawlWithDocument,
  DEPRECATED,
  DOCUMENT,
  FEW,
  RATINGS,
  startWith,
  toldOfDocument,
  withPaths,
} from "../helpers/announced.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { send } from "../helpers/upstream/around.ts";

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
    const night = await crawlWithDocument(send(withPaths(paths)));
    const deprecated = ["roles", "ratings", "rating"];
    expect([night.told, night.announced]).toEqual([[{ event: "deprecated", datasets: deprecated }], { deprecated }]);
  });

  test("of the sample none is, and nothing is said", async () => {
    using folder = temporaryFolder();
    await using sample = await startSample({ heroes: 1 });
    const ended = await runCommand("crawl", [...crawlOptions(sample.url, folder.path), ...FEW]);
    expect([ended.code, toldOfDocument(ended), announcedIn(folder.path)]).toEqual([0, [], { deprecated: [] }]);
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
    const night = await crawlWithDocument(send(document));
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

describe("a document", () => {
  const unread: [what: string, document: RequestListener][] = [
    ["that is not there", send(withPaths(RATINGS), 404)],
    ["without paths", send({ code: 10407, message: "closed" })],
    ["that breaks off", (_, res) => void res.destroy()],
  ];
  test.for(unread)("%s counts as unread, and as no fault", async ([, document]) => {
    const night = await crawlWithDocument(document, "--timeout", "1");
    expect([night.told, night.announced]).toEqual([[], undefined]);
  });
});

test.for([
  [2, []],
  [3, ["/robots.txt", "/api", DOCUMENT]],
] as const)(
  "the document is not asked for on a day that has too few requests left, as each counts (%i: %j)",
  async ([left, notices]) => {
    using folder = temporaryFolder();
    await using upstream = await startWith({});
    const budget = openBudget(folder.path, 60, Date.now);
    while (budget.left() > left) budget.spend();
    budget.close();
    await runCommand("crawl", [...crawlOptions(upstream.url, folder.path), ...FEW, "--budget", "60"]);
    const asked = upstream.seen.map(({ url }) => url);
    expect(asked).toHaveLength(left);
    expect(asked.filter((path) => !path.startsWith("/api/heroes")).sort()).toEqual([...notices].sort());
  },
);
