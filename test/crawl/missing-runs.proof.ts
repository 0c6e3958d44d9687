import { expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { clockOf, dateOf, startSampleNights } from "../helpers/sample-nights.ts";
import { startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

const MANY = "heroes,rank,relations,stats,trends,counters,compatibility,versions";
const LITTLE = ["--languages", "en,ja", "--ranks", "all,epic,glory", "--days", "1,7", "--attempts", "3"];

const FEW = ["--languages", "en,ja", "--ranks", "all,glory", "--days", "7", "--attempts", "3"];

/** Two heroes of three, others in each table: no part of the endpoint has them in common. */
const TWO_THIRDS = ["all", "epic", "glory"].flatMap((rank, row) =>
  ["1", "7"].map((days, column) =>
    trouble("compatibility", "status 500", {
      rank,
      days,
      hero: Array.from({ length: 60 }, (_, n) => n + 1).filter((hero) => (hero + row + column) % 3 > 0),
    }),
  ),
);

const STORIES: Record<string, Story> = {
  "w: hundreds of slices fail in a row while others answer": {
    heroes: 60,
    endpoints: "heroes,rank,relations,stats,trends,compatibility,equipment,spells",
    words: LITTLE,
    nights: [
      { ends: 0 },
      {
        troubles: TWO_THIRDS,
        ends: 7,
        closed: ["compatibility: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 240 },
      },
      {
        troubles: TWO_THIRDS,
        ends: 0,
        closed: ["compatibility: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 240 },
        troubled: 10,
      },
      { ends: 0 },
    ],
  },
  "the upstream dies among the slices of an endpoint that is refused afterwards": {
    heroes: 16,
    endpoints: MANY,
    words: LITTLE,
    nights: [
      { ends: 0 },
      { troubles: [trouble("", "reset", {}, { after: 110 })], ends: 3, says: "no longer answers (unreachable)" },
      {
        after: 0,
        troubles: [trouble("counters", "detail")],
        ends: 7,
        closed: ["counters: 404"],
        lacks: { "captured refused": 96 },
      },
      { ends: 0 },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));

test("a part that opens stays open if a hero comes while it is asked", async () => {
  await using nights = await startSampleNights(MANY);
  expect((await nights.crawl(1)).code).toBe(0);
  nights.trouble(trouble("relations", "detail"));
  expect((await nights.crawl(2)).code).toBe(7);
  nights.trouble();
  nights.onRequest((ofNight) => ofNight === 60 && nights.sample.set({ heroes: 9 }));
  const { code, parts, events } = await nights.crawl(3);
  expect([code, parts]).toEqual([0, []]);
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["opened", "roster-changed"]));
  expect(nights.slices()).toEqual({ captured: expect.any(Number) });
  expect(
    queryFile(nights.latest(), "SELECT status, reason FROM coverage WHERE dataset = 'relations' AND hero_id = 9"),
  ).toEqual([{ status: "captured", reason: null }]);
});

test("a hero who is renamed has tonight's name, and what is carried over of him is as it was", async () => {
  await using nights = await startSampleNights("heroes,rank,relations,stats,versions", { words: FEW });
  let [name, other] = ["Miya", "Miya"];
  await using front = await startServer(async ({ url = "" }, response) => {
    const answer = await fetch(`${nights.sample.url}${url}`);
    const body = (await answer.text()).replaceAll(`"${name}"`, `"${other}"`);
    response.writeHead(answer.status, { "content-type": "application/json", "x-sample-data": "made-up" }).end(body);
  });
  using folder = temporaryFolder();
  const crawl = (day: number) => {
    nights.sample.set({ day });
    const words = [...crawlOptions(front.url, folder.path), ...FEW, "--json", "--allow-partial"];
    return runCommand("crawl", [...words, "--endpoints", "heroes,rank,relations,stats,versions"], {
      SOURCE_DATE_EPOCH: clockOf(day),
    });
  };
  const statistics = () =>
    queryFile<{ json: string; asked: string; reason: string | null }>(
      fileOf(folder.path),
      "SELECT json, date(asked_at) AS asked, reason FROM record JOIN coverage USING (slice_id) WHERE dataset = 'stats' AND hero_id = 1 ORDER BY slice",
    );
  expect((await crawl(1)).code).toBe(0);
  const before = statistics();
  [name, other] = ["Miya", "Mia"];
  nights.trouble(trouble("stats", "status 500", { hero: 1 }));
  expect((await crawl(2)).code).toBe(0);
  expect(statistics()).toEqual(before.map((row) => ({ ...row, reason: "server-error" })));
  expect(JSON.stringify(before)).toContain("Miya");
  expect(queryFile(fileOf(folder.path), "SELECT name FROM hero WHERE hero_id = 1")).toEqual([{ name: "Mia" }]);
  const get = async (path: string) => (await runCommand("serve", ["--data", folder.path, "--get", path])).stdout;
  expect(JSON.parse(await get("/api/heroes/mia/stats?rank=all")).data.records).toEqual(
    before.slice(0, 1).map(({ json }) => JSON.parse(json)),
  );
  // In other languages, too, he has tonight's name.
  const [inJapanese] = JSON.parse(await get("/api/heroes/1/stats?rank=all&lang=ja")).data.records;
  const names = JSON.parse(await get("/api/heroes?lang=ja&order=asc")).data.records;
  expect(inJapanese.data.main_hero.data.name).toBe(names[0].data.hero.data.name);
});

test("a mirror of a first night without lists of heroes in other languages answers 503 in those", async () => {
  await using nights = await startSampleNights("heroes,rank,relations,stats,versions");
  nights.trouble(trouble("heroes", "status 500", { lang: ["ja", "km", "de", "th"] }));
  expect((await nights.crawl(1)).code).toBe(7);
  const get = async (path: string) =>
    JSON.parse((await runCommand("serve", ["--data", nights.data, "--get", path])).stdout);
  expect((await get("/api/heroes?lang=ja")).error.code).toBe("SLICE_NOT_CAPTURED");
  expect((await get("/api/heroes?lang=en")).data.records).toHaveLength(8);
});

test("with a budget each table has its turns beside a slice that never comes", async () => {
  await using nights = await startSampleNights(MANY, { heroes: 12 });
  expect((await nights.crawl(1)).code).toBe(0);
  nights.trouble(trouble("counters", "status 500", { hero: 5, rank: "all", days: "7" }));
  for (const day of [2, 3, 4, 5, 6, 7]) expect((await nights.crawl(day, ["--budget", "130"])).code).toBe(0);
  const oldest = queryFile(
    nights.latest(),
    `SELECT dataset, hero_id AS hero, rank, days, reason FROM coverage
      WHERE dataset IN ('counters', 'compatibility', 'stats', 'trends') AND date(asked_at) = ?`,
    dateOf(1),
  );
  expect(oldest).toEqual([{ dataset: "counters", hero: 5, rank: "all", days: 7, reason: "server-error" }]);
});
