import { createReadStream, existsSync, readdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import type { Slices } from "../../src/sample/service/slice.ts";
import type { Form } from "../../src/sample/troubles/forms.ts";
import type { Trouble } from "../../src/sample/troubles/troubles.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { dateOf, ofDatasets, startSampleNights } from "../helpers/sample-nights.ts";
import { startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

const startNights = (endpoints = "heroes,rank,relations,stats,trends,ratings,rating,versions") =>
  startSampleNights(endpoints);

/** For refusals that no number of attempts changes. */
const QUICK = ["--attempts", "1"];

const VOTES = ofDatasets("ratings", "rating");

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
      const asked = nights.sample.asked(VOTES).length;
      expect(asked).toBeLessThanOrEqual(codes[0] === 7 ? 12 : 0);
      const reasons = queryFile<{ status: string; asked: string | null }>(
        nights.latest(),
        "SELECT DISTINCT status, date(asked_at) AS asked FROM coverage WHERE dataset IN ('ratings', 'rating')",
      );
      expect(reasons).toEqual([
        hasVotes ? { status: "captured", asked: dateOf(1) } : { status: "failed", asked: null },
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
      { dataset: "rating", state: "withdrawn", since: dateOf(2) },
      { dataset: "ratings", state: "withdrawn", since: dateOf(2) },
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
        hint: expect.stringContaining(`refuses it since ${dateOf(2)}T04:00:00.000Z (200, code 10407)`),
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
      /│ endpoint ratings +│ ratings +│ 2026-07-27T04:00:00\.000Z │ 200, code 10407 +│ +0 │ +3 │/,
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
  const statuses = [400, 401, 403, 405, 451, 501].map((status): Form => `status ${status}`);
  const refused: Form[] = ["code", "text-code", "error-code", "detail", "problem", ...statuses];
  test.for(refused)("%s is one, and its endpoint is withdrawn", async (form) => {
    await using nights = await startNights("heroes,relations");
    nights.refuse(ofDatasets("relations"), form);
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr]).toEqual([7, ""]);
    expect(groups).toEqual([expect.stringMatching(/^relations: \d{3}/)]);
    expect(nights.holes()).toEqual([
      { reason: "refused", slices: 3 },
      { reason: "withdrawn", slices: 5 },
    ]);
  });

  const faults: Form[] = ["html-404", "other-shape", "status 500", "changing-code", "empty"];
  test.for(faults)("%s is none, but ends the nights of two days only", async (form) => {
    await using nights = await startNights();
    expect((await nights.crawl(1)).code).toBe(0);
    nights.refuse(ofDatasets("relations"), form);
    for (const day of [2, 3]) {
      const { code, stderr } = await nights.crawl(day, QUICK);
      expect([code, stderr]).toEqual([5, expect.stringContaining("--without relations")]);
    }
    expect((await nights.crawl(4, QUICK)).code).toBe(7);
    const { code, groups } = await nights.crawl(5, QUICK);
    expect([code, groups]).toEqual([0, [expect.stringMatching(/^relations: /)]]);
    // What is empty is asked a second time.
    expect(nights.sample.asked(ofDatasets("relations")).length).toBeLessThanOrEqual(form === "empty" ? 2 * 8 : 10);
  });

  test.for([{ more: [] as string[] }, { more: ["--budget", "200"] }])(
    "a list of votes that names none is none either ($more)",
    async ({ more }) => {
      await using nights = await startNights();
      expect((await nights.crawl(1)).code).toBe(0);
      nights.refuse(ofDatasets("ratings"), "empty");
      const codes: (number | null)[] = [];
      for (const day of [2, 3, 4, 5]) codes.push((await nights.crawl(day, [...more, ...QUICK])).code);
      expect(codes).toEqual([5, 5, 7, 0]);
      const votes = "SELECT DISTINCT status, date(asked_at) AS asked FROM coverage WHERE dataset = 'rating'";
      expect(queryFile(nights.latest(), votes)).toEqual([{ status: "captured", asked: dateOf(1) }]);
    },
  );
});

describe("an upstream that refuses for a while", () => {
  test("and answers in the closing round lacks nothing, be it a slice or all of an endpoint", async () => {
    await using nights = await startNights();
    const troubles = [ofDatasets("stats"), { ...ofDatasets("relations"), hero: 3 }];
    nights.sample.set({ troubles: troubles.map((of): Trouble => ({ of, form: "status 404", first: 2 })) });
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr, groups, nights.holes()]).toEqual([0, "", [], []]);
  });

  test("and at random lacks nothing", async () => {
    await using nights = await startNights();
    nights.refuse({}, "status 403", { share: 0.05 });
    const { code, stderr, groups } = await nights.crawl(2);
    expect([code, stderr, groups, nights.holes()]).toEqual([0, "", [], []]);
  });

  test("and opens again is asked whole in the same night", async () => {
    await using nights = await startNights();
    nights.refuse({ rank: "glory" }, "status 422");
    const first = await nights.crawl(2);
    expect([first.code, first.groups]).toEqual([7, [expect.stringMatching(/^rank glory in 3 endpoints: 422/)]]);
    const closed = await nights.crawl(3);
    expect([closed.code, nights.sample.asked({ rank: "glory" }).length <= 10]).toEqual([0, true]);
    nights.open();
    expect((await nights.crawl(4)).code).toBe(0);
    expect(nights.holes()).toEqual([]);
  });
});

describe("one slice that is refused", () => {
  test("is a hole or is carried over, gets all its attempts, and is no group", async () => {
    await using nights = await startNights();
    const one: Slices = { ...ofDatasets("stats"), hero: 2, rank: "all" };
    nights.refuse(one, "detail");
    const { code, groups } = await nights.crawl(2);
    expect([code, groups, nights.holes()]).toEqual([0, [], [{ reason: "refused", slices: 1 }]]);
    expect(nights.sample.asked(one).length).toBe(3);
    nights.open();
    await nights.crawl(3);
    nights.refuse(one, "detail");
    expect((await nights.crawl(4)).code).toBe(0);
    expect(
      queryFile(nights.latest(), "SELECT status, date(asked_at) AS asked FROM coverage WHERE reason = 'refused'"),
    ).toEqual([{ status: "captured", asked: dateOf(3) }]);
  });
});

describe("an outage", () => {
  const MOST = ofDatasets("rank", "relations", "stats", "trends", "versions");

  test("is published when it is the same on three days, and not before", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(MOST, "status 403");
    for (const day of [2, 2, 3]) {
      const { code, stderr } = await nights.crawl(day);
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/^an outage of the upstream: 5 of 8 endpoints are refused/),
      ]);
    }
    expect((await nights.crawl(4)).code).toBe(7);
    // Of what still answers nothing changes from day to day.
    expect((await nights.crawl(5)).code).toBe(2);
  });

  test("that is over is forgotten, and so is what it refused", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse(MOST, "status 403");
    expect((await nights.crawl(2)).code).toBe(3);
    nights.open();
    const { code, groups } = await nights.crawl(2);
    expect([code, groups, nights.holes()]).toEqual([0, [], []]);
    nights.refuse(MOST, "status 403");
    for (const day of [3, 4]) expect((await nights.crawl(day)).code).toBe(3);
  });
});

describe("a crawl --without an endpoint", () => {
  test("is a whole night, also after one that lacked it", async () => {
    await using nights = await startNights();
    nights.refuse(ofDatasets("relations"), "html-404");
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
