import { request } from "node:http";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANE_CODES, LANG_CODES, type Lang, RANK_CODES } from "../../src/api/enumerations.ts";
import { factsOf } from "../../src/pages/facts.ts";
import { figuresIn } from "../../src/pages/figures.ts";
import { PAGES } from "../../src/pages/list.ts";
import { createPages } from "../../src/pages/pages.ts";
import { TIER_LIST } from "../../src/pages/rates/tier-list.ts";
import { readCharts } from "../helpers/charts.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
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
import { type RunningMirror, startFollowing, startWithPages } from "../helpers/mirror.ts";
import { idOf, openPage, readTiers } from "../helpers/people.ts";
import { runCommand } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
});
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

const errorOf = async (response: Response) => expectScheme(response.status, await response.text()).code;

interface Listed {
  data: { records: { data: Record<string, unknown> }[] };
}

async function askApi(path: string) {
  const { data } = (await (await fetch(mirror.url + path)).json()) as Listed;
  return data.records.map((record) => record.data);
}

/** Every page, in its first state and in others. */
const ADDRESSES = [
  "/",
  "/?lang=ar",
  "/tiers",
  "/tiers?rank=glory&days=30&role=mage&lane=mid&sort=name&least=0.001&lang=ja",
  "/heroes",
  "/heroes?q=an&role=mage&lane=mid&lang=ar",
  "/heroes?q=%3Cscript%3E%22&lang=ja",
  "/heroes/1",
  "/heroes/2?rank=mythic&days=1&lang=ar",
  "/heroes/3?lang=zh-TW",
  "/data",
  "/changes",
  "/changes?rank=glory&lang=ar",
  "/compare",
  "/compare?heroes=1,2,18,30&rank=epic&lang=ar",
  "/sql",
  "/sql?lang=ar",
  "/trends",
  "/docs",
  "/docs?endpoint=rank",
  "/docs?endpoint=stats&lang=ar",
  "/trends?heroes=3,4&rate=ban_rate&rank=glory&lang=ja",
  "/matchups",
  "/matchups?rank=epic&played=with&sort=similarity&hero=18&lang=ar",
  "/draft",
  "/draft?enemies=1,2,3,4,5&allies=6,7,8,9&bans=10,11,12,13,14,15,16,17,18,19&role=mage&lane=open&least=0&sort=win_rate&lang=ar",
];

describe("every page", () => {
  test("is tried here", () => {
    for (const { route } of PAGES)
      expect(ADDRESSES.some((path) => new RegExp(`^${route.replace("{id}", "\\d+")}(\\?|$)`).test(path))).toBe(true);
  });

  test.for(ADDRESSES)("%s is a good document, with its policy and its credit", async (path) => {
    const response = await fetch(mirror.url + path);
    const document = parseHtml(await response.text());
    expect(faultsOfDocument(document)).toEqual([]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'self'; img-src 'self' https:;/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    const { attribution, version } = mirror.active.snapshot.head;
    const [footer] = elementsOf(document, "footer");
    expect(footer?.text).toContain(attribution);
    expect(footer?.text).toContain(version);
    const [page] = elementsOf(document, "html");
    const words = attributeOf(page, "lang");
    expect(document.text).toContain(wordsIn(words as Lang).frame.madeUp.text);
    const lang = new URL(path, mirror.url).searchParams.get("lang") ?? "en";
    expect(words).toBe(/^\/(?:data|sql|docs)/.test(path) ? "en" : wordsIn(lang as Lang).frame.language);
    expect(attributeOf(page, "dir")).toBe(words === "ar" ? "rtl" : "ltr");
    expect(document.text.includes("The words of this page are in English.")).toBe(words === "en" && lang !== "en");
  });

  test("leads to nothing that is not there", async () => {
    const documents = await Promise.all(
      ["/", "/tiers", "/heroes/1", "/data", "/draft?enemies=1&allies=2", "/compare?heroes=1,2", "/docs"].map((path) =>
        open(path),
      ),
    );
    const named = documents.flatMap((document) => [
      ...elementsOf(document, "a", "link").map((one) => attributeOf(one, "href") ?? ""),
      ...elementsOf(document, "form").map((one) => attributeOf(one, "action") ?? ""),
    ]);
    const paths = [...new Set(named.filter((path) => path.startsWith("/")))];
    expect(paths.length).toBeGreaterThan(100);
    expect(named.filter((path) => !/^[/#]/.test(path))).toEqual([]);
    // All heroes are alike.
    for (const path of paths.filter((one) => !/^\/heroes\/\d*[1-9]$|#h\d*[1-9]$/.test(one))) {
      const { status } = await fetch(mirror.url + path, { method: "HEAD" });
      expect(status, path).toBe(200);
    }
  });

  test.for([
    "/",
    "/tiers",
    "/heroes?lang=th",
    "/heroes/1",
    "/data",
    "/compare?heroes=1,2,3,4",
    "/trends",
    "/matchups",
    "/draft?enemies=1,2,3,4,5",
    "/draft?enemies=1,2,3,4,5&allies=6,7,8,9",
  ])("%s is light", async (path) => {
    const text = await (await fetch(mirror.url + path)).text();
    expect(brotliCompressSync(text).length).toBeLessThan(25_000);
  });

  test("has each language in the picker, and keeps the state in it", async () => {
    const document = await open("/tiers?rank=epic&lang=ja");
    const links = elementsOf(document, "a").filter((link) => link.attributes.has("hreflang"));
    expect(links).toHaveLength(17);
    expect(
      attributeOf(
        links.find((link) => attributeOf(link, "hreflang") === "de"),
        "href",
      ),
    ).toBe("/tiers?lang=de&rank=epic");
    expect(links.filter((link) => attributeOf(link, "aria-current") === "true").map(({ text }) => text)).toEqual([
      "日本語",
    ]);
  });
});

interface Rate {
  hero_id: number;
  name: string;
  win_rate: number;
  appearance_rate: number;
  ban_rate: number;
}

const fileRates = (rank: string, days: number, lang: string, order: string) =>
  queryFile<Rate>(
    world.snapshot,
    `SELECT rate.hero_id, name, win_rate, appearance_rate, ban_rate FROM hero_rate AS rate JOIN hero_text USING (hero_id)
     WHERE rank = ? AND days = ? AND lang = ? ORDER BY ${order} DESC, hero_id`,
    rank,
    days,
    lang,
  );

/** As a page writes a share: one decimal, and below 1 % two digits, as far as the six decimals of the file go. */
function percent(share: number): string {
  const decimals = [0.00995, 0.000995, 0.0000995].findIndex((least) => share >= least);
  return `${(100 * share).toFixed(share === 0 ? 1 : decimals < 0 ? 4 : decimals + 1)}%`;
}

const shrink = ({ win_rate, appearance_rate }: Rate) =>
  0.5 + (win_rate - 0.5) * (appearance_rate / (appearance_rate + 0.0025));

/** What the tier list has by default, in its order. */
const byTier = (rates: readonly Rate[]) =>
  rates
    .filter(({ appearance_rate }) => appearance_rate >= 0.001)
    .toSorted((a, b) => shrink(b) - shrink(a) || a.hero_id - b.hero_id);

const IN_WORDS = {
  en: {
    percents: ["57.5%", "0.14%", "53%", "0.25%"],
    points: ["+1.6", "−1.6", "±0.0", "−0.04"],
    counts: ["30,000", "−1200"],
    bytes: ["1.5 kB", "250.0 MB"],
    times: ["2026-11-25 07:17 UTC", "2026-11-25", "Nov 25", "14 days"],
  },
  de: {
    percents: ["57,5\u00a0%", "0,14\u00a0%", "53\u00a0%", "0,25\u00a0%"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30.000", "−1200"],
    bytes: ["1,5 kB", "250,0 MB"],
    times: ["25.11.2026, 07:17 UTC", "25.11.2026", "25. Nov.", "14 Tage"],
  },
  fr: {
    percents: ["57,5\u00a0%", "0,14\u00a0%", "53\u00a0%", "0,25\u00a0%"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30\u202f000", "−1200"],
    bytes: ["1,5\u202fko", "250,0\u202fMo"],
    times: ["25 nov. 2026, 07:17 UTC", "25 nov. 2026", "25 nov.", "14\u00a0jours"],
  },
  tr: {
    percents: ["%57,5", "%0,14", "%53", "%0,25"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30.000", "−1200"],
    bytes: ["1,5 kB", "250,0 MB"],
    times: ["25 Kas 2026 07:17 UTC", "25 Kas 2026", "25 Kas", "14 gün"],
  },
  ja: {
    percents: ["57.5%", "0.14%", "53%", "0.25%"],
    points: ["+1.6", "−1.6", "±0.0", "−0.04"],
    counts: ["30,000", "−1200"],
    bytes: ["1.5 KB", "250.0 MB"],
    times: ["2026/11/25 7:17 UTC", "2026/11/25", "11月25日", "14 日"],
  },
  // A sign stands alone with its number in the direction of numbers.
  ar: {
    percents: ["57.5\u200e%\u200e", "0.14\u200e%\u200e", "53\u200e%\u200e", "0.25\u200e%\u200e"],
    points: ["\u2066+1.6\u2069", "\u2066−1.6\u2069", "\u2066±0.0\u2069", "\u2066−0.04\u2069"],
    counts: ["30,000", "\u2066−1200\u2069"],
    bytes: ["1.5 كيلوبايت", "250.0 م.ب"],
    times: [...["25\u200f/11\u200f/2026، 7:17 ص UTC", "25\u200f/11\u200f/2026"], ...["25 نوفمبر", "14 يومًا"]],
  },
} satisfies Partial<Record<Lang, Record<"percents" | "points" | "counts" | "bytes" | "times", string[]>>>;

describe("figures", () => {
  test.for(Object.entries(IN_WORDS))("in %s are written as that language has them", ([lang, written]) => {
    const figures = figuresIn(lang as Lang);
    const textOf = (shown: { text: string }) => parseHtml(shown.text).text;
    const { writePercent, writePoints } = figures;
    const [iso, day] = ["2026-11-25T07:17:09Z", "2026-11-25"];
    expect({
      percents: [writePercent(0.575), writePercent(0.0014), writePercent(0.53, 0), figures.writeRoundPercent(0.0025)],
      points: [...[0.016, -0.016, -0.0001].map((one) => writePoints(one)), figures.writeChange(-0.0004)],
      counts: [textOf(figures.count(30_000)), figures.writeDifference(-1200)],
      bytes: [1500, 2.5e8].map((size) => textOf(figures.bytes(size))),
      times: [
        ...[textOf(figures.time(iso)), textOf(figures.day(day))],
        ...[figures.writeShortDay(new Date(day)), figures.writeUnits("day", 14)],
      ],
    }).toEqual(written);
    // What is no day stays as the data has it.
    expect(["2026-02-30", "soon"].map(figures.writeDay)).toEqual(["2026-02-30", "soon"]);
    expect(figures.time(iso).text).toContain(`datetime="${iso}"`);
    expect(textOf(figures.percent(null))).toBe("–");
  });

  test("in German, of the tier list, are those of the API", async () => {
    const { snapshot } = mirror.active;
    const facts = factsOf(snapshot, "de");
    const context = {
      ...{ snapshot, facts, path: "/tiers", lang: "de" as const, messages: facts.messages, figures: figuresIn("de") },
      values: { lang: "de", rank: "glory", days: "15", role: "all", lane: "all", least: "0", sort: "win_rate" },
      ...{ pictures: false, publicUrl: undefined, published: () => undefined, now: 0 },
      others: { list: () => [], readChanges: () => undefined },
    };
    const [listing] = elementsOf(parseHtml(TIER_LIST.render(context, 0).main.text), "table");
    const rates = rowsOf(listing as Element).map(([, , rate]) => rate && elementsOf(rate, "data")[0]);
    const told = await askApi(
      "/api/heroes/rank?rank=glory&days=15&size=200&lang=de&sort_field=win_rate&sort_order=desc",
    );
    expect(rates.map((rate) => Number(attributeOf(rate, "value")))).toEqual(told.map((one) => one.main_hero_win_rate));
    for (const rate of rates)
      expect(rate?.text).toBe(
        percent(Number(attributeOf(rate, "value")))
          .replace(".", ",")
          .replace("%", "\u00a0%"),
      );
  });
});

/** As near as a drawing is, which has tenths of its units. */
function expectNear(drawn: readonly number[] | undefined, figures: readonly number[]) {
  expect(drawn).toHaveLength(figures.length);
  for (const [place, figure] of figures.entries()) expect(drawn?.[place]).toBeCloseTo(figure, 3);
}

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
    const told = await askApi("/api/heroes/positions?role=tank&lane=roam&size=200");
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

const isHero = (id: number) => (rate: Rate) => rate.hero_id === id;

describe("the state of a page", () => {
  test.for([
    "/tiers",
    "/heroes?q=an",
    "/heroes/1",
    "/compare?heroes=1,2",
    "/trends?heroes=1",
    "/matchups?hero=2",
    "/draft?enemies=1",
    "/",
    "/data",
    "/sql",
    "/docs",
  ])("travels with each link of %s", async (path) => {
    const document = await open(`${path}${path.includes("?") ? "&" : "?"}rank=mythic&days=30&lang=ja`);
    const addresses = elementsOf(document, "a")
      .filter((link) => !link.attributes.has("hreflang") && !attributeOf(link, "href")?.startsWith("#"))
      .map((link) => new URL(attributeOf(link, "href") ?? "", `${mirror.url}${path}`))
      .filter(({ pathname }) => PAGES.some(({ route }) => route === pathname.replace(/\d+$/, "{id}")));
    expect(addresses.length).toBeGreaterThan(10);
    for (const { searchParams, href } of addresses) {
      expect(
        ["rank", "days", "lang"].map((name) => searchParams.get(name)),
        href,
      ).toEqual(["mythic", "30", "ja"]);
    }
  });

  test.for([
    ["/tiers?rank=mythic", "Tier list: Mythic, 7 days", /^Mythic, 7 days: (\S.* \d\d\.\d%, ){2}\S.* \d\d\.\d% /],
    [
      "/heroes/1?rank=mythic&days=30",
      "Miya: Mythic, 30 days",
      /^Miya: Mythic, 30 days: place \d+ of 133, win rate \d\d\.\d%, /,
    ],
    ["/compare?heroes=1,2", "Miya, Balmond: All ranks, 7 days", /./],
    ["/trends?heroes=1&rate=ban_rate&rank=epic", "Ban rate by day of Miya: Epic", /./],
    ["/matchups?hero=2&played=with", "Balmond with each other hero: All ranks", /./],
    [
      "/draft?enemies=1,2&allies=3",
      "Draft against Miya, Balmond, with Saber: All ranks, 7 days",
      /^Draft against .+ 7 days\. Best: (\S.* \+\d+\.\d, ){2}/,
    ],
  ] as const)("is in title and description of %s", async ([path, title, description]) => {
    const document = await open(path);
    const [shown] = elementsOf(document, "title");
    expect(shown?.text).toBe(`${title} · metasnap (made-up data)`);
    const metas = new Map(
      elementsOf(document, "meta").map((meta) => [
        attributeOf(meta, "name") ?? attributeOf(meta, "property"),
        attributeOf(meta, "content") ?? "",
      ]),
    );
    expect(metas.get("description")).toMatch(description);
    expect([metas.get("og:title"), metas.get("og:description")]).toEqual([
      `${title} (made-up data)`,
      metas.get("description"),
    ]);
  });

  test("has commas in its address as they are", async () => {
    const [link] = elementsOf(await open("/draft?enemies=1%2C18&allies=3&rank=all"), "a").filter(
      (one) => attributeOf(one, "hreflang") === "de",
    );
    expect(attributeOf(link, "href")).toBe("/draft?lang=de&enemies=1,18&allies=3");
  });
});

describe("the page of a hero", () => {
  test("begins with its place and rates in the chosen rank and window", async () => {
    const rates = fileRates("epic", 30, "en", "win_rate");
    const document = await open("/heroes/18?rank=epic&days=30");
    const [list] = elementsOf(document, "dl");
    expect([attributeOf(list, "class"), attributeOf(list, "aria-label")]).toEqual(["figures", "Epic, 30 days"]);
    const rate = rates.find(isHero(18));
    const place = rates.filter(({ win_rate }) => win_rate > (rate?.win_rate ?? 1)).length + 1;
    const cells = elementsOf(list as Element, "dd");
    expect(cells.slice(0, -1).map(numberIn)).toEqual([rate?.win_rate, place, rate?.appearance_rate, rate?.ban_rate]);
    const days = queryFile<Rate>(
      world.snapshot,
      "SELECT win_rate FROM hero_trend WHERE hero_id = 18 AND rank = 'epic' ORDER BY date",
    );
    const [line] = elementsOf(cells.at(-1) as Element, "svg");
    expect(attributeOf(line, "aria-label")).toBe(
      [days[0], days.at(-1)].map((one) => `${(100 * (one?.win_rate ?? 0)).toFixed(1)}%`).join(" → "),
    );
    const drawn = attributeOf(line && elementsOf(line, "path")[0], "d") ?? "";
    const heights = [...drawn.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));
    expect(heights).toHaveLength(days.length);
    const highest = days.findIndex(({ win_rate }) => win_rate === Math.max(...days.map((one) => one.win_rate)));
    expect(heights[highest]).toBe(Math.min(...heights));
  });

  test("leads to each of its sections, and to other pages with this hero", async () => {
    const document = await open("/heroes/18?rank=epic");
    const links = elementsOf(document, "a").map((link) => attributeOf(link, "href") ?? "");
    const ids = elementsOf(document, "h2").map((head) => attributeOf(head, "id"));
    expect(ids).toEqual(expect.arrayContaining(["opponents", "rates", "trend", "builds", "about", "skills"]));
    expect(links.filter((link) => /^#(?!main)/.test(link))).toEqual(ids.map((id) => `#${id}`));
    for (const query of [
      "compare?rank=epic&heroes=18",
      "draft?rank=epic&enemies=18",
      "matchups?rank=epic&hero=18#of-hero",
    ])
      expect(links).toContain(`/${query}`);
  });

  test.for([
    ["Opponents", "counters", "The five it does best against"],
    ["Team mates", "compatibility", "The five it does best with"],
  ] as const)("has the %s of the API, and says which way round they are", async ([, endpoint, caption]) => {
    const [told] = await askApi(`/api/heroes/1/${endpoint}?rank=mythic&days=30`);
    const { sub_hero, sub_hero_last } = told as Record<string, { heroid: number; increase_win_rate: number }[]>;
    const document = await open("/heroes/1?rank=mythic&days=30");
    const rows = rowsOf(tableOf(document, caption));
    expect(rows.map(([, points]) => numberIn(points))).toEqual(
      [...(sub_hero ?? []), ...(sub_hero_last ?? [])].map((one) => one.increase_win_rate),
    );
    const played = endpoint === "counters" ? "against" : "with";
    const heads = elementsOf(tableOf(document, caption), "th").map(({ text }) => text);
    expect(heads.slice(0, 2)).toEqual(["Hero", `Points of Miya ${played}`]);
    const short = elementsOf(document, "dl").filter((list) => attributeOf(list, "class") === "extremes");
    for (const [word, list] of [
      ["Better", sub_hero],
      ["Worse", sub_hero_last],
    ] as const) {
      const [named] = short
        .flatMap((one) => elementsOf(one, "div"))
        .filter(({ text }) => text.startsWith(`${word} than expected ${played}`));
      expect(elementsOf(named as Element, "dd").map((cell) => [idOf(cell), numberIn(cell)])).toEqual(
        list?.slice(0, 3).map(({ heroid, increase_win_rate }) => [heroid, increase_win_rate]),
      );
    }
  });

  test("has its rates, trend, builds and minutes as the file has them", async () => {
    const file = world.snapshot;
    const document = await open("/heroes/18?rank=epic");
    const all = <T>(sql: string) => queryFile<T>(file, sql);
    const figures = (caption: string, columns: number[]) =>
      rowsOf(tableOf(document, caption)).map((row) => columns.map((column) => numberIn(row[column])));
    const rates = all<Rate>("SELECT hero_rate.* FROM hero_rate WHERE hero_id = 18 AND rank = 'epic' ORDER BY days");
    const shown = figures("In each rank and window", [2, 3, 4]);
    expect(shown).toHaveLength(30);
    expect(shown.slice(5, 10)).toEqual(rates.map((one) => [one.win_rate, one.appearance_rate, one.ban_rate]));
    const days = all<Rate>("SELECT * FROM hero_trend WHERE hero_id = 18 AND rank = 'epic' ORDER BY date DESC");
    expect(figures("By day", [1, 2, 3])).toEqual(days.map((one) => [one.win_rate, one.appearance_rate, one.ban_rate]));
    const [{ lane } = { lane: "" }] = all<{ lane: string }>(
      "SELECT lane FROM hero_build WHERE hero_id = 18 AND rank = 'epic' LIMIT 1",
    );
    const builds = await askApi(`/api/academy/heroes/18/builds?rank=epic&lane=${lane}`);
    const told = (builds[0]?.build ?? []) as { build_win_rate: number; build_pick_rate: number }[];
    const [{ title } = { title: "" }] = all<{ title: string }>(
      `SELECT title FROM lane_text WHERE lane = '${lane}' AND lang = 'en'`,
    );
    expect(figures(title, [4, 5])).toEqual(told.map((one) => [one.build_win_rate, one.build_pick_rate]));
    expect(told.length).toBeGreaterThan(0);
  });

  test("draws its days, and its minutes by lane, as the file has them", async () => {
    const document = await open("/heroes/18?rank=epic");
    const [ranks, days, minutes] = readCharts(document);
    for (const [place, window] of [1, 3, 7, 15, 30].entries())
      expectNear(
        ranks?.lines[place]?.ys,
        RANK_CODES.slice(1).map((rank) => fileRates(rank, window, "en", "win_rate").find(isHero(18))?.win_rate ?? 0),
      );
    const of = (sql: string) => queryFile<{ date: string; win_rate: number; lane: string }>(world.snapshot, sql);
    const trend = of("SELECT date, win_rate FROM hero_trend WHERE hero_id = 18 AND rank = 'epic' ORDER BY date");
    expectNear(
      days?.lines[0]?.ys,
      trend.map(({ win_rate }) => win_rate),
    );
    const [{ name } = { name: "" }] = queryFile<{ name: string }>(
      world.snapshot,
      "SELECT name FROM hero WHERE hero_id = 18",
    );
    expect(days?.told).toEqual(trend.map(({ date, win_rate }) => [date, `${name} ${(100 * win_rate).toFixed(1)}%`]));
    for (const chart of [ranks, days, minutes]) {
      const [low, high] = chart?.span ?? [0, 0];
      expect(high - low).toBeGreaterThan(0.0199);
      const [from, to] = [low, high].map((share) => `${(100 * share).toFixed(1)}%`);
      expect(document.text).toContain(`The axis runs from ${from} to ${to}.`);
    }
    const parts = of("SELECT * FROM hero_minute_rate WHERE hero_id = 18 AND rank = 'epic' ORDER BY position");
    const lanes = LANE_CODES.flatMap((code) => {
      const rates = parts.filter(({ lane }) => lane === code).map(({ win_rate }) => win_rate);
      return rates.length > 0 ? [rates] : [];
    });
    expect(lanes.length).toBeGreaterThan(0);
    expect(minutes?.lines).toHaveLength(lanes.length);
    for (const [place, rates] of lanes.entries()) expectNear(minutes?.lines[place]?.ys, rates);
    const [{ lane } = { lane: "" }] = parts;
    const [told] = await askApi(`/api/academy/heroes/18/win-rate/timeline?lane=${lane}&rank=epic`);
    const { time_win_rate } = told as { time_win_rate: { win_rate: number }[] };
    expect(parts.filter((part) => part.lane === lane).map(({ win_rate }) => win_rate)).toEqual(
      time_win_rate.map(({ win_rate }) => win_rate),
    );
  });

  test("has what the matrix says of each other hero", async () => {
    const rows = rowsOf(tableOf(await open("/heroes/1?rank=epic"), "Those it does best against first"));
    const points = queryFile<Point & { match_type: number }>(
      world.snapshot,
      "SELECT * FROM hero_matchup WHERE hero_id = 1 AND rank = 'epic'",
    );
    expect(rows.length).toBeGreaterThan(100);
    const figures = rows.map(([hero, against, beside]) => [idOf(hero), numberIn(against), numberIn(beside)]);
    expect(figures.filter(([, against]) => !Number.isNaN(against))).toEqual(
      points
        .filter(({ match_type }) => match_type === 0)
        .sort((a, b) => b.increase_win_rate - a.increase_win_rate || a.other_hero_id - b.other_hero_id)
        .map(({ other_hero_id: other, increase_win_rate }) => [
          other,
          increase_win_rate,
          points.find((one) => one.match_type === 1 && one.other_hero_id === other)?.increase_win_rate ?? Number.NaN,
        ]),
    );
  });

  test("has its texts in the chosen language", async () => {
    const file = world.snapshot;
    const { text } = await open("/heroes/1?lang=th");
    const [hero] = queryFile<{ name: string; story: string }>(
      file,
      "SELECT name, story FROM hero_text WHERE hero_id = 1 AND lang = 'th'",
    );
    const skills = queryFile<{ name: string; description_plain: string }>(
      file,
      "SELECT name, description_plain FROM skill_text WHERE hero_id = 1 AND lang = 'th'",
    );
    const words = queryFile<{ title: string }>(
      file,
      "SELECT title FROM role_text JOIN hero_role USING (role) WHERE hero_id = 1 AND lang = 'th'",
    );
    expect(skills.length).toBeGreaterThan(2);
    for (const part of [hero, ...skills, ...words].flatMap((row) => Object.values(row ?? {})))
      expect(text).toContain(part);
  });

  test.for(["/heroes/9999", "/heroes/0", "/heroes/miyaa", "/heroes/1/x", "/assets/style.css", "/tier"])(
    "is not at %s",
    async (path) => expect(await errorOf(await fetch(mirror.url + path))).toBe("RESOURCE_NOT_FOUND"),
  );
});

interface Point {
  hero_id: number;
  other_hero_id: number;
  increase_win_rate: number;
}

const heroesIn = (document: Element) => {
  const [list] = elementsOf(document, "ul").filter((one) => attributeOf(one, "class") === "portraits");
  return (list ? elementsOf(list, "a") : []).map((link) => ({
    id: Number(/\d+/.exec(attributeOf(link, "href") ?? "")?.[0]),
    name: elementsOf(link, "bdi")[0]?.text,
  }));
};

describe("finding a hero", () => {
  const locate = async (path: string) => {
    const response = await fetch(mirror.url + path, { redirect: "manual" });
    return [response.status, response.headers.get("location"), response.headers.get("cache-control")];
  };
  const led = (location: string) => [
    302,
    location,
    "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
  ];
  const namesIn = (lang: string) =>
    queryFile<{ hero_id: number; name: string }>(
      world.snapshot,
      "SELECT hero_id, name FROM hero_text WHERE lang = ?",
      lang,
    );

  test.for(["en", "ar", "ja", "ru", "zh-TW"])("all are there in the alphabet of %s", async (lang) => {
    const shown = heroesIn(await open(`/heroes?lang=${lang}`));
    const { compare } = new Intl.Collator(lang);
    const wanted = namesIn(lang).sort((a, b) => compare(a.name, b.name) || a.hero_id - b.hero_id);
    expect(shown).toEqual(wanted.map(({ hero_id, name }) => ({ id: hero_id, name })));
    const [select] = elementsOf(await open(`/compare?lang=${lang}`), "select");
    const offered = elementsOf(select as Element, "option").slice(1);
    expect(offered.map(({ text }) => text)).toEqual(wanted.map(({ name }) => name));
    expect(attributeOf(select, "lang")).toBe(lang);
  });

  test("those of a role and a lane are the ones of the API", async () => {
    const shown = heroesIn(await open("/heroes?role=mage&lane=mid"));
    const told = await askApi("/api/heroes/positions?role=mage&lane=mid&size=200");
    expect(shown.length).toBeGreaterThan(3);
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(told.map(({ hero_id }) => hero_id)));
  });

  test("a part of a name in any language lists who has it, and one hero is gone to", async () => {
    const shown = heroesIn(await open("/heroes?q=yi&lang=ja"));
    const wanted = new Set(
      LANG_CODES.flatMap(namesIn).flatMap(({ hero_id, name }) =>
        /y[^a-z]*i/i.test(name.normalize("NFD")) ? [hero_id] : [],
      ),
    );
    expect(wanted.size).toBeGreaterThan(2);
    expect(new Set(shown.map(({ id }) => id))).toEqual(wanted);
    expect(await locate("/heroes?q=tigrea&rank=mythic&days=7")).toEqual(led("/heroes/6?rank=mythic"));
    expect(await locate("/heroes?q=%20x.%20BORG!&lang=ar")).toEqual(led("/heroes/83?lang=ar"));
    expect(await locate("/heroes?q=18")).toEqual(led("/heroes/18"));
    for (const path of ["/heroes?q=", "/heroes?q=tigrea&role=mage", "/heroes?q=miya&format=csv"])
      expect((await locate(path)).slice(0, 2), path).toEqual([200, null]);
  });

  test("no hit names the nearest, and a hostile one is a text", async () => {
    const document = await open("/heroes?q=miyaa");
    expect(elementsOf(document, "p").map(({ text }) => text)).toContain("No hero has such a name.");
    expect(heroesIn(document)[0]).toEqual({ id: 1, name: "Miya" });
    const hostile = `"><script>alert(1)</script>\u202e ${"x".repeat(100)}`;
    const asked = await open(`/heroes?q=${encodeURIComponent(hostile)}`);
    expect(heroesIn(asked)).toEqual([]);
    const [field] = elementsOf(asked, "input").filter((one) => attributeOf(one, "name") === "q");
    expect(attributeOf(field, "value")).toBe(hostile.slice(0, 60).trim());
  });

  test("every name in every language is an address, which leads to that of its id", async () => {
    for (const { hero_id, name, lang } of queryFile<{ hero_id: number; name: string; lang: string }>(
      world.snapshot,
      "SELECT hero_id, name, lang FROM hero_text WHERE hero_id IN (1, 83, 61)",
    )) {
      const path = `/heroes/${encodeURIComponent(name)}`;
      expect(await locate(path), `${lang} ${name}`).toEqual(led(`/heroes/${hero_id}`));
    }
    expect(await locate("/heroes/x-borg?lang=ja&days=30&x=1")).toEqual(led("/heroes/83?lang=ja&days=30"));
    expect(await locate("/heroes/01?format=csv")).toEqual(led("/heroes/1?format=csv"));
    // What is no value is told there; a long one would make a header that proxies refuse.
    expect(await locate("/heroes?q=miya&rank=gold&rank=mythic")).toEqual(led("/heroes/1?rank=mythic&rank=gold"));
    expect(await locate(`/heroes/miya?days=${"9".repeat(5000)}`)).toEqual(
      led(`/heroes/1?days=${"9".repeat(40)}%E2%80%A6`),
    );
  });
});

describe("an error for a person", () => {
  const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const ask = async (path: string, accept: string, method = "GET") => {
    const { status, headers, body } = await raw(path, { accept }, method);
    return { status, headers, text: body.toString() };
  };

  test.for([
    ["/nothing?lang=ar&rank=mythic", "GET", 404, wordsIn("ar").frame.errors.noPage],
    ["/heroes/9999", "GET", 404, "There is no hero “9999”"],
    ["/heroes/%3Cscript%3E", "GET", 404, "There is no hero “<script>”"],
    ["/heroes/%E0%A4", "GET", 404, "There is no such page"],
    ["/heroes/a%2Fb", "GET", 404, "There is no hero “a/b”"],
    ["/assets/none.js", "GET", 404, "There is no such page"],
    ["//evil.example/x", "GET", 404, "There is no such page"],
    ["/\\evil.example/x", "GET", 404, "There is no such page"],
    ["/tiers", "POST", 405, "This page can only be read"],
  ] as const)("at %s (%s) is a page with a search", async ([path, method, status, title]) => {
    const asked = await ask(path, BROWSER, method);
    expect([asked.status, asked.headers["content-type"], asked.headers.vary]).toEqual([
      status,
      "text/html; charset=utf-8",
      "Accept",
    ]);
    expect(asked.headers["content-security-policy"]).toMatch(/^default-src 'self'; /);
    const document = parseHtml(asked.text);
    expect(faultsOfDocument(document)).toEqual([]);
    expect(elementsOf(document, "h1").map(({ text }) => text)).toEqual([title]);
    expect(elementsOf(document, "input").some((one) => attributeOf(one, "name") === "q")).toBe(true);
    const links = elementsOf(document, "a").map((link) => attributeOf(link, "href") ?? "");
    expect(links).toContain(path.includes("lang=ar") ? "/tiers?lang=ar&rank=mythic" : "/tiers");
    // Two slashes would lead to another host.
    expect(links.filter((href) => !/^(?:\/(?![/\\])|#)/.test(href))).toEqual([]);
  });

  test("names the heroes that may be meant", async () => {
    const { text } = await ask("/heroes/miyaa?lang=ja", BROWSER);
    expect(heroesIn(parseHtml(text))[0]).toEqual({ id: 1, name: "ミヤ" });
  });

  test("is never that of a program, in whatever order they ask", async () => {
    const path = "/heroes/nobodyatall";
    for (const accept of [BROWSER, "*/*", "application/json", BROWSER, "text/html;q=0.5, application/json", "text/*"]) {
      const { status, headers, text } = await ask(path, accept);
      expect([status, headers.vary]).toEqual([404, "Accept"]);
      const isPage = accept === BROWSER || accept === "text/*";
      expect([accept, text.startsWith("<!doctype html>")]).toEqual([accept, isPage]);
      if (!isPage) expect(expectScheme(status, text).code).toBe("RESOURCE_NOT_FOUND");
    }
    for (const of of ["/api/none", "/api/heroes/none", "/snapshots/none.json", "/health/x", "/ready/x", "/metrics/x"]) {
      const { status, headers, text } = await ask(of, BROWSER);
      expect([of, headers.vary]).toEqual([of, undefined]);
      expect(expectScheme(status, text).code).toBe("RESOURCE_NOT_FOUND");
    }
  });
});

test.for(["/favicon.ico", "/apple-touch-icon.png"])("%s is a picture", async (path) => {
  const { status, headers, body } = await raw(path);
  expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
  expect(body.subarray(1, 4).toString()).toBe("PNG");
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([180, 180]);
});

describe("heroes side by side", () => {
  test("have the rates of the file, and what the matrix says of each against and beside each", async () => {
    const document = await open("/compare?heroes=2,18&heroes=30&rank=mythic&days=15");
    const shown = rowsOf(tableOf(document, "In the chosen rank and window"));
    const rates = fileRates("mythic", 15, "en", "win_rate");
    const wanted = [2, 18, 30].map((id) => rates.find((rate) => rate.hero_id === id));
    expect(shown.map(([hero, ...cells]) => [hero && elementsOf(hero, "a")[0]?.text, ...cells.map(numberIn)])).toEqual(
      wanted.map((rate) => [rate?.name, rate?.win_rate, rate?.appearance_rate, rate?.ban_rate]),
    );
    for (const [type, caption] of ["row against", "row with"].entries()) {
      const points = queryFile<Point>(
        world.snapshot,
        "SELECT * FROM hero_matchup WHERE rank = 'mythic' AND match_type = ? AND hero_id IN (2, 18, 30)",
        type,
      );
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
    const tags = spellings.map(async (heroes) => (await raw(`/compare?heroes=${heroes}`)).headers.etag);
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

describe("the page of the proof", () => {
  test("has the coverage of the file, and size and hash of the manifest", async () => {
    const file = world.snapshot;
    const document = await open("/data");
    const covered = queryFile<Record<string, number | string>>(
      file,
      `SELECT dataset, count(*) AS slices, sum(status = 'captured') AS captured, sum(status = 'empty') AS empty,
              sum(status = 'failed') AS failed, sum(records) AS records, count(DISTINCT lang) AS langs
       FROM coverage GROUP BY dataset ORDER BY dataset`,
    );
    const rows = rowsOf(tableOf(document, "By endpoint"));
    expect(rows.map(([head, ...cells]) => [head?.text, ...cells.map(numberIn)])).toEqual(
      covered.map((row) => Object.values(row)),
    );
    const pointer = (await (await fetch(`${mirror.url}/snapshots/latest.json`)).json()) as Record<string, unknown>;
    const [sqlite] = rowsOf(tableOf(document, "This snapshot"));
    expect(numberIn(sqlite?.[2])).toBe(pointer.size);
    expect(sqlite?.[3]?.text).toBe(pointer.sha256);
    const flaws = queryFile<{ lang: string; texts: number; missing: number }>(
      file,
      "SELECT lang, sum(texts) AS texts, sum(missing) AS missing FROM text_quality GROUP BY lang",
    );
    for (const [lang, texts, missing] of rowsOf(tableOf(document, "By language, over all"))) {
      const row = flaws.find((one) => one.lang === lang?.text);
      expect([numberIn(texts), numberIn(missing)]).toEqual([row?.texts ?? 0, row?.missing ?? 0]);
    }
    expect(document.text).toContain("Whole: all 29,150 answers are here");
  });
});

describe("pages are cached as answers are", () => {
  test.for(["/tiers", "/", "/heroes/1"])(
    "%s has a tag, which is answered with 304, HEAD, and codings",
    async (path) => {
      const whole = await raw(path);
      expect(whole.headers["cache-control"]).toBe(
        "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
      );
      const again = await raw(path, { "if-none-match": String(whole.headers.etag) });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, whole.headers.etag]);
      expect(again.headers["content-security-policy"]).toBe(whole.headers["content-security-policy"]);
      const head = await raw(path, {}, "HEAD");
      expect([head.status, head.headers["content-length"]]).toEqual([200, String(whole.body.length)]);
      const packed = await raw(path, { "accept-encoding": "br" });
      expect(packed.headers["content-encoding"]).toBe("br");
      expect(brotliDecompressSync(packed.body).equals(whole.body)).toBe(true);
      expect(packed.headers["content-security-policy"]).toBe(whole.headers["content-security-policy"]);
    },
  );

  test("the stylesheet never changes", async () => {
    const [link] = elementsOf(await open("/"), "link");
    const { headers, body, status } = await raw(attributeOf(link, "href") ?? "");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/css; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(body.toString()).not.toMatch(/url\(|@import/);
  });

  test("and spellings of one query are one page", async () => {
    const [one, other] = await Promise.all([raw("/tiers?days=7&rank=all"), raw("/tiers?lang=en&x=1&role=")]);
    expect(one.headers.etag).toBe(other.headers.etag);
  });

  test("a method that no page answers is 405", async () => {
    const response = await fetch(`${mirror.url}/tiers`, { method: "POST" });
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await errorOf(response)).toBe("METHOD_NOT_ALLOWED");
    expect((await fetch(`${mirror.url}/heroes/1`, { method: "OPTIONS" })).status).toBe(204);
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

test("without pages there is nothing for people, and without pictures nothing foreign", async () => {
  const data = world.data;
  const off = await runCommand("serve", ["--data", data, "--no-pages", "--get", "/"]);
  expect([off.code, off.stdout]).toEqual([1, expect.stringContaining("RESOURCE_NOT_FOUND")]);
  const on = await runCommand("serve", ["--data", data, "--no-pictures", "--get", "/"]);
  expect(on.code).toBe(0);
  expect(on.stdout).toContain("What this mirror holds");
  expect(on.stdout).not.toContain("<img");
  await using bare = await startWithPages(world.snapshot, createPages({ pictures: false }));
  const { headers } = await fetch(`${bare.url}/`);
  expect(headers.get("content-security-policy")).toContain("img-src 'self';");
  const document = await openPage(bare, "/data");
  expect(document.text).toContain("was not published here");
});

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** As it comes over the wire. */
const raw = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<Raw>((resolve, reject) => {
    const sent = request(mirror.url + path, { headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", reject).end();
  });
