import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ONE_DAY, startNights } from "../helpers/own-nights.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const FAST = ["--rate", "5000", "--languages", "en", "--ranks", "all", "--days", "7", "--endpoints", "relations"];

interface Named {
  data: { hero_id: number; hero: { data: { name: string } } };
}

/** The hero list as if it had so many heroes, in pages of any size. */
const withHeroes = (heroes: number) => (path: string, body: string) => {
  const list = JSON.parse(body) as { data: { records: Named[]; total: number } };
  if (!path.startsWith("/api/heroes?") || heroes === 0) return body;
  const [first] = list.data.records as [Named];
  list.data.records = Array.from({ length: heroes }, (_, place) => {
    const record = structuredClone(first);
    record.data.hero_id = place + 1;
    record.data.hero.data.name = `Hero ${place + 1}`;
    return record;
  });
  list.data.total = heroes;
  return JSON.stringify(list);
};

describe("a roster that has grown beyond belief", () => {
  test("is refused with 3 before its heroes are asked for, unless --allow-growth says that it is right", async () => {
    using folder = temporaryFolder();
    let heroes = 0;
    await using upstream = await startUpstream(
      2,
      () => false,
      (path, body) => withHeroes(heroes)(path, body),
    );
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST];
    expect((await runCommand("crawl", [...options, "--allow-partial"])).code).toBe(0);
    heroes = 23;
    for (const more of [[], ["--plan"], []]) {
      upstream.asked.length = 0;
      const { code, stderr } = await runCommand("crawl", [...options, ...more]);
      expect([code, stderr]).toEqual([
        3,
        "the upstream's roster has grown from 2 to 23 heroes, by more than 20 and 20 %; none of them was asked for; if that is right, run the same command with --allow-growth\n",
      ]);
      expect(upstream.asked).toEqual(["/api/heroes?size=200&index=1&lang=en"]);
    }
    const plan = await runCommand("crawl", [...options, "--plan", "--json", "--allow-growth"]);
    expect(JSON.parse(plan.stdout)).toMatchObject({ endpoints: { "/api/heroes/{hero_identifier}/relations": 23 } });
    // Healed, the next run goes on without a word.
    heroes = 0;
    expect((await runCommand("crawl", [...options, "--allow-partial"])).code).toBe(2);
    expect(readdirSync(join(folder.path, "snapshots")).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
  });

  test.for([
    [22, 0],
    [1000, 0],
    [1001, 3],
  ])("is told from %i heroes where there is no snapshot to compare with", async ([heroes = 0, expected]) => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, () => false, withHeroes(heroes));
    const words = ["--upstream", upstream.url, "--data", folder.path, "--plan", ...FAST];
    const { code, stderr } = await runCommand("crawl", words);
    expect(code).toBe(expected);
    expect(stderr.includes("more than 1000 are not plausible")).toBe(expected === 3);
  });
});

test("a list that names more words than are plausible cannot be had: those of the base are asked for, and without a base none", async () => {
  const words = ["--languages", "en", "--ranks", "all", "--endpoints", "relations,stats,rank,ratings,rating"];
  const long: Rewrite = (path, body) => {
    if (!path.startsWith("/api/academy/heroes/ratings?")) return body;
    const { data, ...rest } = JSON.parse(body) as { data: { list: { subject: number }[] } };
    const list = Array.from({ length: 201 }, (_, place) => ({ ...data.list[0], subject: 1_000_000 + place }));
    return JSON.stringify({ ...rest, data: { ...data, list } });
  };
  const isVote = (path: string) => path.includes("/ratings/");
  await using nights = await startNights(3, words);
  expect((await nights.crawl(0)).code).toBe(0);
  const votes = nights.upstream.asked.filter(isVote);
  expect(votes.length).toBeGreaterThan(0);
  nights.change({ rewrite: long });
  for (const day of [1, 2]) {
    const { code, stderr, asked } = await nights.crawl(day * ONE_DAY);
    expect([[0, 2].includes(code ?? -1), stderr, asked.filter(isVote).sort()]).toEqual([true, "", votes.toSorted()]);
    const list = nights.coverage().find(({ dataset }) => dataset === "ratings");
    expect(list).toMatchObject({ status: "captured", reason: "oversized" });
  }
  const plan = await nights.crawl(3 * ONE_DAY, ["--plan", "--allow-growth"]);
  expect(JSON.parse(plan.stdout)).toMatchObject({ endpoints: { "/api/academy/heroes/ratings/{subject}": 201 } });
  await using first = await startNights(3, words);
  first.change({ rewrite: long });
  const { code, stderr, asked } = await first.crawl(0);
  expect([code, stderr, asked.filter(isVote)]).toEqual([7, "", []]);
});
