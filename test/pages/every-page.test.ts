/** What holds for every page: its form, its words, its weight, its links, and the state that travels with them. */
import { brotliCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { LANG_CODES, type Lang } from "../../src/api/enumerations.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, elementsOf, faultsOfDocument, parseHtml } from "../helpers/html.ts";
import { sentencesApart, wordsIn } from "../helpers/messages.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

const FIRST_STATES = PAGES.map(({ route }) => route.replace("{id}", "1"));

const OTHER_STATES = [
  "/tiers?rank=glory&days=30&role=mage&lane=mid&sort=name&least=0.001&lang=ja",
  "/heroes?q=an&role=mage&lane=mid&lang=ar",
  "/heroes?q=%3Cscript%3E%22&lang=ja",
  "/heroes?q=zzz&lang=de",
  "/heroes/2?rank=mythic&days=1&lang=ar",
  "/heroes/3?lang=zh-TW",
  "/changes?rank=glory&lang=ar",
  "/compare?heroes=1,2,18,30&rank=epic&lang=ar",
  "/docs?endpoint=rank",
  "/docs?endpoint=stats&lang=ar",
  "/trends?heroes=3,4&rate=ban_rate&rank=glory&lang=ja",
  "/matchups?rank=epic&played=with&sort=similarity&hero=18&lang=ar",
  "/draft?enemies=1,2,3,4,5&allies=6,7,8,9&bans=10,11,12,13,14,15,16,17,18,19&role=mage&lane=mid&least=0&sort=win_rate&lang=ar",
];

/** A message without the marks of one that is lent. */
const withoutMarks = (message: string) => message.replaceAll(/[\ufdd0-\ufdef]/g, "");

/** A good document, with its policy, its credit, and all its words in one language. */
async function expectGood(path: string) {
  const check = (value: unknown) => expect(value, path);
  const response = await fetch(mirror.url + path);
  check(response.status).toBe(200);
  check(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  check(response.headers.get("content-security-policy")).toMatch(/^default-src 'self'; img-src 'self' https:;/);
  check(response.headers.get("x-content-type-options")).toBe("nosniff");
  check(response.headers.get("referrer-policy")).toBe("same-origin");
  const document = parseHtml(await response.text());
  check(faultsOfDocument(document)).toEqual([]);
  check(document.text).not.toContain("[object ");
  const { attribution, version } = mirror.active.snapshot.head;
  const [footer] = elementsOf(document, "footer");
  check(footer?.text).toContain(attribution);
  check(footer?.text).toContain(version);
  const [page] = elementsOf(document, "html");
  const words = attributeOf(page, "lang") as Lang;
  const lang = (new URL(path, mirror.url).searchParams.get("lang") ?? "en") as Lang;
  check(words).toBe(/^\/(?:data|sql|docs)/.test(path) ? "en" : wordsIn(lang).language);
  check(attributeOf(page, "dir")).toBe(words === "ar" ? "rtl" : "ltr");
  check(document.text).toContain(withoutMarks(wordsIn(words).frame.madeUp.text));
  check(document.text.includes("The words of this page are in English.")).toBe(words === "en" && lang !== "en");
  check(sentencesApart(words).filter((sentence) => document.text.includes(sentence))).toEqual([]);
}

describe("every page", () => {
  test.for(FIRST_STATES)("%s is a good document in every language", async (path) => {
    for (const lang of LANG_CODES) await expectGood(`${path}?lang=${lang}`);
  });

  test.for(OTHER_STATES)("%s is a good document", expectGood);

  test("leads to nothing that is not there", async () => {
    const documents = await Promise.all(
      ["/", "/tiers", "/heroes/1", "/data", "/draft?enemies=1&allies=2", "/compare?heroes=1,2", "/docs"].map(open),
    );
    const named = documents.flatMap((document) => [
      ...elementsOf(document, "a", "link").map((one) => attributeOf(one, "href") ?? ""),
      ...elementsOf(document, "form").map((one) => attributeOf(one, "action") ?? ""),
    ]);
    expect(named.filter((path) => !/^[/#]/.test(path))).toEqual([]);
    // All heroes are alike, and all languages.
    const nameShape = (path: string) => path.replace(/lang=[\w-]+/, "lang=").replaceAll(/(?<=heroes\/|,)\d+/g, "0");
    const paths = new Map(
      named.flatMap((path) => (path.startsWith("/") ? [[nameShape(path.replace(/#.*/, "")), path]] : [])),
    );
    expect(paths.size).toBeGreaterThan(100);
    for (const path of paths.values())
      expect((await fetch(mirror.url + path, { method: "HEAD" })).status, path).toBe(200);
  });

  test.for([
    ...["/", "/tiers", "/heroes?lang=th", "/heroes/1", "/data", "/compare?heroes=1,2,3,4", "/trends", "/matchups"],
    ...["/draft?enemies=1,2,3,4,5", "/draft?enemies=1,2,3,4,5&allies=6,7,8,9"],
  ])("%s is light", async (path) => {
    const text = await (await fetch(mirror.url + path)).text();
    expect(brotliCompressSync(text).length).toBeLessThan(25_000);
  });
});

describe("the state of a page", () => {
  test("is kept in the picker, which has each language", async () => {
    const document = await open("/tiers?rank=epic&lang=ja");
    const links = elementsOf(document, "a").filter((link) => link.attributes.has("hreflang"));
    const german = links.find((link) => attributeOf(link, "hreflang") === "de");
    expect(links).toHaveLength(17);
    expect(attributeOf(german, "href")).toBe("/tiers?lang=de&rank=epic");
    expect(links.filter((link) => attributeOf(link, "aria-current") === "true").map(({ text }) => text)).toEqual([
      "日本語",
    ]);
  });

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

  test.for([
    ["fr", "Miya, Balmond\u00a0: Tous les rangs, 7\u00a0jours"],
    ["ja", "ミヤ、バルモンド：全ランク、7 日"],
    ["zh-CN", "弥亚，巴尔莫恩德：全部段位，7天"],
    ["ar", "مييا، بالموند: كل الرتب، 7 أيام"],
  ])("has the commas and colons of its language in %s", async ([lang, state]) => {
    const [title] = elementsOf(await open(`/compare?heroes=1,2&lang=${lang}`), "title");
    expect(title?.text).toContain(state);
    const [note] = elementsOf(await open(`/tiers?role=nobody&lang=${lang}`), "p");
    expect(note?.text).toContain(["all", "tank", "fighter"].join(wordsIn(lang as Lang).frame.comma));
  });

  test("has commas in its address as they are", async () => {
    const [link] = elementsOf(await open("/draft?enemies=1%2C18&allies=3&rank=all"), "a").filter(
      (one) => attributeOf(one, "hreflang") === "de",
    );
    expect(attributeOf(link, "href")).toBe("/draft?lang=de&enemies=1,18&allies=3");
  });
});
