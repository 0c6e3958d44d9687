import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyOf, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { trouble } from "../helpers/missing-stories.ts";
import { dateOf, type SampleNights, startSampleNights } from "../helpers/sample-nights.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";

const TROUBLES = [
  trouble("relations", "detail"),
  trouble("stats", "status 500", { hero: 3, rank: "all" }),
  trouble("versions", "status 502", {}, { first: 1 }),
];

/** Requests of the night, and events of its log, one in each of its phases. */
const MOMENTS = [1, 4, 8, 40, 90, "closing", "closed", "building", "verifying"] as const;

let nights: SampleNights;
let whole: string;

/** Two nights in which the votes are closed; then the third one, in which more is missing. */
beforeAll(async () => {
  nights = await startSampleNights("heroes,rank,relations,stats,trends,counters,ratings,rating,versions");
  nights.sample.set({ troubles: [trouble("ratings,rating", "code")] });
  expect([(await nights.crawl(1)).code, (await nights.crawl(2)).code]).toEqual([7, 0]);
  nights.sample.set({ troubles: TROUBLES });
  using folder = copyOf(nights.data);
  const { code, parts } = await nights.crawl(3, ["--data", folder.path]);
  expect([code, parts]).toEqual([7, ["relations: 404"]]);
  whole = pointerOf(folder.path).sha256;
});
afterAll(() => nights[Symbol.asyncDispose]());

describe("a night that is killed", () => {
  test.for(MOMENTS)("at %s comes to the same bytes if it goes on on its day", async (moment) => {
    using folder = copyOf(nights.data);
    nights.sample.set({ troubles: TROUBLES, heroes: 8 });
    expect(await nights.kill(3, moment, ["--data", folder.path])).toBe("SIGKILL");
    const { code, stderr } = await nights.crawl(3, ["--data", folder.path]);
    expect([code, stderr, pointerOf(folder.path).sha256]).toEqual([7, "", whole]);
  });

  test.for(MOMENTS)(
    "at %s is whole if it goes on on the next day, when a hero has left and all is well",
    async (moment) => {
      using folder = copyOf(nights.data);
      nights.sample.set({ troubles: TROUBLES, heroes: 8 });
      expect(await nights.kill(3, moment, ["--data", folder.path])).toBe("SIGKILL");
      nights.sample.set({ troubles: [], heroes: 7 });
      const { code, stderr, parts } = await nights.crawl(4, ["--data", folder.path]);
      expect([code, stderr, parts]).toEqual([0, "", []]);
      const file = fileOf(folder.path);
      expect(queryFile(file, "SELECT count(*) AS heroes, max(hero_id) AS last FROM hero")).toEqual([
        { heroes: 7, last: 7 },
      ]);
      expect(
        queryFile(file, "SELECT DISTINCT status, reason FROM coverage WHERE hero_id > 7 OR reason IS NOT NULL"),
      ).toEqual([]);
      const lists = queryFile(
        file,
        "SELECT DISTINCT date(asked_at) AS at FROM coverage WHERE hero_id IS NULL AND subject IS NULL",
      );
      expect(lists).toEqual([{ at: dateOf(4) }]);
    },
  );
});

test("a night whose base is damaged before it is built is concluded without it", async () => {
  using folder = copyOf(nights.data);
  nights.sample.set({ troubles: TROUBLES, heroes: 8 });
  const base = fileOf(folder.path);
  expect(await nights.kill(3, "building", ["--data", folder.path])).toBe("SIGKILL");
  editFile(base, "UPDATE snapshot SET licence = 'another'");
  const { code, stderr } = await nights.crawl(3, ["--data", folder.path]);
  expect([code, stderr]).toEqual([7, ""]);
  expect(
    queryFile(
      fileOf(folder.path),
      "SELECT status, reason, count(*) AS slices FROM coverage WHERE reason IS NOT NULL GROUP BY 1, 2 ORDER BY 2",
    ),
  ).toEqual([
    { status: "failed", reason: "refused", slices: 8 },
    { status: "failed", reason: "server-error", slices: 1 },
  ]);
});
