import { readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { dateOf, ofDatasets, startSampleNights } from "../helpers/sample-nights.ts";
import { queryFile } from "../helpers/sqlite.ts";

const startNights = () => startSampleNights("heroes,relations,versions,ratings,rating");

const VOTES = ofDatasets("ratings", "rating");

describe("an upstream that refuses", () => {
  test("the votes costs no night: they are carried over, and asked about in a few requests", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(1)).code).toBe(0);
    nights.refuse(VOTES, "code");
    const closed = await nights.crawl(2);
    expect([closed.code, closed.groups]).toEqual([7, ["rating, ratings: 200, code 10407"]]);
    expect((await nights.crawl(3)).code).toBe(2);
    expect(nights.sample.asked(VOTES).length).toBeLessThanOrEqual(12);
    const votes = "SELECT DISTINCT status, date(asked_at) AS asked FROM coverage WHERE dataset LIKE 'rating%'";
    expect(queryFile(nights.latest(), votes)).toEqual([{ status: "captured", asked: dateOf(1) }]);
  });

  test("one endpoint with a page costs two nights, as that is no refusal", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(1)).code).toBe(0);
    nights.refuse(ofDatasets("relations"), "html-404");
    const codes: (number | null)[] = [];
    for (const day of [2, 3, 4, 5]) codes.push((await nights.crawl(day, ["--attempts", "1"])).code);
    expect(codes).toEqual([5, 5, 7, 2]);
  });

  test("the list of heroes ends each night with 3", async () => {
    await using nights = await startNights();
    await nights.crawl(1);
    nights.refuse({ ...ofDatasets("heroes"), lang: "en" }, "status 403");
    for (const day of [2, 3, 4, 5]) {
      const { code, stderr } = await nights.crawl(day);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/gave no hero list \(refused: status 403/)]);
    }
  });
});

test("a list of votes that fails for another reason is missing, and its votes are no refusal", async () => {
  await using nights = await startNights();
  nights.refuse(ofDatasets("ratings"), "unavailable");
  const { code } = await nights.crawl(2, ["--attempts", "1"]);
  expect([code, nights.holes()]).toEqual([0, [{ reason: "unavailable", slices: 3 }]]);
});

test("a crawl --without a list takes what only the list names with it, and is refused for the hero list", async () => {
  await using nights = await startNights();
  await nights.crawl(2, ["--without", "ratings"]);
  expect(nights.sample.asked(VOTES).length).toBe(0);
  for (const name of ["heroes", "rank-of", "nothing"]) {
    const { code, stderr } = await nights.crawl(2, ["--without", name]);
    expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringContaining("--without")]);
  }
});

test("a journal of an earlier version is named in one line", async () => {
  await using nights = await startNights();
  nights.refuse(ofDatasets("relations"), "silence");
  await nights.crawl(1, ["--max-time", "1s"]);
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
