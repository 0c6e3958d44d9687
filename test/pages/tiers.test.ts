/** The tier list: its rates, tiers, dots and filters. */
import { afterAll, describe, expect, test } from "vitest";
import { RANK_CODES } from "../../src/api/enumerations.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { expectNear, readCharts } from "../helpers/charts.ts";
import {
  attributeOf,
  type Element,
  elementsOf,
  faultsOfDocument,
  numberIn,
  parseHtml,
  rowsOf,
  tableOf,
} from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { askApi, idOf, openPage } from "../helpers/people.ts";
import { fileRates, percent, type Rate } from "../helpers/rates.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

/** The rows of a tier list. */
const readTiers = (document: Element, caption: string) =>
  rowsOf(tableOf(document, caption)).map(([, hero, win, pick, ban]) => ({
    hero_id: idOf(hero),
    name: (hero && elementsOf(hero, "a")[0]?.text) ?? "",
    win_rate: numberIn(win),
    appearance_rate: numberIn(pick),
    ban_rate: numberIn(ban),
  }));

/** A rate of few picks counts less. */
const shrink = ({ win_rate, appearance_rate }: Rate) =>
  0.5 + (win_rate - 0.5) * (appearance_rate / (appearance_rate + 0.0025));

/** What the tier list has by default, in its order. */
const byTier = (rates: readonly Rate[]) =>
  rates
    .filter(({ appearance_rate }) => appearance_rate >= 0.001)
    .toSorted((a, b) => shrink(b) - shrink(a) || a.hero_id - b.hero_id);

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

describe("the tier list", () => {
  test.for([
    ["win_rate", "win_rate"],
    ["pick_rate", "appearance_rate"],
    ["ban_rate", "ban_rate"],
  ] as const)("by %s has the figures of the file and of the API", async ([sort, column]) => {
    const document = await open(`/tiers?rank=glory&days=15&lang=ja&least=0&sort=${sort}`);
    const shown = readTiers(document, "Mythical Glory");
    expect(shown).toEqual(fileRates("glory", 15, "ja", column));
    for (const rate of elementsOf(tableOf(document, "Mythical Glory"), "data"))
      expect(rate.text).toBe(percent(Number(attributeOf(rate, "value"))));
    const told = await askApi(
      mirror,
      `/api/heroes/rank?rank=glory&days=15&size=200&lang=ja&sort_field=${sort}&sort_order=desc`,
    );
    expect(shown.map((one) => one[column])).toEqual(
      told.map((one) => one[sort === "win_rate" ? "main_hero_win_rate" : `main_hero_${column}`]),
    );
  });

  test("by tier draws rates of seldom picks towards 50 %, and explains it by its first hero", async () => {
    const document = await open("/tiers?rank=epic&days=30");
    const rates = byTier(fileRates("epic", 30, "en", "win_rate"));
    expect(readTiers(document, "heroes, Epic, 30 days")).toEqual(rates);
    const tiers = rowsOf(tableOf(document, "heroes, Epic, 30 days")).map(([tier]) => tier?.text);
    const bounds = [0.53, 0.51, 0.49, 0.47, 0];
    expect(tiers).toEqual(rates.map((rate) => "SABCD"[bounds.findIndex((from) => shrink(rate) >= from)]));
    expect(new Set(tiers).size).toBe(5);
    const [first] = rates as [Rate];
    const example = `${first.name} wins ${percent(first.win_rate)} with ${percent(first.appearance_rate)} of the picks, which counts as ${percent(shrink(first))}: tier S.`;
    expect(document.text).toContain(example);
  });

  test.for([
    ["/tiers?sort=name", "All ranks, 7 days"],
    ["/tiers?sort=ban_rate&role=tank", "All ranks, 7 days, Tank"],
  ] as const)("has the filters and best heroes of %s in title and description", async ([path, listed]) => {
    const document = await open(path);
    const [best] = byTier(readTiers(document, `heroes, ${listed}`));
    const metas = elementsOf(document, "meta").map((meta) => attributeOf(meta, "content"));
    const told = `${listed}: ${best?.name} ${(100 * (best?.win_rate ?? 0)).toFixed(1)}%, `;
    expect(metas.filter((content) => content?.startsWith(told))).toHaveLength(2);
    expect(elementsOf(document, "title")[0]?.text).toContain(`Tier list: ${listed} ·`);
    const [, seldom] = /Left out, with less than 0.1% of the picks: (\d+) hero/.exec(document.text) ?? [];
    const all = readTiers(await open(`${path}&least=0`), `heroes, ${listed}`);
    expect(all).toHaveLength(readTiers(document, `heroes, ${listed}`).length + Number(seldom));
  });

  test("by role, lane and least pick rate has the heroes that the API has", async () => {
    const shown = readTiers(
      await open("/tiers?role=tank&lane=roam&least=0.005&sort=win_rate"),
      "heroes, All ranks, 7 days, Tank, Roam",
    );
    const told = await askApi(mirror, "/api/heroes/positions?role=tank&lane=roam&size=200");
    const places = new Set(told.map((one) => one.hero_id));
    const wanted = fileRates("all", 7, "en", "win_rate").filter(
      (rate) => places.has(rate.hero_id) && rate.appearance_rate >= 0.005,
    );
    expect(wanted.length).toBeGreaterThan(0);
    expect(shown).toEqual(wanted);
  });

  test("tells how each hero stands over the ranks", async () => {
    const rows = rowsOf(tableOf(await open("/tiers?days=3&least=0&sort=name"), "Win rate in each rank"));
    expect(rows).toHaveLength(133);
    for (const [hero, ...cells] of rows.slice(0, 5)) {
      const id = idOf(hero);
      const rates = RANK_CODES.map(
        (rank) => fileRates(rank, 3, "en", "win_rate").find((rate) => rate.hero_id === id)?.win_rate,
      );
      expect(cells.slice(0, -1).map(numberIn)).toEqual(rates);
      const ends = [rates[1], rates.at(-1)].map((rate) => `${(100 * (rate ?? 0)).toFixed(1)}%`);
      const [line] = elementsOf(cells.at(-1) as Element, "svg");
      expect(attributeOf(line, "aria-label")).toBe(ends.join(" → "));
      expect(attributeOf(line && elementsOf(line, "path")[0], "d")?.match(/[ML]/g)).toHaveLength(5);
    }
  });

  test("shows each hero as a dot beside the table", async () => {
    const document = await open("/tiers?role=mage");
    const shown = readTiers(document, "heroes, All ranks, 7 days");
    const mages = shown.length;
    const charts = readCharts(document);
    expect(charts.map(({ dots }) => dots.length)).toEqual([mages, mages]);
    const [picks, bans] = charts;
    expectNear(
      picks?.dots.map(({ y }) => y),
      shown.map(({ win_rate }) => win_rate),
    );
    expectNear(
      picks?.dots.map(({ x }) => x),
      shown.map(({ appearance_rate }) => appearance_rate),
    );
    const wanted = (name: string, pick: (one: (typeof shown)[number]) => number) =>
      shown.map((one) => [one.name, `Win rate ${percent(one.win_rate)}`, `${name} ${percent(pick(one))}`]);
    const told = (chart: typeof picks) => chart?.told.map(([name, , ...rates]) => [name, ...rates]);
    expect(told(picks)).toEqual(wanted("Pick rate", (one) => one.appearance_rate));
    expect(told(bans)).toEqual(wanted("Ban rate", (one) => one.ban_rate));
  });

  test("draws dots by their first role, which are links to the heroes in the state of the page", async () => {
    const document = await open("/tiers?rank=mythic&lang=ja&least=0");
    const roles = queryFile<{ hero_id: number; role: string | null; title: string | null }>(
      world.snapshot,
      `SELECT hero_id, role, (SELECT title FROM role_text WHERE role_text.role = one.role AND lang = 'ja') AS title
       FROM hero LEFT JOIN hero_role AS one USING (hero_id)
       WHERE position IS (SELECT min(position) FROM hero_role AS other WHERE other.hero_id = hero.hero_id)`,
    );
    const kindOf = new Map(
      roles.map(({ hero_id, role, title }) => [
        hero_id,
        { code: role ?? "other", word: title ?? wordsIn("ja").heroes.charts.noRole },
      ]),
    );
    expect(kindOf.size).toBe(133);
    const dots = elementsOf(document, "a").filter((link) => attributeOf(link, "class")?.startsWith("mark "));
    expect(dots).toHaveLength(2 * 133);
    for (const dot of dots) {
      const { pathname, search } = new URL(attributeOf(dot, "href") ?? "", mirror.url);
      expect(search).toBe("?lang=ja&rank=mythic");
      const { code, word } = kindOf.get(Number(pathname.split("/").at(-1))) ?? {};
      expect(attributeOf(dot, "class")).toBe(`mark ${code}`);
      expect(attributeOf(elementsOf(dot, "use")[0], "href")).toBe(`#shape-${code}`);
      expect(dot.text).toContain(` · \u2068${word}\u2069 · `);
    }
    const [key] = elementsOf(document, "ul").filter((list) => attributeOf(list, "class") === "key");
    const keys = key?.children.map((item) => [attributeOf(elementsOf(item, "path")[0], "id"), item.text]);
    expect(new Map(keys as [string, string][])).toEqual(
      new Map([...kindOf.values()].map(({ code, word }) => [`shape-${code}`, word])),
    );
    const outlines = key?.children.map((item) => attributeOf(elementsOf(item, "path")[0], "d"));
    expect(new Set(outlines).size).toBe(keys?.length);
  });

  test("begins on the first page", async () => {
    const shown = readTiers(await open("/?lang=ko"), "20");
    expect(shown).toEqual(byTier(fileRates("all", 7, "ko", "win_rate")).slice(0, 20));
  });

  test("keeps its state in the form", async () => {
    const document = await open("/tiers?rank=honor&role=mage&lang=ar");
    const chosen = elementsOf(document, "option").filter((option) => option.attributes.has("selected"));
    expect(chosen.map((option) => attributeOf(option, "value"))).toEqual(["honor", "7", "0.001"]);
    const [form] = elementsOf(document, "form").filter((one) => attributeOf(one, "class") === "choices");
    const hidden = elementsOf(form as Element, "input").map((one) => [
      attributeOf(one, "name"),
      attributeOf(one, "value"),
    ]);
    expect(hidden).toEqual([
      ["lang", "ar"],
      ["role", "mage"],
    ]);
    const current = elementsOf(document, "a", "b").filter((one) => attributeOf(one, "aria-current") === "true");
    const [mage] = queryFile<{ title: string }>(
      world.snapshot,
      "SELECT title FROM role_text WHERE role = 'mage' AND lang = 'ar'",
    );
    expect(current.map(({ text }) => text)).toEqual([
      "العربية",
      mage?.title,
      wordsIn("ar").frame.allLanes,
      wordsIn("ar").heroes.tiers.tier,
    ]);
  });
});
describe("a value that a parameter may not have", () => {
  const RANKS_TOLD = "Values are: all, epic, legend, mythic, honor, glory.";

  test.for([
    ["rank=silver", `There is no value “silver” of rank. ${RANKS_TOLD}`],
    ["rank=%3Cscript%3E", `There is no value “<script>” of rank. ${RANKS_TOLD}`],
    [`rank=${"x".repeat(5000)}`, `There is no value “${"x".repeat(40)}…” of rank. ${RANKS_TOLD}`],
    ["days=2", "There is no value “2” of days. Values are: 1, 3, 7, 15, 30."],
    ["lang=xx", "There is no value “xx” of lang. Values are: en, id, "],
    ["role=__proto__", "There is no value “__proto__” of role. Values are: all, tank, "],
    ["sort=constructor", "There is no value “constructor” of sort. Values are: tier, win_rate, "],
    ["least=1e9", "There is no value “1e9” of least. Values are: 0, 0.001, "],
    ["lane=%00", "There is no value “” of lane. Values are: all, exp, "],
    ["days=1&days=3&days=7", "Values of days that can be used at once: 1. The others are ignored."],
  ] as const)("as in %s is named with those that are, and left out", async ([query, told]) => {
    const source = await (await fetch(`${mirror.url}/tiers?${query}`)).text();
    const document = parseHtml(source);
    expect(faultsOfDocument(document)).toEqual([]);
    expect(elementsOf(document, "p").map(({ text }) => text)).toContainEqual(expect.stringContaining(told));
    if (query.startsWith("days=1&")) return;
    expect(readTiers(document, "heroes, ")).toEqual(byTier(fileRates("all", 7, "en", "win_rate")));
  });
});
