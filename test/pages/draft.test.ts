/** The page of a draft. */
import { afterAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, type Element, elementsOf, numberIn, rowsOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { askApi, askPoints, idOf, openPage, readCsv } from "../helpers/people.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { AGAINST, filePoints, fileRates } from "../helpers/rates.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startWithPages(world.snapshot, createPages({ pictures: true }));
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

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

describe("a draft", () => {
  const PATH = "/draft?enemies=1,2,18&allies=30&allies=7&bans=40,55&rank=mythic&days=15";
  const CHOSEN = [1, 2, 18, 30, 7, 40, 55];

  test("adds to the own win rate what the API says of each hero against each enemy and with each ally", async () => {
    const shown = readDraft(await open(PATH));
    const rates = (await askApi(mirror, "/api/heroes/rank?rank=mythic&days=15&size=500")) as Record<string, number>[];
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
        askPoints(mirror, hero_id, "counters", "mythic"),
        askPoints(mirror, hero_id, "teammates", "mythic"),
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
      filePoints("all", AGAINST).map((one) => [`${one.hero_id} ${one.other_hero_id}`, one.increase_win_rate]),
    );
    const ids = rates.map(({ hero_id }) => hero_id).toSorted((a, b) => a - b);
    const random = createRandom("drafts");
    for (let count = 0; count < 50; count += 1) {
      const enemies = random.shuffle(ids).slice(0, 5);
      const gains = rates
        .filter(({ hero_id, appearance_rate }) => appearance_rate >= 0.001 && !enemies.includes(hero_id))
        .map(({ hero_id, win_rate }) => {
          const parts = enemies.map((enemy) => points.get(`${hero_id} ${enemy}`) ?? Number.NaN);
          return parts.reduce((a, b) => a + b, win_rate - 0.5);
        });
      const { head, rows } = await readCsv(mirror, `/draft?enemies=${enemies}&format=csv`);
      const [known, estimate] = ["known", "estimate"].map((name) => Number(rows[0]?.[head.indexOf(name)]));
      const told = `against ${enemies}, SEED=${SEED}`;
      expect(known, told).toBe(5);
      expect(estimate, told).toBeCloseTo(Math.max(...gains.filter((gain) => !Number.isNaN(gain))), 12);
    }
  });

  test("sets apart what has fewer known pairings, and takes none for 0", async () => {
    const points = new Set(filePoints("all", AGAINST).map((one) => `${one.hero_id} ${one.other_hero_id}`));
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
    const rates = queryFile(
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
    const { head, rows } = await readCsv(mirror, `${PATH}&format=csv`);
    const others = ["against_1", "against_2", "against_18", "with_30", "with_7"];
    const own = ["hero_id", "hero", "known", "estimate", "win_rate", "sum", "appearance_rate"];
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
    const state = { rank: "mythic", days: "15", lang: "ja", lane: "mid", least: "0", hash: "#h9" };
    const query = "rank=mythic&days=15&lang=ja&lane=mid&least=0";
    const before = await open(`/draft?enemies=1,18&bans=3&side=bans&${query}`);
    const [add] = elementsOf(cellOf(before, 9), "a");
    expect(paramsOf(add)).toEqual({ ...state, enemies: "1,18", bans: "3,9", side: "bans" });
    const after = await open(attributeOf(add, "href") ?? "");
    const [picks] = elementsOf(after, "section").filter((one) => attributeOf(one, "id") === "picks");
    const listed = elementsOf(picks as Element, "table").flatMap(rowsOf);
    const wanted = queryFile<{ hero_id: number }>(
      world.snapshot,
      "SELECT hero_id FROM hero_lane WHERE lane = 'mid' AND hero_id NOT IN (1, 18, 3, 9) ORDER BY hero_id",
    );
    expect(wanted.length).toBeGreaterThan(20);
    expect(listed.map(([hero]) => idOf(hero)).toSorted((a, b) => a - b)).toEqual(wanted.map(({ hero_id }) => hero_id));
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
    expect(paramsOf(elementsOf(cellOf(twice, 9), "a")[0])).toEqual({ enemies: "1,9", allies: "2", hash: "#h9" });
    const notes = elementsOf(twice, "p").filter((one) => attributeOf(one, "class") === "note");
    expect(notes.map(({ text }) => text.trim())).toEqual([
      "“1” of allies is ignored: enemies has it already.",
      "“2” of bans is ignored: allies has it already.",
    ]);
  });

  test("tells crawlers not to follow its links once somebody is on the board, as they lead on without end", async () => {
    const robotsOf = async (path: string) =>
      elementsOf(await open(path), "meta")
        .filter((one) => attributeOf(one, "name") === "robots")
        .map((one) => attributeOf(one, "content"));
    for (const board of ["enemies=1", "allies=2", "bans=3&rank=mythic"])
      expect(await robotsOf(`/draft?${board}`), board).toEqual(["noindex, nofollow"]);
    for (const path of ["/draft", "/draft?rank=mythic", "/tiers"]) expect(await robotsOf(path), path).toEqual([]);
  });

  test("takes the lane of an address for unknown if it is none, and has everybody", async () => {
    const [all, open] = await Promise.all([openPage(mirror, "/draft"), openPage(mirror, "/draft?lane=open")]);
    const [note] = elementsOf(open, "p").filter((one) => attributeOf(one, "class") === "note");
    expect(note?.text).toContain("open");
    expect(readDraft(open)).toEqual(readDraft(all));
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
