/** The pages of matchups and of drafts. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCsv } from "../../src/pages/browser/matrix/csv.ts";
import { figuresIn } from "../../src/pages/figures.ts";
import { createPages, writeCsv } from "../../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched } from "../helpers/browser.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { attributeOf, type Element, elementsOf, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { type RunningMirror, startWithPages } from "../helpers/mirror.ts";
import { idOf, openPage } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const draw = createDraw("matchups");

let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startWithPages(world.snapshot, createPages({ pictures: true }));
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
    world.snapshot,
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
      ({ attributes }) => attributes.get("aria-label") === wordsIn("ja").frame.asJson,
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

interface DraftRow {
  hero_id: number;
  known: number;
  estimate: number | null;
  win_rate: number | null;
  appearance_rate: number | null;
  parts: (number | null)[];
}

const orNull = (value: number) => (Number.isNaN(value) ? null : value);

/** The picks of a page in its order; of each the known pairings are those that its table tells. */
function readDraft(document: Element): DraftRow[] {
  const [picks] = elementsOf(document, "section").filter((one) => attributeOf(one, "id") === "picks");
  return elementsOf(picks as Element, "table").flatMap((table) => {
    const [, known, of] = /(\d+) of (\d+) pairings known/.exec(elementsOf(table, "caption")[0]?.text ?? "") ?? [];
    return rowsOf(table).map(([hero, ...cells]) => {
      const figures = cells.map((cell) => orNull(numberIn(cell)));
      const [estimate = null, win_rate = null, appearance_rate = null, ...parts] = of ? figures : [null, ...figures];
      expect(parts).toHaveLength(Number(of ?? 0));
      return { hero_id: idOf(hero), known: Number(known ?? 0), estimate, win_rate, appearance_rate, parts };
    });
  });
}

interface OwnRate {
  hero_id: number;
  win_rate: number;
  appearance_rate: number;
}

const fileRates = (rank: string, days: number) =>
  queryFile<OwnRate>(
    world.snapshot,
    "SELECT hero_id, win_rate, appearance_rate FROM hero_rate WHERE rank = ? AND days = ?",
    rank,
    days,
  );

/** Drafts of five enemies, the same in every run. */
function createDrafts(count: number, ids: readonly number[]): number[][] {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ids[Math.floor((state / 2 ** 32) * ids.length)] ?? 0;
  };
  return Array.from({ length: count }, () => {
    const enemies = new Set<number>();
    while (enemies.size < 5) enemies.add(next());
    return [...enemies];
  });
}

describe(`a draft (${drawn})`, () => {
  const PATH = "/draft?enemies=1,2,18&allies=30&allies=7&bans=40,55&rank=mythic&days=15";
  const CHOSEN = [1, 2, 18, 30, 7, 40, 55];

  test("adds to the own win rate what the API says of each hero against each enemy and with each ally", async () => {
    const shown = readDraft(await open(PATH));
    const response = await fetch(`${mirror.url}/api/heroes/rank?rank=mythic&days=15&size=500`);
    const { data } = (await response.json()) as { data: { records: { data: Record<string, number> }[] } };
    const rates = data.records.map((record) => record.data);
    const candidates = rates.filter(
      (one) => !CHOSEN.includes(one.main_heroid ?? 0) && (one.main_hero_appearance_rate ?? 0) >= 0.001,
    );
    const ids = (list: readonly number[]) => list.toSorted((a, b) => a - b);
    expect(ids(shown.map(({ hero_id }) => hero_id))).toEqual(ids(candidates.map((one) => one.main_heroid ?? 0)));
    for (const { hero_id, known, estimate, win_rate, appearance_rate, parts } of [
      ...shown.slice(0, 8),
      shown.at(-1),
    ].flatMap((one) => one ?? [])) {
      const [against, beside] = await Promise.all([
        askPoints(hero_id, "counters", "mythic"),
        askPoints(hero_id, "teammates", "mythic"),
      ]);
      const wanted = [...[1, 2, 18].map((id) => against.get(id)), ...[30, 7].map((id) => beside.get(id))];
      const own = rates.find((one) => one.main_heroid === hero_id);
      expect(parts).toEqual(wanted.map((one) => one ?? null));
      expect([win_rate, appearance_rate]).toEqual([own?.main_hero_win_rate, own?.main_hero_appearance_rate]);
      expect(known).toBe(wanted.filter((one) => one !== undefined).length);
      const sum = wanted.reduce<number>((total, one) => total + (one ?? 0), 0);
      expect(estimate).toBeCloseTo((own?.main_hero_win_rate ?? 0) - 0.5 + sum, 12);
    }
  });

  test("begins with the best pick of all whose pairings are all known", async () => {
    const rates = fileRates("all", 7);
    const points = new Map(
      filePoints("all", 0).map((one) => [`${one.hero_id} ${one.other_hero_id}`, one.increase_win_rate]),
    );
    const drafts = createDrafts(
      500,
      rates.map(({ hero_id }) => hero_id).toSorted((a, b) => a - b),
    );
    const firsts = await Promise.all(
      draw.some(drafts, 25).map(async (enemies) => {
        const gains = rates
          .filter(({ hero_id, appearance_rate }) => appearance_rate >= 0.001 && !enemies.includes(hero_id))
          .map(({ hero_id, win_rate }) => {
            const parts = enemies.map((enemy) => points.get(`${hero_id} ${enemy}`) ?? Number.NaN);
            return parts.reduce((a, b) => a + b, win_rate - 0.5);
          });
        const { head, rows } = await readCsv(`/draft?enemies=${enemies}&format=csv`);
        const [known, estimate] = ["known", "estimate"].map((name) => Number(rows[0]?.[head.indexOf(name)]));
        return { enemies, known, estimate, wanted: Math.max(...gains.filter((gain) => !Number.isNaN(gain))) };
      }),
    );
    expect(firsts.length).toBeGreaterThan(20);
    for (const { enemies, known, estimate, wanted } of firsts) {
      expect(known, `${enemies}`).toBe(5);
      expect(estimate, `${enemies}`).toBeCloseTo(wanted, 12);
    }
  });

  test("sets apart what has fewer known pairings, and takes none for 0", async () => {
    const points = new Set(filePoints("all", 0).map((one) => `${one.hero_id} ${one.other_hero_id}`));
    const rates = fileRates("all", 7);
    const ids = rates.map(({ hero_id }) => hero_id);
    const pairs = ids.flatMap((hero) => ids.map((other) => [hero, other] as const));
    const [hero = 0, enemy = 0] = pairs.find(([one, other]) => one !== other && !points.has(`${one} ${other}`)) ?? [];
    const other = ids.find((id) => id !== hero && id !== enemy && points.has(`${hero} ${id}`));
    const shown = readDraft(await open(`/draft?enemies=${enemy},${other}&least=0`));
    expect(shown).toHaveLength(131);
    const mine = shown.find(({ hero_id }) => hero_id === hero);
    expect([mine?.known, mine?.parts[0]]).toEqual([1, null]);
    expect(mine?.estimate).toBeCloseTo((mine?.win_rate ?? 0) - 0.5 + (mine?.parts[1] ?? 0), 12);
    for (const { known, parts } of shown) expect(known).toBe(parts.filter((part) => part !== null).length);
    const groups = [...Map.groupBy(shown, ({ parts }) => parts.map((part) => part !== null).join())];
    const coverages = groups.map(([, [first]]) => first?.known ?? 0);
    expect(coverages).toEqual(coverages.toSorted((a, b) => b - a));
    expect(shown).toEqual(groups.flatMap(([, rows]) => rows.toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0))));
  });

  test("has the rates of the file beside, and only whom one asks for", async () => {
    const shown = readDraft(await open(`${PATH}&role=mage&lane=mid&least=0.005&sort=win_rate`));
    const rates = queryFile<OwnRate>(
      world.snapshot,
      `SELECT hero_id, win_rate, appearance_rate FROM hero_rate JOIN hero_role USING (hero_id) JOIN hero_lane USING (hero_id)
       WHERE rank = 'mythic' AND days = 15 AND role = 'mage' AND lane = 'mid' AND appearance_rate >= 0.005
         AND hero_id NOT IN (${CHOSEN}) ORDER BY win_rate DESC`,
    );
    expect(rates.length).toBeGreaterThan(3);
    expect(new Set(shown.map(({ known }) => known))).toEqual(new Set([5]));
    expect(shown.map(({ hero_id, win_rate, appearance_rate }) => ({ hero_id, win_rate, appearance_rate }))).toEqual(
      rates,
    );
  });

  test("is the same as CSV", async () => {
    const { head, rows } = await readCsv(`${PATH}&format=csv`);
    const others = ["against_1", "against_2", "against_18", "with_30", "with_7"];
    const own = ["hero_id", "name", "known", "estimate", "win_rate", "sum", "appearance_rate"];
    expect(head).toEqual([...own, ...others]);
    const exact = (cell: string | undefined) => (cell === "" ? null : Number(cell));
    const figures = rows.map(([id, , known, estimate, win, sum, pick, ...parts]) => {
      expect(Number(estimate)).toBeCloseTo(Number(win) - 0.5 + Number(sum), 12);
      return [id, known, estimate, win, pick, ...parts].map(exact);
    });
    expect(figures).toEqual(
      readDraft(await open(PATH)).map((one) => [
        ...[one.hero_id, one.known, one.estimate, one.win_rate, one.appearance_rate],
        ...one.parts,
      ]),
    );
  });

  const paramsOf = (link: Element | undefined): Record<string, string> => {
    const { searchParams, hash } = new URL(attributeOf(link, "href") ?? "", mirror.url);
    return { ...Object.fromEntries(searchParams), hash };
  };

  /** Of all heroes on the page, the one to tap. */
  function cellOf(document: Element, id: number): Element {
    const [cell] = elementsOf(document, "li").filter((one) => attributeOf(one, "id") === `h${id}`);
    return cell as Element;
  }

  test("puts a hero on the board by one link, and takes it off by another, in the same state and place", async () => {
    const state = { rank: "mythic", days: "15", lang: "ja", lane: "open", hash: "#h9" };
    const query = "rank=mythic&days=15&lang=ja&lane=open";
    const before = await open(`/draft?enemies=1,18&bans=3&side=bans&${query}`);
    const [add] = elementsOf(cellOf(before, 9), "a");
    expect(paramsOf(add)).toEqual({ ...state, enemies: "1,18", bans: "3,9", side: "bans" });
    const after = await open(attributeOf(add, "href") ?? "");
    const [picks] = elementsOf(after, "section").filter((one) => attributeOf(one, "id") === "picks");
    const listed = elementsOf(picks as Element, "table").flatMap(rowsOf);
    expect(listed.length).toBeGreaterThan(50);
    expect(listed.map(([hero]) => idOf(hero))).not.toContain(9);
    const [remove] = elementsOf(cellOf(after, 9), "a");
    expect([attributeOf(remove, "class"), elementsOf(remove as Element, "b")[0]?.text]).toEqual([
      "taken",
      wordsIn("ja").pairs.draft.sides.bans.mark,
    ]);
    expect(paramsOf(remove)).toEqual({ ...state, enemies: "1,18", bans: "3", side: "bans" });
    const [board] = elementsOf(after, "section").filter((one) => attributeOf(one, "id") === "board");
    const filled = elementsOf(board as Element, "a").filter((link) => attributeOf(link, "title") !== undefined);
    expect(filled.map((link) => [paramsOf(link).enemies, paramsOf(link).bans, paramsOf(link).hash])).toEqual([
      ["18", "3,9", "#board"],
      ["1", "3,9", "#board"],
      ["1,18", "9", "#board"],
      ["1,18", "3", "#board"],
    ]);
    const slots = elementsOf(board as Element, "a").map((link) => attributeOf(link, "class"));
    expect(slots.filter((one) => one === "slot empty next")).toHaveLength(1);
    expect(slots).toHaveLength(5 + 5 + 3);
  });

  test("goes on with the next side that has room, and has each hero once", async () => {
    const five = await open("/draft?enemies=1,2,3,4,5");
    expect(paramsOf(elementsOf(cellOf(five, 9), "a")[0])).toEqual({ enemies: "1,2,3,4,5", allies: "9", hash: "#h9" });
    const full = await open("/draft?enemies=1,2,3,4,5&allies=6,7,8,9&bans=10,11,12,13,14,15,16,17,18,19&side=bans");
    expect(elementsOf(cellOf(full, 30), "a")).toEqual([]);
    expect(full.text).toContain("All slots are filled");
    const twice = await open("/draft?enemies=1&allies=1,2&bans=2");
    expect(twice.text).toContain("A hero that is chosen more than once counts once.");
    expect(paramsOf(elementsOf(cellOf(twice, 9), "a")[0])).toEqual({ enemies: "1,9", allies: "2", hash: "#h9" });
  });

  test("tells which lanes its allies leave, and has the heroes of those", async () => {
    const lanes = Map.groupBy(
      queryFile<{ hero_id: number; lane: string }>(world.snapshot, "SELECT hero_id, lane FROM hero_lane"),
      ({ hero_id }) => hero_id,
    );
    const lanesOf = (id: number) => lanes.get(id)?.map(({ lane }) => lane) ?? [];
    const ids = [...lanes.keys()];
    const both = ids.find((id) => lanesOf(id).length === 2) ?? 0;
    const [first = "", second = ""] = lanesOf(both);
    const only = ids.find((id) => `${lanesOf(id)}` === first);
    const chips = async (allies: string) => {
      const [nav] = elementsOf(await open(`/draft?allies=${allies}`), "nav").filter(
        (one) => attributeOf(one, "aria-label") === "Lanes",
      );
      const told = elementsOf(nav as Element, "a").map((link) => [
        new URL(attributeOf(link, "href") ?? "", mirror.url).searchParams.get("lane"),
        elementsOf(link, "small")[0]?.text,
      ]);
      return new Map(told as [string, string | undefined][]);
    };
    const nameOf = async (id: number | undefined) => elementsOf(cellOf(await open("/draft"), id ?? 0), "bdi")[0]?.text;
    const one = await chips(`${both}`);
    const [name, other] = [await nameOf(both), await nameOf(only)];
    expect([one.get(first), one.get(second)]).toEqual(Array(2).fill(`open or ${name}`));
    expect([...one.values()].filter((text) => text === "open")).toHaveLength(3);
    expect([...one.keys()].slice(-2).toSorted()).toEqual([first, second].toSorted());
    // Where another ally has only the one lane, the first is left with its other.
    const two = await chips(`${both},${only}`);
    expect([two.get(first), two.get(second)]).toEqual([`${name}, ${other}`, name]);
    expect([...two.values()].filter((text) => text === "open")).toHaveLength(3);
    const shown = readDraft(await open(`/draft?allies=${both},${only}&lane=open&least=0`)).map(
      ({ hero_id }) => hero_id,
    );
    const wanted = ids.filter(
      (id) => id !== both && id !== only && lanesOf(id).some((lane) => lane !== first && lane !== second),
    );
    expect(shown.toSorted((a, b) => a - b)).toEqual(wanted.toSorted((a, b) => a - b));
  });

  test("begins with nobody, by win rate alone, and says what the estimate is not", async () => {
    const document = await open("/draft");
    expect(document.text).toContain("Until then the win rate alone counts.");
    expect(document.text).toContain("It is no forecast.");
    const wanted = fileRates("all", 7).filter(({ appearance_rate }) => appearance_rate >= 0.001);
    expect(document.text).toContain(`Left out, with less than 0.1% of the picks: ${133 - wanted.length} heroes.`);
    const shown = readDraft(document).map(({ win_rate }) => win_rate);
    expect(shown).toEqual(wanted.map(({ win_rate }) => win_rate).toSorted((a, b) => b - a));
  });
});

test("names of any kind come through the CSV as they are", () => {
  const names = ['"', 'a "b" ""c', "a,b", "a\nb\r\nc", "", "\u202eلا", "<b>&amp;", `"${",".repeat(200_000)}`];
  const text = writeCsv({ columns: ["hero_id", "name", "role"], rows: names.map((name, id) => [id, name, null]) });
  expect(parseCsv(text)).toEqual([["hero_id", "name", "role"], ...names.map((name, id) => [`${id}`, name, ""])]);
});

describe.skipIf(noBrowser)(`in a browser (${drawn})`, () => {
  drawTests(3);

  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const names = new Map(
    queryFile<{ hero_id: number; name: string }>(
      world.snapshot,
      "SELECT hero_id, name FROM hero_text WHERE lang = 'en'",
    ).map(({ hero_id, name }) => [hero_id, name]),
  );

  /** What is told of a cell, once the matrix is there. */
  const wordsOf = (page: Page) => page.locator("[aria-live]:not(:empty)").textContent();

  /** The pair that the address names, and what is told of it. */
  async function toldOf(page: Page) {
    const text = await wordsOf(page);
    const [, hero, other] = /#(\d+)-(\d+)$/.exec(await page.evaluate<string>("location.href")) ?? [];
    return { hero: Number(hero), other: Number(other), text };
  }

  const inWords = (points: readonly Point[], order: readonly number[], hero: number, played: string, other: number) => {
    const by = points.find((one) => one.hero_id === hero && one.other_hero_id === other)?.increase_win_rate;
    const size = by === undefined ? "unknown" : `${figuresIn("en").writePoints(by)} points`;
    const [row, column] = [hero, other].map((id) => `${order.indexOf(id) + 1} of ${order.length}`);
    return `${names.get(hero)} ${played} ${names.get(other)}: ${size}. Row ${row}, column ${column}.`;
  };

  const SIDES = [
    ["against", 0],
    ["with", 1],
  ] as const;
  test.for(draw.some(SIDES, 1))(
    "the matrix tells of each cell that the keys lead to, %s the other hero, and keeps it in the address",
    async ([played, type]) => {
      await using watched = await openWatched(browser, mirror.url);
      const { page, faults } = watched;
      await page.goto(`/matchups?rank=epic&played=${played}&sort=role#18-30`);
      const plane = page.getByRole("application");
      await plane.focus();
      const points = filePoints("epic", type);
      const { rows } = await readCsv(`/matchups?rank=epic&played=${played}&sort=role&format=csv`);
      const order = rows.map(([id]) => Number(id));
      expect((await toldOf(page)).text).toBe(inWords(points, order, 18, played, 30));
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
        expect(await toldOf(page), key).toEqual({ hero, other, text: inWords(points, order, hero, played, other) });
      }
      expect(await findBarriers(page)).toEqual([]);
      const { text } = await toldOf(page);
      await page.reload();
      expect(await wordsOf(page)).toBe(text);
      const { hero, other } = await toldOf(page);
      await page.getByLabel("Rank").selectOption("glory");
      await page.waitForURL(/rank=glory/);
      expect(await toldOf(page)).toEqual({
        hero,
        other,
        text: inWords(filePoints("glory", type), order, hero, played, other),
      });
      await page.getByRole("application").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`hero=${hero}#${hero}-${other}$`));
      await expect.poll(() => page.locator("h2").nth(1).textContent()).toContain(names.get(hero));
      await page.getByLabel("Hero", { exact: true }).selectOption("2");
      await page.waitForURL(/hero=2$/);
      expect(await wordsOf(page)).toContain(`Balmond ${played} `);
      expect(faults).toEqual([]);
    },
  );

  test.for(draw.some(["light", "dark"] as const, 1))(
    "the matrix is blue where it is better and orange where it is worse, %s",
    async (colorScheme) => {
      await using watched = await openWatched(browser, mirror.url, { colorScheme });
      const { page } = watched;
      const points = filePoints("all", 0).filter(({ increase_win_rate: by }) => Math.abs(by) > 0.05);
      for (const { hero_id, other_hero_id, increase_win_rate: by } of [points[0], points.at(-1)].flatMap(
        (one) => one ?? [],
      )) {
        await page.goto("/");
        await page.goto(`/matchups#${hero_id}-${other_hero_id}`);
        await wordsOf(page);
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

  const ROOMS = [360, 1400].flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ width, javaScriptEnabled })),
  );
  test.for(draw.some(ROOMS, 1))(
    "a board is filled by taps that stay where they are, $width px, scripts $javaScriptEnabled",
    async ({ width, javaScriptEnabled }) => {
      const options = { viewport: { width, height: 740 }, javaScriptEnabled };
      await using watched = await openWatched(browser, mirror.url, options);
      const { page, faults } = watched;
      const topOf = async (place: string) => (await page.locator(place).first().boundingBox())?.y ?? Number.NaN;
      await page.goto("/draft?enemies=1&allies=2");
      expect(await topOf("#picks tbody tr")).toBeLessThan(700);
      await page.getByRole("link", { name: "Choose an enemy" }).click();
      await page.waitForURL(/#heroes$/);
      for (const id of [10, 50, 100]) {
        const hero = page.locator(`#h${id} a`);
        await hero.click();
        await page.waitForURL(new RegExp(`,${id}&allies=2#h${id}$`));
        expect(await hero.getAttribute("class")).toBe("taken");
        const top = await topOf(`#h${id}`);
        // Below what is chosen and the best picks, which stay in sight.
        expect(top).toBeGreaterThanOrEqual(((await topOf(".now")) || 0) + 100);
        expect(top).toBeLessThan(740 - 44);
        expect(
          await page
            .locator(".now")
            .getByRole("link", { name: /^Best: / })
            .isVisible(),
        ).toBe(true);
      }
      if (width > 1000) expect(await page.evaluate<number>("scrollY")).toBe(0);
      if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
      await page.locator("#board .slot").nth(1).click();
      await page.waitForURL(/enemies=1,50,100&allies=2#board$/);
      const small = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll(".draft :is(.slot, .heroes a, .chips a, summary, .now p a)")]
        .filter((one) => { const { width, height } = one.getBoundingClientRect(); return Math.min(width, height) < 43.99; })
        .map((one) => one.outerHTML.slice(0, 80))`);
      expect(small).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test("the matrix follows the mouse, and keeps what is clicked", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 1400, height: 1400 } });
    const { page } = watched;
    await page.goto("/matchups");
    const canvas = page.locator("canvas");
    const told = () => wordsOf(page);
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
    const order = (await readCsv("/matchups?format=csv")).rows.map(([id]) => Number(id));
    expect(text).toBe(inWords(filePoints("all", 0), order, hero, "against", other));
  });

  test("is shown row by row on a phone, with links that a finger hits", async () => {
    await using watched = await openWatched(browser, mirror.url, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    const { page, faults, asked } = watched;
    await page.goto("/matchups?hero=18", { waitUntil: "networkidle" });
    expect(await page.locator("#matrix").isVisible()).toBe(false);
    expect(
      asked.filter((path) => path === "/matchups"),
      "without its values",
    ).toHaveLength(1);
    const small = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll(".matchups a, .matchups summary")].flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      return Math.min(width, height) < 43.9 ? [one.textContent + " " + width + " × " + height] : [];
    })`);
    expect(small).toEqual([]);
    await page.getByRole("link", { name: "Choose another hero" }).click();
    const other = page.locator("h2#every ~ .wide").getByRole("link", { name: "Balmond" });
    await Promise.all([page.waitForURL(/hero=2$/), other.click()]);
    expect(await page.locator("h2").filter({ visible: true }).first().textContent()).toContain("Balmond");
    // A tablet that is turned has room for the whole.
    await page.setViewportSize({ width: 1000, height: 740 });
    await expect.poll(() => wordsOf(page)).toContain("Balmond against ");
    expect(faults).toEqual([]);
  });

  test("is printed on one page, with its colours", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.goto("/matchups", { waitUntil: "networkidle" });
    // A page of A4 within margins of a centimetre.
    const [width, height] = [718, 1047];
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width, height });
    const boxOf = async (selector: string) => page.locator(selector).boundingBox();
    // What was chosen is on the paper, the form is not.
    expect(await page.locator(".choosing > summary").isVisible()).toBe(true);
    expect(await page.locator(".choosing select").first().isVisible()).toBe(false);
    expect((await boxOf("#matrix"))?.height).toBeLessThan(height);
    const canvas = await boxOf("#matrix canvas");
    expect(canvas?.width).toBeLessThanOrEqual(width);
    expect(canvas?.width).toBeGreaterThan(width / 2);
    for (const selector of [".scale", "canvas", ".bar"]) {
      const one = page.locator(selector).first();
      expect(await one.isVisible()).toBe(true);
      const adjusted = `getComputedStyle(document.querySelector("${selector}")).printColorAdjust`;
      expect(await page.evaluate<string>(adjusted)).toBe("exact");
    }
  });

  test("the matrix leaves the tables where it cannot be loaded", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.route(/format=csv/, (route) => route.abort());
    await page.goto("/matchups");
    await page.getByText("It could not be loaded.").waitFor();
    expect(await page.getByRole("table").count()).toBe(2);
  });
});
