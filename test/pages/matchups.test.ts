/** The page of matchups. */
import { afterAll, describe, expect, test } from "vitest";
import { parseCsv } from "../../src/extra/pages/browser/matrix/csv.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { writeCsv } from "../../src/extra/pages/report.ts";
import { attributeOf, type Element, elementsOf, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { askPoints, idOf, openPage, readCsv } from "../helpers/people.ts";
import { AGAINST, BESIDE, filePoints } from "../helpers/rates.ts";
import { world } from "../helpers/world.ts";

const mirror = await startWithPages(world.snapshot, createPages({ pictures: true }));
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

describe("matchups", () => {
  test.for([
    ["against", "counters", AGAINST],
    ["with", "teammates", BESIDE],
  ] as const)("%s each other hero are those of the file and of the API", async ([played, endpoint, type]) => {
    const document = await open(`/matchups?rank=epic&played=${played}&hero=18`);
    const shown = rowsOf(tableOf(document, "first"));
    const figures = shown.map(([other, points]) => [idOf(other), numberIn(points)]);
    const wanted = filePoints("epic", type).filter(({ hero_id }) => hero_id === 18);
    expect(wanted.length).toBeGreaterThan(100);
    expect(figures).toEqual(wanted.map((one) => [one.other_hero_id, one.increase_win_rate]));
    const told = await askPoints(mirror, 18, endpoint, "epic");
    expect(new Map(figures as [number, number][])).toEqual(told);
  });

  test("say who does better than expected", async () => {
    const rows = rowsOf(tableOf(await open("/matchups?hero=1"), "The best matchup first"));
    const most = Math.max(...rows.map(([, points]) => Math.abs(numberIn(points))));
    for (const [, points, drawn] of rows) {
      const by = numberIn(points);
      const [bar] = elementsOf(drawn as Element, "rect");
      const [x, width] = ["x", "width"].map((name) => Number(attributeOf(bar, name)));
      expect(width).toBeCloseTo((100 * Math.abs(by)) / most, 0);
      expect(x).toBe(by < 0 ? -(width ?? 0) : 0);
      const words = /^±/.test(points?.text ?? "") ? "as" : by < 0 ? "worse than" : "better than";
      expect(attributeOf(elementsOf(drawn as Element, "svg")[0], "aria-label")).toBe(`${words} expected`);
    }
    const best = rowsOf(tableOf(await open("/matchups?hero=1&played=with"), "The best team mate first"));
    expect(numberIn(best[0]?.[1])).toBe(Math.max(...best.map(([, points]) => numberIn(points))));
  });

  test("have best and worst of every hero, with a link to all of its own", async () => {
    const document = await open("/matchups?rank=glory");
    const rows = rowsOf(tableOf(document, "best and worst against"));
    const points = Map.groupBy(filePoints("glory", AGAINST), ({ hero_id }) => hero_id);
    expect(rows).toHaveLength(133);
    for (const [hero, , best, , worst] of rows) {
      const [link] = elementsOf(hero ?? document, "a");
      const query = new URL(link?.attributes.get("href") ?? "", mirror.url).searchParams;
      // The first of the list is the fallback.
      const own = query.has("hero") ? points.get(Number(query.get("hero"))) : undefined;
      if (own)
        expect([numberIn(best), numberIn(worst)]).toEqual([own[0], own.at(-1)].map((one) => one?.increase_win_rate));
      expect(query.get("rank")).toBe("glory");
    }
  });

  test("link to the same as JSON", async () => {
    const nav = elementsOf(await open("/matchups?rank=glory&hero=18&lang=ja"), "nav").find(
      ({ attributes }) => attributes.get("aria-label") === wordsIn("ja").frame.asJson,
    );
    const paths = elementsOf(nav as Element, "a").map(({ attributes }) => attributes.get("href"));
    expect(paths).toHaveLength(2);
    for (const path of paths) expect((await fetch(mirror.url + path)).status, path).toBe(200);
  });

  test("are one matrix as CSV, in the order that is asked for", async () => {
    const read = (sort: string) => readCsv(mirror, `/matchups?rank=mythic&played=with&sort=${sort}&format=csv`);
    const [byName, byRole, similar] = await Promise.all([read("name"), read("role"), read("similarity")]);
    const points = new Map(
      filePoints("mythic", BESIDE).map((one) => [`${one.hero_id} ${one.other_hero_id}`, `${one.increase_win_rate}`]),
    );
    for (const { head, rows } of [byName, byRole, similar]) {
      expect(head.slice(0, 3)).toEqual(["hero_id", "hero", "role"]);
      expect(rows.map(([id]) => id)).toEqual(head.slice(3));
      expect(rows).toHaveLength(133);
      const cells = rows.flatMap(([id, , , ...values]) =>
        values.flatMap((value, place) => (value === "" ? [] : [[`${id} ${head[place + 3]}`, value] as const])),
      );
      expect(new Map(cells)).toEqual(points);
    }
    const names = byName.rows.map(([, name = ""]) => name);
    expect(names).toEqual(names.toSorted(new Intl.Collator("en").compare));
    const roles = byRole.rows.map(([, , role]) => role);
    expect(roles.filter((role, place) => role !== roles[place - 1])).toHaveLength(new Set(roles).size);
  });

  test("stand beside similar ones, where that is asked for", async () => {
    const likeness = async (sort: string) => {
      const { rows } = await readCsv(mirror, `/matchups?sort=${sort}&format=csv`);
      const vectors = rows.map(([id, , , ...values], _, all) => {
        const order = all.map(([other], place) => [Number(other), Number(values[place])] as const);
        return { id, values: order.sort(([a], [b]) => a - b).map(([, value]) => value) };
      });
      const dot = (a: number[], b: number[]) => a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
      return vectors.slice(1).reduce((sum, { values }, place) => {
        const before = vectors[place]?.values ?? [];
        return sum + dot(values, before) / Math.sqrt(dot(values, values) * dot(before, before));
      }, 0);
    };
    expect(await likeness("similarity")).toBeGreaterThan(2 * (await likeness("name")));
  });
});

test("names of any kind come through the CSV as they are", () => {
  const names = ['"', 'a "b" ""c', "a,b", "a\nb\r\nc", "", "\u202eلا", "<b>&amp;", `"${",".repeat(200_000)}`];
  const rows = names.map((_, hero_id) => ({ hero_id, role: null }));
  const text = writeCsv({ csv: ["hero_id", "hero", "role"], rows }, (id) => names[id] ?? "");
  expect(parseCsv(text)).toEqual([["hero_id", "hero", "role"], ...names.map((name, id) => [`${id}`, name, ""])]);
});
