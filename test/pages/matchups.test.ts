/** The pages of matchups and of drafts. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parseCsv } from "../../src/pages/browser/matrix/csv.ts";
import { writePoints } from "../../src/pages/format.ts";
import { createPages, writeCsv } from "../../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched } from "../helpers/browser.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { type Element, elementsOf, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { type RunningMirror, startWithPages } from "../helpers/mirror.ts";
import { idOf, openPage } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";

let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startWithPages(inject("snapshot"), createPages({ pictures: true }));
});
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

/** No value of these has a comma or a quote. */
async function readCsv(path: string) {
  const text = await (await fetch(`${mirror.url}${path}`)).text();
  const [head = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return { head, rows };
}

interface Point {
  hero_id: number;
  other_hero_id: number;
  increase_win_rate: number;
}

const filePoints = (rank: string, type: number) =>
  queryFile<Point>(
    inject("snapshot"),
    `SELECT hero_id, other_hero_id, increase_win_rate FROM hero_matchup WHERE rank = ? AND match_type = ?
     ORDER BY hero_id, increase_win_rate DESC, other_hero_id`,
    rank,
    type,
  );

/** From the API: of each other hero, the points. */
async function askPoints(hero: number, endpoint: string, rank: string) {
  const response = await fetch(`${mirror.url}/api/academy/heroes/${hero}/${endpoint}?rank=${rank}`);
  const { data } = (await response.json()) as {
    data: { records: { data: { sub_hero: { heroid: number; increase_win_rate: number }[] } }[] };
  };
  return new Map(data.records[0]?.data.sub_hero.map((one) => [one.heroid, one.increase_win_rate]));
}

describe("matchups", () => {
  test.for([
    ["against", "counters", 0],
    ["with", "teammates", 1],
  ] as const)("%s each other hero are those of the file and of the API", async ([played, endpoint, type]) => {
    const document = await open(`/matchups?rank=epic&played=${played}&hero=18`);
    const shown = rowsOf(tableOf(document, "first"));
    const figures = shown.map(([other, points]) => [idOf(other), numberIn(points)]);
    const wanted = filePoints("epic", type).filter(({ hero_id }) => hero_id === 18);
    expect(wanted.length).toBeGreaterThan(100);
    expect(figures).toEqual(wanted.map((one) => [one.other_hero_id, one.increase_win_rate]));
    const told = await askPoints(18, endpoint, "epic");
    expect(new Map(figures as [number, number][])).toEqual(told);
  });

  test("say who does better than expected", async () => {
    const rows = rowsOf(tableOf(await open("/matchups?hero=1"), "the best matchup first"));
    for (const [other, points, meaning] of [...rows.slice(0, 3), ...rows.slice(-3)]) {
      const by = numberIn(points);
      const name = other && elementsOf(other, "a")[0]?.text;
      const size = `${by < 0 ? "−" : "+"}${Math.abs(100 * by).toFixed(1)} points`;
      expect(meaning?.text).toBe(`Miya does ${by < 0 ? "worse" : "better"} than expected against ${name}: ${size}`);
    }
    const best = rowsOf(tableOf(await open("/matchups?hero=1&played=with"), "the best team mate first"))[0];
    expect(best?.[2]?.text).toMatch(/^Miya does better than expected with .+: \+\d+\.\d points$/);
  });

  test("have best and worst of every hero, with a link to all of its own", async () => {
    const document = await open("/matchups?rank=glory");
    const rows = rowsOf(tableOf(document, "best and worst against"));
    const points = Map.groupBy(filePoints("glory", 0), ({ hero_id }) => hero_id);
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
      ({ attributes }) => attributes.get("aria-label") === "The same as JSON",
    );
    const paths = elementsOf(nav as Element, "a").map(({ attributes }) => attributes.get("href"));
    expect(paths).toHaveLength(2);
    for (const path of paths) expect((await fetch(mirror.url + path)).status, path).toBe(200);
  });

  test("are one matrix as CSV, in the order that is asked for", async () => {
    const read = (sort: string) => readCsv(`/matchups?rank=mythic&played=with&sort=${sort}&format=csv`);
    const [byName, byRole, similar] = await Promise.all([read("name"), read("role"), read("similarity")]);
    const points = new Map(
      filePoints("mythic", 1).map((one) => [`${one.hero_id} ${one.other_hero_id}`, `${one.increase_win_rate}`]),
    );
    for (const { head, rows } of [byName, byRole, similar]) {
      expect(head.slice(0, 3)).toEqual(["hero_id", "name", "role"]);
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
      const { rows } = await readCsv(`/matchups?sort=${sort}&format=csv`);
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

describe("a draft", () => {
  const PATH = "/draft?enemies=1,2,18&allies=30&allies=7&rank=mythic&days=15";

  test("sums what the API says of each hero against each enemy and with each ally", async () => {
    const rows = rowsOf(tableOf(await open(PATH), "not picked yet"));
    expect(rows.map(([, hero]) => idOf(hero)).filter((id) => [1, 2, 7, 18, 30].includes(id))).toEqual([]);
    expect(rows).toHaveLength(128);
    for (const [, hero, sum, known, , , ...parts] of rows.slice(0, 10)) {
      const [against, beside] = await Promise.all([
        askPoints(idOf(hero), "counters", "mythic"),
        askPoints(idOf(hero), "teammates", "mythic"),
      ]);
      const wanted = [...[1, 2, 18].map((id) => against.get(id)), ...[30, 7].map((id) => beside.get(id))];
      expect(parts.map(numberIn)).toEqual(wanted.map((one) => one ?? Number.NaN));
      const there = wanted.filter((one) => one !== undefined);
      expect(known?.text).toBe(`${there.length} of 5`);
      expect(numberIn(sum)).toBeCloseTo(
        there.reduce((a, b) => a + b),
        12,
      );
    }
    const sums = rows.map(([, , sum]) => numberIn(sum));
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
  });

  test("has the rates of the file beside, and only whom one asks for", async () => {
    const rows = rowsOf(tableOf(await open(`${PATH}&role=mage&lane=mid&least=0.005&sort=win_rate`), "not picked yet"));
    const rates = queryFile<{ hero_id: number; win_rate: number; appearance_rate: number }>(
      inject("snapshot"),
      `SELECT hero_id, win_rate, appearance_rate FROM hero_rate JOIN hero_role USING (hero_id) JOIN hero_lane USING (hero_id)
       WHERE rank = 'mythic' AND days = 15 AND role = 'mage' AND lane = 'mid' AND appearance_rate >= 0.005
         AND hero_id NOT IN (1, 2, 7, 18, 30) ORDER BY win_rate DESC`,
    );
    expect(rates.length).toBeGreaterThan(3);
    expect(rows.map(([, hero, , , win, pick]) => [idOf(hero), numberIn(win), numberIn(pick)])).toEqual(
      rates.map((one) => [one.hero_id, one.win_rate, one.appearance_rate]),
    );
  });

  test("says how many of its numbers are known, and takes none for 0", async () => {
    const points = new Set(filePoints("all", 0).map((one) => `${one.hero_id} ${one.other_hero_id}`));
    const ids = [...new Set(filePoints("all", 0).map(({ hero_id }) => hero_id))];
    const pairs = ids.flatMap((hero) => ids.map((other) => [hero, other] as const));
    const [hero, enemy] = pairs.find(([one, other]) => one !== other && !points.has(`${one} ${other}`)) ?? [];
    expect(hero).toBeDefined();
    const rows = rowsOf(tableOf(await open(`/draft?enemies=${enemy}`), "not picked yet"));
    const [, , sum, known, , , part] = rows.find(([, one]) => idOf(one) === hero) ?? [];
    expect([sum?.text, known?.text, part?.text]).toEqual(["–", "0 of 1", "–"]);
    expect(idOf(rows.at(-1)?.[1])).toBe(hero);
  });

  test("is the same as CSV", async () => {
    const { head, rows } = await readCsv(`${PATH}&format=csv`);
    const others = ["against_1", "against_2", "against_18", "with_30", "with_7"];
    expect(head).toEqual(["place", "hero_id", "name", "sum", "known", "win_rate", "appearance_rate", ...others]);
    const shown = rowsOf(tableOf(await open(PATH), "not picked yet"));
    const exact = (cell: string | undefined) => (cell === "" ? Number.NaN : Number(cell));
    expect(rows.map(([, id, , sum, , ...cells]) => [id, sum, ...cells].map(exact))).toEqual(
      shown.map(([, hero, sum, , win, pick, ...parts]) => [idOf(hero), ...[sum, win, pick, ...parts].map(numberIn)]),
    );
  });

  test("begins with nobody, and says what it is not", async () => {
    const { text } = await open("/draft");
    expect(text).toContain("Choose the enemies and allies");
    expect(text).toContain("It is no forecast.");
  });
});

test("names of any kind come through the CSV as they are", () => {
  const names = ['"', 'a "b" ""c', "a,b", "a\nb\r\nc", "", "\u202eلا", "<b>&amp;", `"${",".repeat(200_000)}`];
  const text = writeCsv({ columns: ["hero_id", "name", "role"], rows: names.map((name, id) => [id, name, null]) });
  expect(parseCsv(text)).toEqual([["hero_id", "name", "role"], ...names.map((name, id) => [`${id}`, name, ""])]);
});

const draw = createDraw("matchups");

describe.skipIf(noBrowser)(`the matrix in a browser (${drawn})`, () => {
  drawTests(2);

  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const names = new Map(
    queryFile<{ hero_id: number; name: string }>(
      inject("snapshot"),
      "SELECT hero_id, name FROM hero_text WHERE lang = 'en'",
    ).map(({ hero_id, name }) => [hero_id, name]),
  );

  /** The pair that the address names, and what is told of it. */
  async function toldOf(page: Page) {
    const [, hero, other] = /#(\d+)-(\d+)$/.exec(await page.evaluate<string>("location.href")) ?? [];
    return { hero: Number(hero), other: Number(other), text: await page.locator("[aria-live]").textContent() };
  }

  const inWords = (points: readonly Point[], hero: number, played: string, other: number) => {
    const by = points.find((one) => one.hero_id === hero && one.other_hero_id === other)?.increase_win_rate;
    const size = by === undefined ? "unknown" : `${writePoints(by)} points`;
    return `${names.get(hero)} ${played} ${names.get(other)}: ${size}`;
  };

  const SIDES = [
    ["against", 0],
    ["with", 1],
  ] as const;
  test.for(draw.some(SIDES, 1))(
    "tells of each cell that the keys lead to, %s the other hero, and keeps it in the address",
    async ([played, type]) => {
      await using watched = await openWatched(browser, mirror.url);
      const { page, faults } = watched;
      await page.goto(`/matchups?rank=epic&played=${played}&sort=role#18-30`);
      const plane = page.getByRole("application");
      await plane.focus();
      const points = filePoints("epic", type);
      expect((await toldOf(page)).text).toBe(inWords(points, 18, played, 30));
      const { rows } = await readCsv(`/matchups?rank=epic&played=${played}&sort=role&format=csv`);
      const order = rows.map(([id]) => Number(id));
      const last = order.length - 1;
      const at = { row: order.indexOf(18), column: order.indexOf(30) };
      const steps: Record<string, () => number> = {
        ArrowDown: () => ++at.row,
        ArrowUp: () => --at.row,
        ArrowRight: () => ++at.column,
        ArrowLeft: () => --at.column,
        PageDown: () => (at.row = Math.min(last, at.row + 10)),
        PageUp: () => (at.row = Math.max(0, at.row - 10)),
        End: () => (at.column = last),
        Home: () => (at.column = 0),
      };
      for (const key of ["ArrowDown", "PageDown", "Home", "ArrowRight", "PageUp", "ArrowUp", "End", "ArrowLeft"]) {
        steps[key]?.();
        await page.keyboard.press(key);
        const [hero = 0, other = 0] = [order[at.row], order[at.column]];
        expect(await toldOf(page), key).toEqual({ hero, other, text: inWords(points, hero, played, other) });
      }
      expect(await findBarriers(page)).toEqual([]);
      const { text } = await toldOf(page);
      await page.reload();
      expect(await page.locator("[aria-live]").textContent()).toBe(text);
      const { hero, other } = await toldOf(page);
      await page.getByLabel("Rank").selectOption("glory");
      await page.waitForURL(/rank=glory/);
      expect(await toldOf(page)).toEqual({
        hero,
        other,
        text: inWords(filePoints("glory", type), hero, played, other),
      });
      await page.getByRole("application").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`hero=${hero}#${hero}-${other}$`));
      await expect.poll(() => page.locator("h2").nth(1).textContent()).toContain(names.get(hero));
      await page.getByLabel("Hero", { exact: true }).selectOption("2");
      await page.waitForURL(/hero=2$/);
      expect(await page.locator("[aria-live]").textContent()).toContain(`Balmond ${played} `);
      expect(faults).toEqual([]);
    },
  );

  test.for(draw.some(["light", "dark"] as const, 1))(
    "is blue where it is better and orange where it is worse, %s",
    async (colorScheme) => {
      await using watched = await openWatched(browser, mirror.url, { colorScheme });
      const { page } = watched;
      const points = filePoints("all", 0).filter(({ increase_win_rate: by }) => Math.abs(by) > 0.05);
      for (const { hero_id, other_hero_id, increase_win_rate: by } of [points[0], points.at(-1)].flatMap(
        (one) => one ?? [],
      )) {
        await page.goto("/");
        await page.goto(`/matchups#${hero_id}-${other_hero_id}`);
        await page.getByRole("application").waitFor();
        const [red = 0, , blue = 0] = await page.evaluate<number[]>(`(() => {
        const canvas = document.querySelector("canvas");
        const cell = document.querySelector(".cell");
        const middle = cell.offsetWidth / 2;
        return [...canvas.getContext("2d").getImageData(cell.offsetLeft + middle, cell.offsetTop + middle, 1, 1).data];
      })()`);
        expect(blue - red > 0).toBe(by > 0);
      }
    },
  );

  test("follows the mouse, and keeps what is clicked", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 1400, height: 1400 } });
    const { page } = watched;
    await page.goto("/matchups");
    const canvas = page.locator("canvas");
    const told = () => page.locator("[aria-live]").textContent();
    const before = await told();
    await canvas.hover({ position: { x: 404, y: 304 } });
    const there = await told();
    expect(there).not.toBe(before);
    await page.getByRole("heading", { level: 1 }).hover();
    expect(await told()).toBe(before);
    expect(page.url()).not.toContain("#");
    await canvas.click({ position: { x: 404, y: 304 } });
    const { hero, other, text } = await toldOf(page);
    expect(text).toBe(there);
    expect(text).toBe(inWords(filePoints("all", 0), hero, "against", other));
  });

  test("leaves the tables where it cannot be loaded", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.route(/format=csv/, (route) => route.abort());
    await page.goto("/matchups");
    await page.getByText("It could not be loaded.").waitFor();
    expect(await page.getByRole("table").count()).toBe(2);
  });
});
