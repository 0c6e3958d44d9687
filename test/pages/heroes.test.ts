/** Finding a hero: the list of all, a part of a name, a name as an address; and errors that lead on to a search. */
import { afterAll, describe, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { attributeOf, type Element, elementsOf, faultsOfDocument, parseHtml } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startFollowing, startWithPages } from "../helpers/mirror.ts";
import { askApi, openPage, readCsv } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const open = (path: string) => openPage(mirror, path);

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
    const { head, rows } = await readCsv(mirror, `/heroes?lang=${lang}&format=csv`);
    const english = new Map(namesIn("en").map(({ hero_id, name }) => [hero_id, name]));
    expect(head).toEqual(["hero_id", "hero", "english_name"]);
    expect(rows).toEqual(wanted.map(({ hero_id, name }) => [`${hero_id}`, name, english.get(hero_id)]));
  });

  test("those of a role and a lane are the ones of the API", async () => {
    const shown = heroesIn(await open("/heroes?role=mage&lane=mid"));
    const told = await askApi(mirror, "/api/heroes/positions?role=mage&lane=mid&size=200");
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
  const ask = async (path: string, accept: string, method = "GET", { url }: { url: string } = mirror) => {
    const response = await fetch(url + path, { headers: { accept }, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
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
    expect([asked.status, asked.headers.get("content-type"), asked.headers.get("vary")]).toEqual([
      status,
      "text/html; charset=utf-8",
      "Accept",
    ]);
    expect(asked.headers.get("content-security-policy")).toMatch(/^default-src 'self'; /);
    const document = parseHtml(asked.text);
    expect(faultsOfDocument(document)).toEqual([]);
    expect(elementsOf(document, "h1").map(({ text }) => text)).toEqual([title]);
    expect(elementsOf(document, "input").some((one) => attributeOf(one, "name") === "q")).toBe(true);
    const links = elementsOf(document, "a").map((link) => attributeOf(link, "href") ?? "");
    expect(links).toContain(path.includes("lang=ar") ? "/tiers?lang=ar&rank=mythic" : "/tiers");
    // Two slashes would lead to another host.
    expect(links.filter((href) => !/^(?:\/(?![/\\])|#)/.test(href))).toEqual([]);
  });

  test("of the mirror itself is a page with nothing that could fail again", async () => {
    const fails = () => {
      throw new Error("a fault");
    };
    await using faulty = await startWithPages(world.snapshot, { ...createPages({ pictures: true }), find: fails });
    const { status, text } = await ask("/tiers", BROWSER, "GET", faulty);
    expect(status).toBe(500);
    const document = parseHtml(text);
    expect(["input", "nav"].flatMap((name) => elementsOf(document, name))).toEqual([]);
    expect(elementsOf(document, "a").map((link) => attributeOf(link, "href"))).toEqual(["/"]);
  });

  test("names the heroes that may be meant", async () => {
    const { text } = await ask("/heroes/miyaa?lang=ja", BROWSER);
    expect(heroesIn(parseHtml(text))[0]).toEqual({ id: 1, name: "ミヤ" });
  });

  test("is never that of a program, in whatever order they ask", async () => {
    const path = "/heroes/nobodyatall";
    for (const accept of [BROWSER, "*/*", "application/json", BROWSER, "text/html;q=0.5, application/json", "text/*"]) {
      const { status, headers, text } = await ask(path, accept);
      expect([status, headers.get("vary")]).toEqual([404, "Accept"]);
      const isPage = accept === BROWSER || accept === "text/*";
      expect([accept, text.startsWith("<!doctype html>")]).toEqual([accept, isPage]);
      if (!isPage) expect(expectScheme(status, text).code).toBe("RESOURCE_NOT_FOUND");
    }
    for (const path of [
      "/api/none",
      "/api/heroes/none",
      "/snapshots/none.json",
      "/health/x",
      "/ready/x",
      "/metrics/x",
    ]) {
      const { status, headers, text } = await ask(path, BROWSER);
      expect([path, headers.get("vary")]).toEqual([path, null]);
      expect(expectScheme(status, text).code).toBe("RESOURCE_NOT_FOUND");
    }
  });
});
