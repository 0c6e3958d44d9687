/** Trends, and heroes side by side. */
import { afterAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { expectNear, readCharts } from "../helpers/charts.ts";
import { attributeOf, elementsOf, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { idOf, openPage } from "../helpers/people.ts";
import { AGAINST, BESIDE, filePoints, fileRates } from "../helpers/rates.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

describe("heroes side by side", () => {
  test("have the rates of the file, and what the matrix says of each against and beside each", async () => {
    const document = await open("/compare?heroes=2,18&heroes=30&rank=mythic&days=15");
    const shown = rowsOf(tableOf(document, "In the chosen rank and window"));
    const rates = fileRates("mythic", 15, "en", "win_rate");
    const wanted = [2, 18, 30].map((id) => rates.find((rate) => rate.hero_id === id));
    expect(shown.map(([hero, ...cells]) => [hero && elementsOf(hero, "a")[0]?.text, ...cells.map(numberIn)])).toEqual(
      wanted.map((rate) => [rate?.name, rate?.win_rate, rate?.appearance_rate, rate?.ban_rate]),
    );
    for (const [type, caption] of [
      [AGAINST, "row against"],
      [BESIDE, "row with"],
    ] as const) {
      const points = filePoints("mythic", type);
      const matrix = rowsOf(tableOf(document, caption)).map(([, ...cells]) => cells.map(numberIn));
      const of = (hero: number, other: number) =>
        points.find((one) => one.hero_id === hero && one.other_hero_id === other)?.increase_win_rate ?? Number.NaN;
      expect(matrix).toEqual([2, 18, 30].map((hero) => [2, 18, 30].map((other) => of(hero, other))));
    }
  });

  test("are at most four, and each is one that is there", async () => {
    const [many, wrong] = await Promise.all([open("/compare?heroes=1,2,3,4,5,6"), open("/compare?heroes=1,9999,x")]);
    expect(rowsOf(tableOf(many, "In the chosen rank"))).toHaveLength(4);
    expect(many.text).toContain("Values of heroes that can be used at once: 4. The others are ignored.");
    expect(wrong.text).toContain("There is no value “9999” of heroes. There is no value “x” of heroes. ");
    const spellings = ["1,2", "1&heroes=&heroes=2,1", "miya,Balmond", "%E3%83%9F%E3%83%A4,2,MIYA"];
    const tags = spellings.map(async (heroes) =>
      (await fetch(`${mirror.url}/compare?heroes=${heroes}`)).headers.get("etag"),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(1);
  });
});
describe("trends", () => {
  test("have the rates of each day, of the chosen and of all", async () => {
    const document = await open("/trends?heroes=18,2&rank=legend&rate=ban_rate");
    const days = queryFile<{ date: string; hero_id: number; ban_rate: number }>(
      world.snapshot,
      "SELECT date, hero_id, ban_rate FROM hero_trend WHERE rank = 'legend' ORDER BY date DESC",
    );
    const rates = (id: number) => days.filter(({ hero_id }) => hero_id === id).map(({ ban_rate }) => ban_rate);
    const shown = rowsOf(tableOf(document, "The chosen heroes by day"));
    expect(shown.map(([day]) => day?.text)).toEqual([...new Set(days.map(({ date }) => date))]);
    expect(shown.map(([, one]) => numberIn(one))).toEqual(rates(18));
    expect(shown.map(([, , other]) => numberIn(other))).toEqual(rates(2));
    const movers = rowsOf(tableOf(document, "the biggest rise first"));
    const changes = movers.map(([, , , change]) => numberIn(change));
    expect(movers).toHaveLength(133);
    expect(changes).toEqual(changes.toSorted((a, b) => b - a));
    const [chart] = readCharts(document);
    expect(chart?.lines).toHaveLength(133);
    for (const [place, id] of [18, 2].entries())
      expectNear(chart?.lines.find(({ name }) => name === `line${place + 1}`)?.ys, rates(id).toReversed());
  });

  test("show in colour those that rose and fell most, if nobody is chosen", async () => {
    const document = await open("/trends?rank=mythic");
    const ids = rowsOf(tableOf(document, "the biggest rise first")).map(([hero]) => idOf(hero));
    const ends = [...ids.slice(0, 2), ...ids.slice(-2)];
    const [chart] = readCharts(document);
    expect(chart?.lines.map(({ name }) => name).sort()).toEqual([
      ...["line1", "line2", "line3", "line4"],
      ...Array(129).fill("other"),
    ]);
    for (const [place, id] of ends.entries()) {
      const days = queryFile<{ win_rate: number }>(
        world.snapshot,
        `SELECT win_rate FROM hero_trend WHERE rank = 'mythic' AND hero_id = ${id} ORDER BY date`,
      ).map(({ win_rate }) => win_rate);
      expectNear(chart?.lines.find(({ name }) => name === `line${place + 1}`)?.ys, days);
      expect(chart?.told.map((parts) => parts[place + 1]?.split(" ").at(-1))).toEqual(
        days.map((rate) => `${(100 * rate).toFixed(1)}%`),
      );
    }
  });

  test("are those of the view, the biggest rise first, with the pick rate", async () => {
    const risen = queryFile<{ hero_id: number; rise: number; appearance_rate: number }>(
      world.snapshot,
      "SELECT hero_id, rise, appearance_rate FROM trend_rise WHERE rank = 'all' ORDER BY place LIMIT 5",
    );
    const rows = rowsOf(tableOf(await open("/trends"), "the biggest rise first")).slice(0, 5);
    for (const [index, { hero_id, rise, appearance_rate }] of risen.entries()) {
      const [hero, , , change, picked] = rows[index] ?? [];
      expect(attributeOf(hero && elementsOf(hero, "a")[0], "href")).toMatch(new RegExp(`/heroes/${hero_id}\\b`));
      expect(numberIn(change)).toBeCloseTo(rise, 12);
      expect(numberIn(picked)).toBeCloseTo(appearance_rate, 12);
    }
  });
});
