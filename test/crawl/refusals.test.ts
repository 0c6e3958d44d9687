import { createReadStream, existsSync, readdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { clockOf, type Slice } from "../helpers/autumn/game.ts";
import type { Form, Refusal } from "../helpers/autumn/refusals.ts";
import { startAutumn } from "../helpers/autumn/upstream.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { createDraw, drawn } from "../helpers/draw.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

const draw = createDraw("refusals");

const LITTLE = ["--languages", "en,ja,km", "--ranks", "all,glory", "--days", "1,7", "--attempts", "3"];
const FEW = ["--endpoints", "heroes,rank,relations,stats,trends,ratings,rating,versions"];

/** Nights over an upstream that refuses what a test says. */
async function startNights(words: readonly string[] = FEW) {
  const folder = temporaryFolder();
  const autumn = await startAutumn();
  return {
    autumn,
    data: folder.path,
    refuse(match: Refusal["match"], form: Form, more: Partial<Refusal> = {}) {
      autumn.knobs.refusals = [{ match, form, ...more }];
    },
    open() {
      autumn.knobs.refusals = [];
    },
    async crawl(day: number, more: readonly string[] = []) {
      autumn.begin(day);
      const options = [
        ...crawlOptions(autumn.url, folder.path),
        ...LITTLE,
        ...words,
        "--allow-partial",
        "--json",
        ...more,
      ];
      beginDay(folder.path, clockOf(day));
      const ended = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: clockOf(day) });
      const groups = ended.events.filter(({ event }) => event === "refused").map(({ group }) => String(group));
      return { ...ended, groups };
    },
    latest: () => fileOf(folder.path, pointerOf(folder.path).version),
    holes: () =>
      queryFile<{ reason: string; slices: number }>(
        fileOf(folder.path, pointerOf(folder.path).version),
        "SELECT reason, count(*) AS slices FROM coverage WHERE status = 'failed' GROUP BY reason ORDER BY reason",
      ),
    async [Symbol.asyncDispose]() {
      await autumn[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** For what no number of attempts changes. */
const QUICK = ["--attempts", "1"];

const VOTES = { dataset: ["ratings", "rating"] };

describe("an upstream that has closed the votes", () => {
  const commands: [command: string, words: string[], codes: number[]][] = [
    ["crawl", [], [7, 0]],
    ["crawl --budget", ["--budget", "200"], [7, 0]],
    ["crawl --reuse", ["--reuse"], [7, 0]],
    ["crawl --without", ["--without", "ratings,rating"], [0, 0]],
  ];

  test.for(commands)("costs no night of %s", async ([, words, codes]) => {
    for (const hasVotes of [false, true]) {
      await using nights = await startNights();
      if (hasVotes) expect((await nights.crawl(1)).code).toBe(0);
      nights.refuse(VOTES, "code");
      const ended: (number | null)[] = [];
      for (const day of [2, 3]) {
        const { code, stderr } = await nights.crawl(day, words);
        expect(stderr).toBe("");
        ended.push(code);
      }
      expect(ended).toEqual(codes);
      const asked = nights.autumn.count(VOTES);
      expect(asked).toBeLessThanOrEqual(codes[0] === 7 ? 12 : 0);
      const reasons = queryFile<{ status: string; asked: string | null }>(
        nights.latest(),
        "SELECT DISTINCT status, date(asked_at) AS asked FROM coverage WHERE dataset IN ('ratings', 'rating')",
      );
      expect(reasons).toEqual([
        hasVotes ? { status: "captured", asked: "2026-10-01" } : { status: "failed", asked: null },
      ]);
    }
  });

  test("is not published again while nothing changes, and says so at its end", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(VOTES, "code");
    expect((await nights.crawl(2)).code).toBe(7);
    const again = await nights.crawl(2, ["--fresh"]);
    expect([again.code, again.groups]).toEqual([2, ["rating, ratings: 200, code 10407"]]);
    expect(
      queryFile(
        nights.latest(),
        "SELECT dataset, state, date(since) AS since FROM endpoint_state WHERE state <> 'open'",
      ),
    ).toEqual([
      { dataset: "rating", state: "withdrawn", since: "2026-10-02" },
      { dataset: "ratings", state: "withdrawn", since: "2026-10-02" },
    ]);
    nights.open();
    expect((await nights.crawl(3)).code).toBe(0);
    expect(queryFile(nights.latest(), "SELECT * FROM refusal")).toEqual([]);
    const built = await runCommand("build", ["--data", nights.data, "--allow-partial"]);
    expect(built.code).toBe(2);
  });

  test("is said to whoever asks for a vote, and to whoever builds or pulls the night", async () => {
    await using nights = await startNights();
    nights.refuse(VOTES, "request-id");
    const first = await nights.crawl(2);
    expect(first.code).toBe(7);
    const get = (path: string) => runCommand("serve", ["--data", nights.data, "--get", path]);
    for (const path of ["/api/academy/heroes/ratings", "/api/academy/heroes/ratings/3275335?lang=ja"])
      expect(JSON.parse((await get(path)).stdout).error).toMatchObject({
        code: "SLICE_NOT_CAPTURED",
        hint: expect.stringMatching(/refuses it since 2026-10-02T04:00:00\.000Z \(200, code 10407\)/),
      });
    const manifest = JSON.stringify(first.events.find(({ event }) => event === "refusals"));
    expect(manifest).toMatch(/"message":"[^"]*req-/);
    expect(
      queryFile(nights.latest(), "SELECT * FROM refusal")
        .map((row) => JSON.stringify(row))
        .join(),
    ).not.toContain("req-");
    await using source = await startServer((request, response) => serveFile(nights.data, request.url ?? "", response));
    using other = temporaryFolder();
    const pulled = await runCommand("pull", [source.url, "--data", other.path, "--allow-partial"]);
    expect([pulled.code, pulled.stdout]).toEqual([
      0,
      expect.stringContaining("newly refused by the upstream: rating, ratings: 200, code 10407\n"),
    ]);
    const verified = await runCommand("verify", ["--data", nights.data]);
    expect(verified.stdout).toMatch(
      /│ endpoint ratings +│ ratings +│ 2026-10-02T04:00:00\.000Z │ 200, code 10407 +│ +0 │ +3 │/,
    );
    expect(verified.stdout).toMatch(/│ coverage +│ warning +│ 0 of \d+ slices missing, 6 refused or left out/);
    using empty = temporaryFolder();
    const journals = join(nights.data, "journals");
    const journal = join(journals, readdirSync(journals)[0] ?? "");
    const built = await runCommand("build", ["--data", empty.path, "--journal", journal, "--allow-partial"]);
    expect([built.code, built.stdout]).toEqual([7, expect.stringContaining("newly refused")]);
    expect(pointerOf(empty.path).sha256).toBe(pointerOf(nights.data).sha256);
  });
});

function serveFile(data: string, url: string, response: ServerResponse) {
  const file = join(data, url);
  if (existsSync(file)) createReadStream(file).pipe(response);
  else response.writeHead(404).end();
}

describe("what counts as a refusal", () => {
  const refused: Form[] = ["code", "text-code", "error-code", "detail", "problem", 400, 401, 403, 405, 451, 501];
  test.for(draw.some(refused, 1))(`%s is one, and its endpoint is withdrawn (${drawn})`, async (form) => {
    await using nights = await startNights(["--endpoints", "heroes,relations"]);
    nights.refuse({ dataset: "relations" }, form);
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr]).toEqual([7, ""]);
    expect(groups).toEqual([expect.stringMatching(/^relations: \d{3}/)]);
    expect(nights.holes()).toEqual([
      { reason: "refused", slices: 3 },
      { reason: "withdrawn", slices: 5 },
    ]);
  });

  const faults: Form[] = ["html-404", "other-shape", 500, "changing-code", "empty"];
  test.for(draw.some(faults, 1))(`%s is none, but ends the nights of two days only (${drawn})`, async (form) => {
    await using nights = await startNights();
    expect((await nights.crawl(1)).code).toBe(0);
    nights.refuse({ dataset: "relations" }, form);
    for (const day of [2, 3]) {
      const { code, stderr } = await nights.crawl(day, QUICK);
      expect([code, stderr]).toEqual([5, expect.stringContaining("--without relations")]);
    }
    expect((await nights.crawl(4, QUICK)).code).toBe(7);
    const { code, groups } = await nights.crawl(5, QUICK);
    expect([code, groups]).toEqual([0, [expect.stringMatching(/^relations: /)]]);
    // What is empty is asked a second time.
    expect(nights.autumn.count({ dataset: "relations" })).toBeLessThanOrEqual(form === "empty" ? 2 * 8 : 10);
  });

  test.for(draw.some([[], ["--budget", "200"]], 1))(
    "a list of votes that names none is none either %j",
    async (words) => {
      await using nights = await startNights();
      expect((await nights.crawl(1)).code).toBe(0);
      nights.refuse({ dataset: "ratings" }, "empty");
      const codes: (number | null)[] = [];
      for (const day of [2, 3, 4, 5]) codes.push((await nights.crawl(day, [...words, ...QUICK])).code);
      expect(codes).toEqual([5, 5, 7, 0]);
      const votes = "SELECT DISTINCT status, date(asked_at) AS asked FROM coverage WHERE dataset = 'rating'";
      expect(queryFile(nights.latest(), votes)).toEqual([{ status: "captured", asked: "2026-10-01" }]);
    },
  );
});

test("a list of votes that fails for another reason is missing, and its votes are no refusal", async () => {
  await using nights = await startNights();
  nights.refuse({ dataset: "ratings" }, "unavailable");
  const { code } = await nights.crawl(2, ["--attempts", "1"]);
  expect([code, nights.holes()]).toEqual([0, [{ reason: "unavailable", slices: 3 }]]);
});

describe("an upstream that refuses for a while", () => {
  test("and answers in the closing round lacks nothing, be it a slice or all of an endpoint", async () => {
    await using nights = await startNights();
    nights.refuse(
      (slice) => slice.dataset === "stats" || (slice.dataset === "relations" && slice.hero === 3),
      404 as Form,
      {
        first: 2,
      },
    );
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr, groups, nights.holes()]).toEqual([0, "", [], []]);
  });

  test("and at random lacks nothing", async () => {
    await using nights = await startNights();
    nights.refuse({}, 403, { share: 0.05 });
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr, groups, nights.holes()]).toEqual([0, "", [], []]);
  });

  test("and opens again is asked whole in the same night", async () => {
    await using nights = await startNights();
    nights.refuse({ rank: "glory" }, 422);
    const first = await nights.crawl(2);
    expect([first.code, first.groups]).toEqual([7, [expect.stringMatching(/^rank glory in 3 endpoints: 422/)]]);
    const closed = await nights.crawl(3);
    expect([closed.code, nights.autumn.count({ rank: "glory" }) <= 10]).toEqual([0, true]);
    nights.open();
    expect((await nights.crawl(4)).code).toBe(0);
    expect(nights.holes()).toEqual([]);
  });
});

describe("one slice that is refused", () => {
  test("is a hole or is carried over, gets all its attempts, and is no group", async () => {
    await using nights = await startNights();
    const one = (slice: Slice) => slice.dataset === "stats" && slice.hero === 2 && slice.rank === "all";
    nights.refuse(one, "detail");
    const { code, groups } = await nights.crawl(2);
    expect([code, groups, nights.holes()]).toEqual([0, [], [{ reason: "refused", slices: 1 }]]);
    expect(nights.autumn.count(one)).toBe(3);
    nights.open();
    await nights.crawl(3);
    nights.refuse(one, "detail");
    expect((await nights.crawl(4)).code).toBe(0);
    expect(
      queryFile(nights.latest(), "SELECT status, date(asked_at) AS asked FROM coverage WHERE reason = 'refused'"),
    ).toEqual([{ status: "captured", asked: "2026-10-03" }]);
  });
});

describe("an outage", () => {
  const MOST = { dataset: ["rank", "relations", "stats", "trends", "versions"] };

  test("is published when it is the same on three days, and not before", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(MOST, 403);
    for (const day of [2, 2, 3]) {
      const { code, stderr } = await nights.crawl(day);
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/^an outage of the upstream: 5 of 8 endpoints are refused/),
      ]);
    }
    expect((await nights.crawl(4)).code).toBe(7);
    expect((await nights.crawl(5)).code).toBe(0);
  });

  test("that is over is forgotten, and so is what it refused", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(MOST, 403);
    expect((await nights.crawl(2)).code).toBe(3);
    nights.open();
    const { code, groups } = await nights.crawl(2);
    expect([code, groups, nights.holes()]).toEqual([0, [], []]);
    nights.refuse(MOST, 403);
    for (const day of [3, 4]) expect((await nights.crawl(day)).code).toBe(3);
  });

  test("is a hero list that is refused, on any number of days", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse({ dataset: "heroes", lang: "en" }, 403);
    for (const day of [2, 3, 4, 5]) {
      const { code, stderr } = await nights.crawl(day);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/gave no hero list \(refused: status 403/)]);
    }
  });
});

describe("a crawl --without an endpoint", () => {
  test("is a whole night, also after one that lacked it", async () => {
    await using nights = await startNights();
    nights.refuse({ dataset: "relations" }, "html-404");
    expect((await nights.crawl(2)).code).toBe(0);
    const left = await nights.crawl(3, ["--fresh", "--without", "/api/heroes/{hero_identifier}/relations"]);
    expect([left.code, nights.holes()]).toEqual([0, [{ reason: "left-out", slices: 8 }]]);
    nights.open();
    expect((await nights.crawl(4)).code).toBe(0);
    expect(nights.holes()).toEqual([]);
  });

  test("says nothing of refusals that it does not ask about", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(VOTES, "code");
    expect((await nights.crawl(2)).code).toBe(7);
    const { code, groups } = await nights.crawl(3, ["--without", "ratings"]);
    expect([code, groups, queryFile(nights.latest(), "SELECT * FROM refusal")]).toEqual([0, [], []]);
  });

  test("takes what only a list names with it, and refuses the hero list", async () => {
    await using nights = await startNights();
    await nights.crawl(2, ["--without", "ratings"]);
    expect(nights.autumn.count(VOTES)).toBe(0);
    for (const name of ["heroes", "rank-of", "nothing"]) {
      const { code, stderr } = await nights.crawl(2, ["--without", name]);
      expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringContaining("--without")]);
    }
  });
});

describe("what the crawl goes on from", () => {
  test("may be damaged: a plain crawl goes on without it, and one that carries over is refused", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    const file = nights.latest();
    const db = new SQLite(file);
    db.exec("UPDATE record SET json = json || ' ' WHERE dataset = 'ratings'");
    db.close();
    nights.refuse(VOTES, "code");
    expect((await nights.crawl(2, ["--reuse"])).code).toBe(64);
    const { code, events } = await nights.crawl(2, ["--max-loss", "100"]);
    expect([code, nights.holes().length]).toEqual([7, 2]);
    expect(events.find(({ event }) => event === "base-unreadable")).toMatchObject({
      reason: expect.stringContaining("is not the file that was published"),
    });
  });

  test("is no journal of an earlier version", async () => {
    await using nights = await startNights();
    nights.refuse({ dataset: "stats" }, "html-404");
    await nights.crawl(1, ["--max-time", "1s", "--rate", "5"]);
    const journals = join(nights.data, "journals");
    const journal = new SQLite(join(journals, readdirSync(journals)[0] ?? ""));
    journal.pragma("user_version = 3");
    journal.close();
    const { code, stderr } = await nights.crawl(1);
    expect([code, stderr.trimEnd().split("\n")]).toEqual([
      64,
      [expect.stringMatching(/is a journal of version 3, this is 4.*--fresh/)],
    ]);
  });

  test("what a program of before has refused is taken by the one of today", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    const { version, sha256 } = pointerOf(nights.data);
    using other = temporaryFolder();
    const refused = [{ sha256, version, reason: "has schema 1.8.0, which is not known here" }];
    writeFileSync(join(other.path, "proofs.json"), JSON.stringify({ schema_version: "1.7.0", proved: [], refused }));
    await using source = await startServer((request, response) => serveFile(nights.data, request.url ?? "", response));
    expect((await runCommand("pull", [source.url, "--data", other.path])).code).toBe(0);
  });
});
