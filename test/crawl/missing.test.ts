import { expect, test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";
import { runCommand } from "../helpers/run.ts";
import { startSampleNights } from "../helpers/sample-nights.ts";
import { queryFile } from "../helpers/sqlite.ts";

const VOTES = [trouble("ratings,rating", "code")];
const RENAMED_OF_ONE = [trouble("stats", "renamed main_heroid", { hero: 5 })];
const ONE = [trouble("relations", "status 500", { hero: 3 })];

/** One story for each kind of part, and for each gate; `missing-*.proof.ts` have the others. */
const STORIES: Record<string, Story> = {
  "a: the votes are closed, after a night that has them": {
    endpoints: "heroes,rank,relations,versions,ratings,rating",
    nights: [
      { ends: 0 },
      {
        troubles: VOTES,
        ends: 7,
        closed: ["rating, ratings: 200, code 10407"],
        lacks: { "captured refused": 10 },
        troubled: 30,
      },
      {
        troubles: VOTES,
        ends: 0,
        closed: ["rating, ratings: 200, code 10407"],
        lacks: { "captured refused": 10 },
        troubled: 10,
      },
      { ends: 0 },
    ],
  },
  "i: a needed field is renamed in one endpoint, for one hero": {
    endpoints: "heroes,relations,stats",
    nights: [
      { ends: 0 },
      {
        troubles: RENAMED_OF_ONE,
        ends: 7,
        closed: ["hero 5 in stats: wrong-shape"],
        lacks: { "captured wrong-shape": 3 },
        troubled: 9,
      },
      {
        troubles: RENAMED_OF_ONE,
        ends: 0,
        closed: ["hero 5 in stats: wrong-shape"],
        lacks: { "captured wrong-shape": 3 },
        troubled: 3,
      },
    ],
  },
  "k: two rank lists fail": {
    endpoints: "heroes,rank,relations",
    words: ["--languages", "en,ja", "--ranks", "all,epic,legend,mythic,honor,glory", "--attempts", "3"],
    nights: [
      { ends: 0 },
      {
        troubles: [trouble("rank", "status 500", { rank: "glory", days: ["1", "3"] })],
        ends: 0,
        lacks: { "captured server-error": 2 },
      },
    ],
  },
  "m: a small upstream dies": {
    heroes: 3,
    endpoints: "heroes,stats",
    words: ["--languages", "en,ja", "--ranks", "all", "--attempts", "3"],
    nights: [
      {
        troubles: [trouble("stats", "status 500")],
        ends: 3,
        closed: ["stats: 500, code INTERNAL_SERVER_ERROR"],
        says: "an outage of the upstream: 1 of 2 endpoints gave nothing (stats)",
      },
      { ends: 0 },
    ],
  },
  "u: nothing may be missing, and one slice is": {
    words: ["--languages", "en,ja", "--ranks", "all", "--days", "1,7", "--attempts", "3", "--max-missing", "0"],
    nights: [
      { ends: 0 },
      { troubles: ONE, ends: 3, says: "publish it as it is with --max-missing 4" },
      {
        after: 0,
        troubles: ONE,
        ends: 3,
        says: "1 of 33 slices are missing, and at most 0 may be (relations hero=3 server-error)",
      },
      { after: 0, words: ["--max-missing", "4"], troubles: ONE, ends: 0, lacks: { "captured server-error": 1 } },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));

test("a hero who leaves while a rank is closed keeps his names in its lists, in all languages, until it opens", async () => {
  await using nights = await startSampleNights("heroes,rank,stats,relations,trends");
  const read = async (lang: string) => {
    const path = `/api/heroes/rank?rank=glory&days=7&lang=${lang}`;
    const { code, stdout } = await runCommand("serve", ["--data", nights.data, "--get", path]);
    return [code, JSON.parse(stdout).data];
  };
  const readAll = () => Promise.all(["en", "ja", "th"].map(read));
  expect((await nights.crawl(0)).code).toBe(0);
  const before = await readAll();
  nights.sample.set({ heroes: 7, troubles: [trouble("", "detail", { rank: "glory" })] });
  for (const [day, more, code] of [
    [1, [], 7],
    [2, [], 0],
    [3, ["--reuse"], 0],
    [3, ["--fresh"], 2],
  ] as const) {
    expect((await nights.crawl(day, more)).code, `day ${day}`).toBe(code);
    expect(await readAll(), `day ${day}`).toEqual(before);
  }
  nights.sample.set({ troubles: [] });
  expect((await nights.crawl(4)).code).toBe(0);
  expect(nights.slices()).toEqual({ captured: expect.any(Number) });
  const now = await readAll();
  expect(now.map(([code, data]) => [code, data.total])).toEqual(Array(3).fill([0, 7]));
  const others = queryFile(nights.latest(), "SELECT slice FROM coverage WHERE dataset = 'rank' AND lang <> 'en'");
  expect(others).toEqual([]);
});
