import { expect, test } from "vitest";
import type { Form } from "../../src/extra/sample/troubles/forms.ts";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";
import { runCommand } from "../helpers/run.ts";
import { ofDatasets, startSampleNights } from "../helpers/sample-nights.ts";
import { queryFile } from "../helpers/sqlite.ts";

const VOTES = [trouble("ratings,rating", "code")];
const GLORY = [trouble("", "detail", { rank: "glory" })];
const NEW_HEROES = [trouble("", "detail", { hero: [9, 10] })];
const RENAMED = [trouble("stats", "renamed main_heroid")];
const PAGE = [trouble("relations", "html-404")];
const NO_KEY = [trouble("relations", "not-configured")];
const KM = [trouble("", "status 422", { lang: "km" })];

/** What is closed costs three requests a night for each part that a line names. */
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
  "a: the votes are closed, from the first night on": {
    nights: [
      {
        troubles: VOTES,
        ends: 7,
        closed: ["ratings, rating: 200, code 10407"],
        lacks: { "failed refused": 5 },
        troubled: 30,
      },
      {
        troubles: VOTES,
        ends: 0,
        closed: ["ratings, rating: 200, code 10407"],
        lacks: { "failed refused": 5 },
        troubled: 10,
      },
      {
        after: 0,
        troubles: VOTES,
        words: ["--fresh"],
        ends: 2,
        closed: ["ratings, rating: 200, code 10407"],
        lacks: { "failed refused": 5 },
        troubled: 10,
      },
      { ends: 0 },
    ],
  },
  "d: a language is refused everywhere": {
    nights: [
      { ends: 0 },
      {
        troubles: KM,
        ends: 7,
        closed: ["lang km: 422, code VALIDATION_ERROR"],
        lacks: { "captured refused": 3 },
        troubled: 10,
      },
      {
        troubles: KM,
        ends: 0,
        closed: ["lang km: 422, code VALIDATION_ERROR"],
        lacks: { "captured refused": 3 },
        troubled: 3,
      },
      { ends: 0 },
    ],
  },
  "e: a rank is refused everywhere": {
    nights: [
      { ends: 0 },
      { troubles: GLORY, ends: 7, closed: ["rank glory: 404"], lacks: { "captured refused": 18 }, troubled: 16 },
      { troubles: GLORY, ends: 0, closed: ["rank glory: 404"], lacks: { "captured refused": 18 }, troubled: 3 },
      { ends: 0 },
    ],
  },
  "f: two new heroes whom the other routes do not know": {
    nights: [
      { ends: 0 },
      {
        heroes: 10,
        troubles: NEW_HEROES,
        ends: 7,
        closed: ["hero 10: 404; new in the list", "hero 9: 404; new in the list"],
        lacks: { "failed refused": 14 },
        troubled: 24,
      },
      {
        troubles: NEW_HEROES,
        ends: 0,
        closed: ["hero 10: 404", "hero 9: 404"],
        lacks: { "failed refused": 14 },
        troubled: 6,
      },
      { ends: 0 },
    ],
  },
  "h: a needed field is renamed in one endpoint": {
    nights: [
      { ends: 0 },
      {
        troubles: RENAMED,
        ends: 7,
        closed: ["stats: wrong-shape"],
        lacks: { "captured wrong-shape": 24 },
        troubled: 16,
      },
      {
        troubles: RENAMED,
        ends: 0,
        closed: ["stats: wrong-shape"],
        lacks: { "captured wrong-shape": 24 },
        troubled: 3,
      },
    ],
  },
  "an endpoint has no records any more": {
    nights: [
      { ends: 0 },
      {
        troubles: [trouble("relations", "empty")],
        ends: 7,
        closed: ["relations: empty"],
        lacks: { "captured empty": 8 },
      },
    ],
  },
  "n: a closed part answers again, in a night that reuses texts": {
    nights: [
      { ends: 0 },
      { troubles: PAGE, ends: 7, closed: ["relations: 404"], lacks: { "captured rejected": 8 }, troubled: 12 },
      { words: ["--reuse"], ends: 0 },
    ],
  },
  "L8: the upstream lacks a key for one endpoint": {
    nights: [
      { ends: 0 },
      {
        troubles: NO_KEY,
        ends: 7,
        closed: ["relations: 503, code NOT_CONFIGURED"],
        lacks: { "captured unavailable": 8 },
        troubled: 12,
      },
      {
        troubles: NO_KEY,
        ends: 0,
        closed: ["relations: 503, code NOT_CONFIGURED"],
        lacks: { "captured unavailable": 8 },
        troubled: 3,
      },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));

/** What no story has, and no test. */
const FORMS: Form[] = [
  ...(["text-code", "error-code", "problem", "status 400", "status 401", "status 403"] as const),
  ...(["status 405", "status 451", "status 501", "other-shape"] as const),
  ...(["detail", "html-404", "changing-code"] as const),
];

test.for(FORMS)("an endpoint of which nothing can be had is closed, whatever the upstream says (%s)", async (form) => {
  await using nights = await startSampleNights("heroes,relations,stats,trends,versions");
  nights.trouble({ of: ofDatasets("relations"), form });
  const { code, stderr, parts } = await nights.crawl(1);
  expect([code, stderr, parts]).toEqual([7, "", [expect.stringMatching(/^relations: /)]]);
});

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
