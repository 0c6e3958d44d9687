import { describe, expect, test } from "vitest";
import { compareCounts, findLoss, type NightComparison, refuseLoss } from "../../src/snapshot/published/loss.ts";

/** Two nights that have all in common. */
const same: NightComparison = {
  endpoints: [{ dataset: "stats", slices: 2000, before: 200_000, after: 200_000 }],
  heroes: { before: 133, left: 0 },
  languages: { before: 17, left: 0 },
  holes: 0,
  firstHole: null,
};
const leaving = (heroes: number): NightComparison => ({ ...same, heroes: { before: 133, left: heroes } });
const records = (dataset: string, before: number, after: number, slices = 1): NightComparison => ({
  ...same,
  endpoints: [{ dataset, slices, before, after }],
});

describe("a loss", () => {
  test("names five of many endpoints", () => {
    const endpoints = ["a", "b", "c", "d", "e", "f".repeat(99), "g"].flatMap((dataset) => [
      ...records(dataset, 10, 0).endpoints,
    ]);
    expect(findLoss({ ...same, endpoints }, 5)).toEqual({
      says: "records of a from 10 to 0, records of b from 10 to 0, records of c from 10 to 0, records of d from 10 to 0, records of e from 10 to 0 and 2 more",
      needed: 100,
    });
  });

  test.for<[NightComparison, number, string, number]>([
    [leaving(20), 5, "heroes from 133 to 113", 16],
    [leaving(4), 0, "heroes from 133 to 129", 4],
    [{ ...same, languages: { before: 17, left: 1 } }, 5, "languages from 17 to 16", 6],
    [records("stats", 200_000, 189_999), 5, "records of stats from 200000 to 189999", 6],
    [records("heroes", 3, 0), 5, "records of heroes from 3 to 0", 100],
    [records("versions", 100, 96), 3, "records of versions from 100 to 96", 4],
    [records("hero", 4, 3), 5, "records of hero from 4 to 3", 25],
  ])("%j is too much for %d %%", ([comparison, maxLoss, says, needed]) => {
    expect(findLoss(comparison, maxLoss)).toEqual({ says, needed });
    expect(findLoss(comparison, needed)).toBeUndefined();
    expect(() => refuseLoss(comparison, maxLoss, "npm run build --")).toThrow(
      expect.objectContaining({ exit: 5, hint: expect.stringContaining(`--max-loss ${needed}`) }),
    );
  });

  test.for<[NightComparison, number]>([
    [same, 0],
    [leaving(3), 0],
    [leaving(6), 5],
    [records("stats", 200_000, 300_000), 0],
    [records("stats", 200_000, 190_000), 5],
    [records("versions", 100, 97), 0],
    [records("heroes", 2000, 1949, 17), 0],
    [records("stats", 200_000, 0), 100],
  ])("%j passes at %d %%", ([comparison, maxLoss]) => {
    expect(findLoss(comparison, maxLoss)).toBeUndefined();
  });

  test("is told by manifests alone where a file cannot be read", () => {
    const counts = { heroes: 133, languages: 17, records: 200_000 };
    expect(findLoss(compareCounts(counts, { heroes: 100, languages: 18, records: 200_001 }), 5)?.says).toBe(
      "heroes from 133 to 100",
    );
    expect(findLoss(compareCounts(counts, { ...counts, records: 100 }), 5)?.says).toBe(
      "records of all endpoints from 200000 to 100",
    );
  });
});
