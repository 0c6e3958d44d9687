/** Second looks that fail, and empty answers that need not be empty: of a table that was emptied, and lists of the game, which are never empty. */
import { expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { honest, idsIn, startEmptiedNights } from "../helpers/emptied-nights.ts";
import { startNights } from "../helpers/own-nights.ts";
import { queryFile } from "../helpers/sqlite.ts";

test("a table that had records and whose second look fails is not empty", async () => {
  const words = ["--endpoints", "heroes,stats", "--languages", "en", "--ranks", "all,glory"];
  const isMeant = (path: string) => path.includes("/heroes/3/stats?") && path.includes("rank=glory");
  await using nights = await startEmptiedNights(3, words);
  expect((await nights.crawl(1, honest)).code).toBe(0);
  await nights.crawl(2, (path, nth) => (!isMeant(path) ? undefined : nth === 1 ? "empty" : "error"), [
    "--attempts",
    "1",
  ]);
  expect([idsIn(nights.data, "empty"), idsIn(nights.data, "failed")]).toEqual([[], []]);
  const reasons = "SELECT slice, reason FROM coverage WHERE reason IS NOT NULL";
  expect(queryFile(fileOf(nights.data), reasons)).toEqual([
    { slice: "hero=3&rank=glory&lang=en", reason: "server-error" },
  ]);
});

test("a list of the game that stays empty is missing in a first night, after a second look", async () => {
  const words = ["--endpoints", "heroes,emblems,stats", "--languages", "en", "--ranks", "all", "--attempts", "2"];
  const isOfList = (path: string) => path.includes("/emblems");
  await using nights = await startEmptiedNights(2, words);
  const { code, asked } = await nights.crawl(1, (path) => (isOfList(path) ? "empty" : undefined));
  expect([code, idsIn(nights.data, "empty"), idsIn(nights.data, "failed")]).toEqual([0, [], ["emblems?lang=en"]]);
  expect(asked.filter(({ path }) => isOfList(path))[1]).toMatchObject({ isFirstOfConnection: true });
});

test.for([
  ["of heroes, without which there is no night", "/api/heroes?size=200", "hero"],
  ["of another endpoint", "/api/heroes/2/stats?", "main_hero"],
] as const)("an odd answer %s is kept if its second look fails", async ([, start, field]) => {
  const isMeant = (path: string) => path.startsWith(start) && path.includes("lang=en");
  await using nights = await startNights(3, [
    ...["--endpoints", "heroes,relations,stats", "--languages", "en", "--ranks", "all", "--days", "7"],
  ]);
  let times = 0;
  nights.change({
    rewrite(path, body) {
      if (!isMeant(path)) return body;
      const answer = JSON.parse(body);
      answer.data.records[0].data[field].data.head = 7;
      return JSON.stringify(answer);
    },
    intercept(req, res) {
      if (!isMeant(req.url ?? "")) return false;
      times += 1;
      if (times > 1) res.writeHead(500).end();
      return times > 1;
    },
  });
  const { code, stderr } = await nights.crawl(0);
  expect([code, stderr, times > 1]).toEqual([0, "", true]);
  expect(nights.coverage().filter(({ status }) => status === "failed")).toEqual([]);
  expect(queryFile(fileOf(nights.data), "SELECT count(*) AS heroes FROM hero")).toEqual([{ heroes: 3 }]);
});
