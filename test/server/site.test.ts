/** How a mirror is found and followed: feed, sitemap, what assistants and search engines read, and absolute addresses. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { factsOf } from "../../src/extra/pages/facts.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { RAISED, REWORDED } from "../helpers/crawl-nights.ts";
import { copyOf, manifestFileOf, manifestOf, putChanges } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { attributeOf, type Element, elementsOf, parseHtml } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { type RunningMirror, startFollowing, startWithPages } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const PUBLIC = "https://mirror.example/heroes'&co";

/** Of the third night; a copy, as some tests change it. */
const folder = copyOf(world.nights.data);
const data = folder.path;
const { versions } = world.nights;
const [, second = "", third = ""] = versions;
const changesFile = (version: string) => join(data, "snapshots", `${version}.changes.json`);

let plain: RunningMirror;
let named: RunningMirror;
beforeAll(async () => {
  plain = await startFollowing(data, { pages: createPages({ pictures: false }) });
  const publicUrl = PUBLIC;
  named = await startFollowing(data, { publicUrl, pages: createPages({ pictures: false, publicUrl }) });
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await named[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const read = async ({ url }: Pick<RunningMirror, "url">, path: string) => (await fetch(url + path)).text();

/** It reads the body too: what is sent and not read keeps a connection, and with it the mirror. */
async function statusOf(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return response.status;
}

async function readFeed(mirror: RunningMirror) {
  const feed = parseAtom(await read(mirror, "/changes.atom"));
  expect(feed.faults).toEqual([]);
  return feed;
}

/** Puts back what a test changes in the last night. */
async function withChanges(text: string, test: () => Promise<void>) {
  const files = [changesFile(third), manifestFileOf(data, third)];
  const before = files.map((file) => readFileSync(file));
  putChanges(data, third, text);
  try {
    await test();
  } finally {
    for (const [index, file] of files.entries()) writeFileSync(file, before[index] ?? "");
  }
}

describe("the feed", () => {
  test("has an entry for each night that was compared, the last first, in words", async () => {
    const { entries } = await readFeed(plain);
    expect(entries.map(({ title }) => title.slice(0, 19))).toEqual(["Night of 2026-08-03", "Night of 2026-08-02"]);
    const [last, before] = entries;
    expect(before?.content).toMatch(/<li>New heroes: [^<,]+<\/li>/);
    expect(before?.title).toContain("1 new hero");
    expect(last?.content).toMatch(new RegExp(`<li>${RAISED.name}: win rate from \\d+\\.\\d\\d% to \\d+\\.\\d\\d% \\(`));
    const langs = Object.keys(REWORDED).map((lang) => `${lang} \\d+`);
    expect(last?.content).toMatch(new RegExp(`<li>Changed texts: ${langs.sort().join(", ")}</li>`));
    expect(last?.title).toContain(last?.summary);
    expect(last?.links).toEqual([
      { type: "text/html", href: `/changes?night=${third}` },
      { type: "application/json", href: `/snapshots/${third}/changes.json` },
    ]);
    for (const { href } of entries.flatMap(({ links }) => links)) expect(await statusOf(plain.url + href)).toBe(200);
  });

  test("has the same ids everywhere, absolute addresses only by the option, and a tag for readers", async () => {
    const [here, there] = [await readFeed(plain), await readFeed(named)];
    expect(there.entries.map(({ id }) => id)).toEqual(here.entries.map(({ id }) => id));
    expect([here.self, here.id.slice(0, 9)]).toEqual([undefined, "urn:uuid:"]);
    expect([there.self, there.id]).toEqual([`${PUBLIC}/changes.atom`, `${PUBLIC}/changes.atom`]);
    const links = here.entries.flatMap((entry) => entry.links.map(({ href }) => `${PUBLIC}${href}`));
    expect(there.entries.flatMap((entry) => entry.links.map(({ href }) => href))).toEqual(links);
    const response = await fetch(`${plain.url}/changes.atom`);
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const etag = response.headers.get("etag") ?? "";
    expect(await statusOf(`${plain.url}/changes.atom`, { headers: { "if-none-match": etag } })).toBe(304);
  });

  test("leaves out a night whose changes are not those of its manifest", async () => {
    const whole = readFileSync(changesFile(third));
    const listed = async () => (await readFeed(plain)).entries.map(({ title }) => title.slice(9, 19));
    const both = ["2026-08-03", "2026-08-02"];
    writeFileSync(changesFile(third), Buffer.concat([whole.subarray(0, -2), Buffer.from(" }")]));
    expect(await listed()).toEqual(both.slice(1));
    rmSync(changesFile(third));
    expect(await listed()).toEqual(both.slice(1));
    mkdirSync(changesFile(third));
    expect(await listed()).toEqual(both.slice(1));
    rmSync(changesFile(third), { recursive: true });
    writeFileSync(changesFile(third), whole);
    expect(await listed()).toEqual(both);
    writeFileSync(join(data, "withdrawn.json"), JSON.stringify({ withdrawn: [second] }));
    expect(await listed()).toEqual(both.slice(0, 1));
    rmSync(join(data, "withdrawn.json"));
  });

  test("escapes hostile words, is bounded, and takes what is of another shape as little", async () => {
    const name = `]]><script>alert(1)</script>&\u0000\ud800\u202e"'`;
    const shown = `]]><script>alert(1)</script>&"'`;
    const news = { short: name, lines: [name, 7, null, ...Array.from({ length: 99 }, () => "x".repeat(9000))] };
    await withChanges(JSON.stringify({ news }), async () => {
      const [entry] = (await readFeed(plain)).entries;
      const html = parseHtml(entry?.content ?? "");
      expect(elementsOf(html, "script")).toEqual([]);
      expect(entry?.summary).toBe(shown);
      const lines = elementsOf(html, "li");
      expect([lines[0]?.text, lines.length, lines[1]?.text.length]).toEqual([shown, 58, 2000]);
    });
    for (const text of ["", "[]", "{}", "null", '{"news":7}', '{"news":{"short":"x"}}', "\u0000"])
      await withChanges(text, async () => expect((await readFeed(plain)).entries).toHaveLength(1));
    await withChanges(`{"news":null${" ".repeat(6 * 1024 * 1024)}}`, async () =>
      expect((await readFeed(plain)).entries[0]?.summary).toBe("much has changed"),
    );
  });

  test("says of a night what the command line says", async () => {
    const { stdout } = await runCommand("diff", ["--data", data, second ?? "", third ?? "", "--json"]);
    const { news } = JSON.parse(stdout);
    const [entry] = (await readFeed(plain)).entries;
    expect(entry?.summary).toBe(news.short);
    expect(elementsOf(parseHtml(entry?.content ?? ""), "li").map(({ text }) => text)).toEqual(news.lines);
    expect((await runCommand("diff", ["--data", data, second ?? "", third ?? ""])).stdout).toContain(
      `\n${news.short}.\n`,
    );
  });

  test("is valid if a manifest or a file has no date", async () => {
    const before = readFileSync(manifestFileOf(data, third));
    const manifest = manifestOf(data, third);
    for (const started_at of ["+012345-01-01T00:00:00Z", "soon", "", "-000001-01-01T00:00:00Z"]) {
      writeFileSync(manifestFileOf(data, third), JSON.stringify({ ...manifest, started_at }));
      expect((await readFeed(plain)).entries.map(({ title }) => title.slice(9, 19))).toEqual(["2026-08-02"]);
    }
    writeFileSync(manifestFileOf(data, third), before);
    using temporary = temporaryFolder();
    const file = join(temporary.path, "dateless.sqlite");
    copyFileSync(plain.active.snapshot.file, file);
    editFile(file, "UPDATE snapshot SET started_at = '+012345-01-01T00:00:00.000Z'");
    await using dateless = await startWithPages(file, createPages({ pictures: false }));
    expect((await readFeed(dateless)).entries).toEqual([]);
  });

  test("is valid without a night", async () => {
    await using alone = await startFollowing(world.data);
    expect((await readFeed(alone)).entries).toEqual([]);
  });
});

describe("absolute addresses", () => {
  const PATHS = [
    "/",
    "/tiers?rank=glory&bogus=1",
    "/heroes?q=a",
    "/nothing",
    "/heroes/miya",
    "/changes.atom",
    "/llms.txt",
    "/robots.txt",
  ];

  /** Without those of schema.org, of Atom and of the convention, which are names. */
  const addressesIn = (text: string) =>
    [...text.matchAll(/https?:\/\/[^\s"<)]+/g)]
      .map(([address]) => address)
      .filter((address) => !/^https?:\/\/(schema\.org|www\.w3\.org|www\.sitemaps\.org)\b/.test(address));

  test("are never those of a request, and none without the option", async () => {
    for (const path of PATHS) expect(addressesIn(await read(plain, path)), path).toEqual([]);
    for (const mirror of [plain, named])
      for (const path of [...PATHS, "/sitemap.xml", "/api/docs"]) {
        const head = {
          host: "evil.example",
          "x-forwarded-host": "evil.example",
          forwarded: "host=evil.example",
          accept: "text/html",
        };
        const { text, headers } = await askRaw(mirror.url + path, head);
        expect(text + headers, path).not.toContain("evil");
      }
    expect(expectScheme(404, await read(plain, "/sitemap.xml")).code).toBe("RESOURCE_NOT_FOUND");
    expect(await read(plain, "/robots.txt")).toBe("User-agent: *\nDisallow: /draft?\n");
  });

  test("are in the canonical link, the sitemap and its line in robots.txt", async () => {
    expect(await read(named, "/robots.txt")).toBe(
      `User-agent: *\nDisallow: /draft?\n\nSitemap: ${PUBLIC}/sitemap.xml\n`,
    );
    const canonical = elementsOf(await openPage(named, "/tiers?bogus=1&rank=glory&days=99"), "link").filter(
      (link) => attributeOf(link, "rel") === "canonical",
    );
    expect(canonical.map((link) => attributeOf(link, "href"))).toEqual([`${PUBLIC}/tiers?rank=glory`]);
    const alternates = elementsOf(await openPage(named, "/tiers?rank=glory&lang=ja&days=99"), "link", "meta").flatMap(
      (one) => {
        const name = attributeOf(one, "hreflang") ?? attributeOf(one, "property");
        return name === undefined || /^og:(?!url)/.test(name)
          ? []
          : [[name, attributeOf(one, "href") ?? attributeOf(one, "content")]];
      },
    );
    expect(alternates).toEqual([
      ["og:url", `${PUBLIC}/tiers?lang=ja&rank=glory`],
      ["x-default", `${PUBLIC}/tiers?rank=glory`],
      ...factsOf(named.active.snapshot)
        .langs.filter((lang) => wordsIn(lang).language === lang)
        .map((lang) => [lang, `${PUBLIC}/tiers?${lang === "en" ? "" : `lang=${lang}&`}rank=glory`]),
    ]);
    // What only travels with links makes no other page, nor does a language in which its words are not.
    const docs = elementsOf(await openPage(named, "/docs?rank=glory&days=30&lang=ja"), "link");
    const addresses = docs.filter(
      (link) => attributeOf(link, "rel") === "canonical" || link.attributes.has("hreflang"),
    );
    expect(addresses.map((link) => attributeOf(link, "href"))).toEqual([`${PUBLIC}/docs`]);
    const sitemap = await read(named, "/sitemap.xml");
    const body = sitemap.replace(/^<\?xml version="1.0" encoding="utf-8"\?>\n<urlset xmlns="[^"]+">/, "<urlset>");
    const listed = elementsOf(parseHtml(body.trimEnd()), "loc").map(({ text }) => text);
    for (const { route } of PAGES)
      expect(
        listed.filter((url) => new RegExp(`^${route.replace("{id}", "\\d+")}$`).test(url.slice(PUBLIC.length))),
      ).toHaveLength(route.includes("{id}") ? 11 : 1);
    for (const url of listed) expect(await statusOf(named.url + url.slice(PUBLIC.length))).toBe(200);
  });

  test.for([
    ["https://mirror.example", "https://mirror.example"],
    ["http://Mirror.example:8080/a/b/", "http://mirror.example:8080/a/b"],
    ["HTTPS://[::1]:3000/", "https://[::1]:3000"],
  ] as const)("%s is taken as %s", async ([given, taken]) => {
    const { stdout, code } = await runCommand("serve", ["--data", data, "--public-url", given, "--get", "/robots.txt"]);
    expect([code, stdout]).toEqual([0, `User-agent: *\nDisallow: /draft?\n\nSitemap: ${taken}/sitemap.xml\n\n`]);
  });

  test.for([
    ...["", "mirror.example", "/mirror", "ftp://mirror.example", "https://", "https:///mirror.example", "https:mirror"],
    ...["https://user:word@mirror.example", "https://@mirror.example", "https://mirror.example?a=1"],
    ...[
      "https://mirror.example?",
      "https://mirror.example#",
      "https://mirror.example/a#b",
      "https://mirror.example//a",
    ],
    ...[
      "https://mirror.example\\a",
      "https://mirror.example/a b",
      "https://mirror.example:99999",
      "javascript:alert(1)",
    ],
  ])("%j is refused in one line", async (given) => {
    const { stderr, code } = await runCommand("serve", ["--data", data, "--get", "/robots.txt"], {
      METASNAP_PUBLIC_URL: given,
    });
    expect(code).toBe(64);
    expect(stderr).toContain("It must be an http or https URL without a user name, query or fragment");
  });
});

/** With any head, which `fetch` does not send. */
const askRaw = (url: string, headers: Record<string, string>) =>
  new Promise<{ text: string; headers: string }>((resolve, reject) => {
    const asked = request(url, { headers }, async (response) => {
      const chunks = await response.toArray();
      resolve({ text: Buffer.concat(chunks).toString(), headers: JSON.stringify(response.headers) });
    });
    asked.once("error", reject).end();
  });

describe("other places", () => {
  test("of docs lead to the docs, and are there for reading alone", async () => {
    for (const path of ["/api/docs", "/api/redoc", "/api/docs/", "/api/redoc?lang=ar"]) {
      const moved = await fetch(plain.url + path, { redirect: "manual" });
      expect([moved.status, moved.headers.get("location"), await moved.text()]).toEqual([308, "/docs", ""]);
      const docs = await fetch(plain.url + path);
      expect(await docs.text()).toMatch(/^<!doctype html>/);
      expect(docs.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const refused = await fetch(plain.url + path, { method: "DELETE" });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    await using bare = await startFollowing(data);
    for (const path of ["/api/docs", "/api/redoc", "/robots.txt", "/sitemap.xml"])
      expect(await statusOf(bare.url + path), path).toBe(404);
    expect(parseAtom(await read(bare, "/changes.atom")).entries[0]?.links.map(({ type }) => type)).toEqual([
      "application/json",
    ]);
  });

  test("tell assistants every endpoint and parameter, and no word of the upstream", async () => {
    const text = await read(plain, "/llms.txt");
    expect(text.startsWith("# Game hero data, mirrored\n\n> ")).toBe(true);
    const lines = text.split("\n");
    for (const { path, parameters } of ENDPOINTS) {
      const line = lines.find((one) => one.startsWith(`- [${path}](${path}): `));
      for (const { name } of parameters) expect(line, path).toContain(`\`${name}\``);
    }
    const linked = [...text.matchAll(/\]\((\/[^){}]*)\)/g)].map(([, path = ""]) => path);
    expect(linked.length).toBeGreaterThan(15);
    await using whole = await startFollowing(world.data);
    // The calculator has required parameters.
    for (const path of linked.filter((one) => !one.includes("calculator")))
      expect(await statusOf(whole.url + path), path).toBe(200);
    const { attribution, licence, game_version } = plain.active.snapshot.head;
    for (const words of [attribution, licence, game_version ?? ""]) expect(text).not.toContain(words);
    expect(await read(named, "/llms.txt")).toContain(`[/api/heroes](${PUBLIC}/api/heroes)`);
  });
});

describe("the first page as a data set", () => {
  const HOSTILE = `</script><script>document.title='owned'</script><!--&\u2028"\\ ]]>`;

  const readData = (text: string) => {
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    return JSON.parse(json);
  };

  test("names the file, its hash and its version", async () => {
    const dataset = readData(await read(named, "/"));
    const { version, sha256 } = manifestOf(data, third);
    expect(dataset).toMatchObject({ "@context": "https://schema.org", "@type": "Dataset", version, url: `${PUBLIC}/` });
    const [{ contentUrl, sha256: told }] = dataset.distribution;
    expect([contentUrl, told]).toEqual([`${PUBLIC}/snapshots/${version}.sqlite`, sha256]);
    expect(dataset.description.length).toBeGreaterThan(50);
    const bare = readData(await read(plain, "/"));
    expect([bare.url, bare.distribution[0].contentUrl]).toEqual([undefined, `/snapshots/${version}.sqlite`]);
    expect(await read(plain, "/tiers")).not.toContain("ld+json");
  });

  test("holds hostile words as words", async () => {
    using temporary = temporaryFolder();
    const file = join(temporary.path, "hostile.sqlite");
    copyFileSync(plain.active.snapshot.file, file);
    const words = HOSTILE.replaceAll("'", "''");
    editFile(file, `UPDATE snapshot SET attribution = '${words}', licence = '${words}', game_version = '${words}'`);
    await using hostile = await startWithPages(file, createPages({ pictures: false }));
    const { creditText, license } = readData(await read(hostile, "/"));
    expect([creditText, license.name]).toEqual([HOSTILE, HOSTILE]);
  });
});

const HEAD = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">`;

/** What RFC 4287 allows once in a feed and in an entry (4.1.1, 4.1.2); of links there may be several. */
const FEED = ["id", "title", "updated", "author", "generator"];
const ENTRY = ["id", "title", "updated", "summary", "content"];

interface AtomEntry {
  id: string;
  title: string;
  updated: string;
  summary: string;
  /** Its HTML. */
  content: string;
  links: { type: string | undefined; href: string }[];
}

interface AtomFeed {
  id: string;
  self: string | undefined;
  entries: AtomEntry[];
  /** What breaks RFC 4287. */
  faults: string[];
}

const textOf = (element: Element, name: string) => element.children.find((child) => child.name === name)?.text ?? "";

/** Throws where the text is not well-formed as our documents are. */
function parseAtom(text: string): AtomFeed {
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  expect(text.startsWith(HEAD), "another head");
  const [feed] = elementsOf(parseHtml(text.replace(HEAD, "<feed>").trimEnd()), "feed");
  if (!feed) throw new Error("no feed");
  const entries = feed.children.filter(({ name }) => name === "entry");
  const check = (element: Element, once: readonly string[]) => {
    for (const name of once)
      expect(element.children.filter((child) => child.name === name).length === 1, `not one ${name}`);
    for (const { name } of element.children)
      expect([...once, "link", "entry"].includes(name), `${name} in ${element.name}`);
    expect(
      /^(urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|https?:.+)$/.test(
        textOf(element, "id"),
      ),
      "id",
    );
    expect(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(textOf(element, "updated")), "updated is no date");
    expect(textOf(element, "title").trim() !== "", "no title");
    const links = element.children.filter(({ name }) => name === "link");
    for (const link of links)
      expect(URL.canParse(attributeOf(link, "href") ?? "", "http://mirror/changes.atom"), "href");
    const kinds = links.map((link) => `${attributeOf(link, "rel")} ${attributeOf(link, "type")}`);
    expect(new Set(kinds).size === kinds.length, "two links of one kind");
  };
  check(feed, FEED);
  const author = feed.children.find(({ name }) => name === "author");
  expect(author !== undefined && textOf(author, "name") !== "", "no name of the author");
  for (const entry of entries) check(entry, ENTRY);
  for (const { children } of entries.flatMap((entry) => elementsOf(entry, "content", "summary", "title")))
    expect(children.length === 0, "markup that is not escaped");
  const ids = entries.map((entry) => textOf(entry, "id"));
  expect(new Set(ids).size === ids.length, "two entries with one id");
  return {
    id: textOf(feed, "id"),
    self: feed.children.flatMap((link) => (attributeOf(link, "rel") === "self" ? attributeOf(link, "href") : []))[0],
    faults,
    entries: entries.map((entry) => ({
      id: textOf(entry, "id"),
      title: textOf(entry, "title"),
      updated: textOf(entry, "updated"),
      summary: textOf(entry, "summary"),
      content: textOf(entry, "content"),
      links: elementsOf(entry, "link").map((link) => ({
        type: attributeOf(link, "type"),
        href: attributeOf(link, "href") ?? "",
      })),
    })),
  };
}
