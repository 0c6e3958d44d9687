/** What pages answer to `?format=csv`, against the file. */
import { stringify } from "csv-stringify/sync";
import { afterAll, expect, test } from "vitest";
import { LANG_CODES, type Lang } from "../../src/api/enumerations.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, elementsOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startWithPages(world.snapshot, createPages({ pictures: false }));
afterAll(() => mirror[Symbol.asyncDispose]());

/** Ranks in the order of the choice, which is that of the API. */
const RANK_ORDER = "instr('all,epic,legend,mythic,honor,glory', rank)";

/** A language is the only value of a query. */
const CASES: [path: string, sql: string][] = [
  [
    "/tiers?rank=glory&days=15",
    `SELECT place, tier, hero_id, name AS hero, score, win_rate, ban_rate, appearance_rate FROM tier_list JOIN hero_text USING (hero_id)
     WHERE rank = 'glory' AND days = 15 AND lang = ? AND appearance_rate >= 0.001 ORDER BY place`,
  ],
  [
    "/trends?rank=mythic&rate=ban_rate",
    `SELECT hero_id, name AS hero, date, ban_rate FROM hero_trend JOIN hero_text USING (hero_id)
     WHERE rank = 'mythic' AND lang = ? ORDER BY hero_id, date`,
  ],
  [
    "/trends?heroes=30,2",
    `SELECT hero_id, name AS hero, date, win_rate FROM hero_trend JOIN hero_text USING (hero_id)
     WHERE rank = 'all' AND lang = ? AND hero_id IN (30, 2) ORDER BY hero_id = 2, date`,
  ],
  [
    "/compare?heroes=18,1,30&days=30",
    `SELECT hero_id, name AS hero, rank, days, win_rate, appearance_rate, ban_rate FROM hero_rate JOIN hero_text USING (hero_id)
     WHERE days = 30 AND lang = ? AND hero_id IN (1, 18, 30) ORDER BY instr('18,01,30', printf('%02d', hero_id)), ${RANK_ORDER}`,
  ],
  [
    "/heroes/7",
    `SELECT hero_id, rank, days, win_rate, win_rate_error, appearance_rate, ban_rate FROM rate_list WHERE hero_id = 7 ORDER BY ${RANK_ORDER}, days`,
  ],
  [
    "/data",
    `SELECT dataset, lang, count(*) AS slices, sum(status = 'captured') AS captured, sum(status = 'empty') AS empty,
            sum(status = 'failed') AS failed, sum(records) AS records FROM coverage GROUP BY dataset, lang ORDER BY dataset, lang`,
  ],
];

const stateIn = (path: string, lang: Lang) => `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;

test.for(CASES)("%s has the rows of the file, in each language", async ([path, sql]) => {
  for (const lang of LANG_CODES) {
    const rows = queryFile<object>(world.snapshot, sql, ...(sql.includes("?") ? [lang] : []));
    expect(rows.length).toBeGreaterThan(15);
    const response = await fetch(`${mirror.url}${stateIn(path, lang)}&format=csv`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(await response.text(), lang).toBe(stringify(rows, { header: true }));
  }
});

test("each is linked from its page, in the same state, and says what it is", async () => {
  for (const path of CASES.flatMap(([one]) => [one, stateIn(one, "ja")])) {
    const links = elementsOf(await openPage(mirror, path), "a");
    const [link] = links.filter((one) => attributeOf(one, "href")?.includes("format=csv"));
    const [own, linked] = [new URL(path, mirror.url), new URL(attributeOf(link, "href") ?? "", mirror.url)];
    const page = PAGES.find(({ route }) => new RegExp(`^${route.replace("{id}", "\\d+")}$`).test(own.pathname));
    expect(link?.text).toBe(page?.csvLink?.(wordsIn((own.searchParams.get("lang") ?? "en") as Lang)));
    expect(linked.pathname).toBe(own.pathname);
    for (const [name, value] of own.searchParams) expect(linked.searchParams.get(name)).toBe(value);
  }
  const withCsv = PAGES.filter(({ csv }) => csv).map(({ route }) => route);
  const texts = PAGES.flatMap(({ route, csvLink }) => (csvLink ? [[route, csvLink(wordsIn("en"))] as const] : []));
  expect(texts.map(([route]) => route)).toEqual(withCsv);
  expect(new Set(texts.map(([, text]) => text)).size).toBe(texts.length);
  expect(withCsv).toEqual(
    expect.arrayContaining(["/tiers", "/trends", "/compare", "/heroes/{id}", "/changes", "/data"]),
  );
});

test.for([
  ["/tiers?rank=Mythic&days=8&lane=gold", "rank, days"],
  ["/heroes/7?lang=xx&rank=mythic", "lang"],
  ["/compare?heroes=1,2,3,4,5", "heroes"],
  ["/draft?enemies=1&allies=1,2&bans=2", "allies, bans"],
  ["/tiers?rank=mythic", null],
])("%s: a header names the parameters whose values were left out", async ([path, names]) => {
  const { status, headers } = await fetch(`${mirror.url}${path}&format=csv`);
  expect([status, headers.get("x-ignored-parameters")]).toEqual([200, names]);
});

test("no hero chosen is no row", async () => {
  const text = await (await fetch(`${mirror.url}/compare?format=csv`)).text();
  expect(text).toBe("hero_id,hero,rank,days,win_rate,appearance_rate,ban_rate\n");
});
