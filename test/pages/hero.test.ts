/** The page of a hero. */
import { afterAll, describe, expect, test } from "vitest";
import { LANE_CODES, RANK_CODES } from "../../src/api/enumerations.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { selectBuilds } from "../../src/snapshot/schema/views/builds.ts";
import { expectNear, readCharts } from "../helpers/charts.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { attributeOf, type Element, elementsOf, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { askApi, idOf, openPage } from "../helpers/people.ts";
import { AGAINST, BESIDE, filePoints, fileRates, percent, type Rate } from "../helpers/rates.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

const isHero = (id: number) => (one: { hero_id: number }) => one.hero_id === id;
describe("the page of a hero", () => {
  test("begins with its place and rates in the chosen rank and window", async () => {
    const rates = fileRates("epic", 30, "en", "win_rate");
    const document = await open("/heroes/18?rank=epic&days=30");
    const [list] = elementsOf(document, "dl");
    expect([attributeOf(list, "class"), attributeOf(list, "aria-label")]).toEqual(["figures", "Epic, 30 days"]);
    const rate = rates.find(isHero(18));
    const [listed] = queryFile<{ place: number; win_rate_error: number }>(
      world.snapshot,
      "SELECT place, win_rate_error FROM tier_list JOIN rate_list USING (rank, days, hero_id) WHERE rank = 'epic' AND days = 30 AND hero_id = 18",
    );
    const cells = elementsOf(list as Element, "dd");
    expect(cells.slice(0, -1).map(numberIn)).toEqual([
      rate?.win_rate,
      listed?.place,
      rate?.appearance_rate,
      rate?.ban_rate,
    ]);
    expect(cells[0]?.text).toBe(`${percent(rate?.win_rate ?? 0)} ± ${percent(listed?.win_rate_error ?? 0)}`);
    expect(document.text).toContain(wordsIn("en").heroes.hero.error);
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
    const [told] = await askApi(mirror, `/api/heroes/1/${endpoint}?rank=mythic&days=30`);
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
    const builds = await askApi(mirror, `/api/academy/heroes/18/builds?rank=epic&lane=${lane}`);
    const told = (builds[0]?.build ?? []) as { build_win_rate: number; build_pick_rate: number }[];
    const [{ title } = { title: "" }] = all<{ title: string }>(
      `SELECT title FROM lane_text WHERE lane = '${lane}' AND lang = 'en'`,
    );
    expect(figures(title, [4, 5])).toEqual(told.map((one) => [one.build_win_rate, one.build_pick_rate]));
    expect(told.length).toBeGreaterThan(0);
  });

  test("has the comma of its language between the items of a build", async () => {
    const [{ lane, items } = { lane: "", items: "" }] = queryFile<{ lane: string; items: string }>(
      world.snapshot,
      `SELECT * FROM (${selectBuilds("'ja'", "'、'")}) WHERE hero_id = 18 AND rank = 'epic' ORDER BY lane, position LIMIT 1`,
    );
    const [{ title } = { title: "" }] = queryFile<{ title: string }>(
      world.snapshot,
      `SELECT title FROM lane_text WHERE lane = '${lane}' AND lang = 'ja'`,
    );
    const [first = []] = rowsOf(tableOf(await open("/heroes/18?rank=epic&lang=ja"), title));
    expect(first[0]?.text).toBe(items);
    expect(items).toContain("、");
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
    const [told] = await askApi(mirror, `/api/academy/heroes/18/win-rate/timeline?lane=${lane}&rank=epic`);
    const { time_win_rate } = told as { time_win_rate: { win_rate: number }[] };
    expect(parts.filter((part) => part.lane === lane).map(({ win_rate }) => win_rate)).toEqual(
      time_win_rate.map(({ win_rate }) => win_rate),
    );
  });

  test("has what the matrix says of each other hero", async () => {
    const rows = rowsOf(tableOf(await open("/heroes/1?rank=epic"), "Those it does best against first"));
    const own = (type: typeof AGAINST | typeof BESIDE) => filePoints("epic", type).filter(isHero(1));
    const beside = new Map(own(BESIDE).map((one) => [one.other_hero_id, one.increase_win_rate]));
    expect(rows.length).toBeGreaterThan(100);
    const figures = rows.map(([hero, against, with_]) => [idOf(hero), numberIn(against), numberIn(with_)]);
    expect(figures.filter(([, against]) => !Number.isNaN(against))).toEqual(
      own(AGAINST).map(({ other_hero_id: other, increase_win_rate }) => [
        other,
        increase_win_rate,
        beside.get(other) ?? Number.NaN,
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
    async (path) => {
      const response = await fetch(mirror.url + path);
      expect(expectScheme(response.status, await response.text()).code).toBe("RESOURCE_NOT_FOUND");
    },
  );
});
