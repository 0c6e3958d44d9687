/** Empty answers that need not be empty: of a table that was emptied, and lists of the game, which are never empty. */
import { expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { honest, idsIn, startEmptiedNights } from "../helpers/emptied-nights.ts";
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
