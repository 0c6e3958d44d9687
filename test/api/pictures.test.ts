import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unwrapPicture, unwrapPictures } from "../../src/api/body/pictures.ts";
import { createListLookup } from "../../src/api/localise.ts";
import { diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { createNotes } from "../../src/snapshot/texts/note.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { SEED } from "../helpers/random.ts";
import { crawlOptions, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { PROXY, wrap, wrapAll } from "../helpers/upstream/image-proxy.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const PICTURE = "https://cdn.example/web/gms/image/a%20b+c.png?x=1&y=ü#z";
const ENCODED = encodeURIComponent(PICTURE);

describe("an address", () => {
  const read: [what: string, sent: string, picture: string][] = [
    ["as the upstream sends it", PROXY + ENCODED, PICTURE],
    ["of the other proxy", `https://images.weserv.nl/?url=${ENCODED}`, PICTURE],
    ["over http, in capitals", `HTTP://WSRV.NL/?url=${ENCODED}`, PICTURE],
    ["without a scheme before the proxy", `//wsrv.nl/?url=${ENCODED}`, PICTURE],
    ["with nothing before the proxy", `wsrv.nl?url=${ENCODED}`, PICTURE],
    ["among other parameters", `https://wsrv.nl/?w=100&url=${ENCODED}&output=webp#top`, PICTURE],
    ["not encoded", `${PROXY}https://cdn.example/a.png`, "https://cdn.example/a.png"],
    ["over http itself", `${PROXY}http%3A%2F%2Fcdn.example%2Fa.png`, "http://cdn.example/a.png"],
    ["without a scheme", `${PROXY}cdn.example:8080/a.png`, "https://cdn.example:8080/a.png"],
    ["that takes the page's scheme", `${PROXY}%2F%2Fcdn.example%2Fa.png`, "https://cdn.example/a.png"],
    ["with ssl before it", `https://images.weserv.nl/?url=ssl:cdn.example/a.png`, "https://cdn.example/a.png"],
    ["through two proxies", `https://images.weserv.nl/?url=${encodeURIComponent(PROXY + ENCODED)}`, PICTURE],
  ];
  test.for(read)("%s is that of the picture", ([, sent, picture]) => {
    expect(unwrapPicture(sent)).toBe(picture);
  });

  const kept = {
    "of no proxy": "https://cdn.example/a.png",
    "of another host": `https://wsrv.nl.example/?url=${ENCODED}`,
    "of another name before the proxy": `https://wsrv.nl@cdn.example/?url=${ENCODED}`,
    "of another path": `https://wsrv.nl/lichtenstein.jpg?url=${ENCODED}`,
    "within a text": `see ${PROXY}${ENCODED}`,
    "without the parameter": "https://wsrv.nl/?w=100",
    "with nothing in it": PROXY,
    "with two of it": `${PROXY}${ENCODED}&url=${ENCODED}`,
    "that is not encoded as it should be": `${PROXY}https%3A%2F%2Fcdn.example%2F%E0%A4%A.png`,
    "of no host": `${PROXY}https%3A%2F%2F%2Fa.png`,
    "of a path": `${PROXY}%2Fimages%2Fa.png`,
    "of a host without a dot": `${PROXY}localhost%2Fa.png`,
    "of a port that is none": `${PROXY}https%3A%2F%2Fcdn.example%3A99999%2Fa.png`,
    "of a script": `${PROXY}javascript:alert(1)`,
    "of data": `${PROXY}data:image/png;base64,AAAA`,
    "of a file": `${PROXY}ftp://cdn.example/a.png`,
    "of a mailbox": `${PROXY}mailto:a@cdn.example`,
    "longer than a line": `${PROXY}https://cdn.example/${"a".repeat(2000)}`,
    nothing: "",
  };
  test.for(Object.entries(kept))("%s stays as it was sent", ([, sent]) => {
    expect(unwrapPicture(sent)).toBe(sent);
  });

  test("through up to three proxies is that of the picture, through more as it was sent", () => {
    const layers = Array.from({ length: 6 }).reduce<string[]>(
      (all) => [...all, PROXY + encodeURIComponent(all.at(-1) ?? "")],
      [PICTURE],
    );
    expect(layers.map(unwrapPicture)).toEqual([PICTURE, PICTURE, PICTURE, PICTURE, ...layers.slice(4)]);
  });

  test("of any length and of any kind never fails, and is done at once", () => {
    for (const part of ["&url", "&url=a.b/", "%", "%25", "https://wsrv.nl/?url=", "ssl:", "//", "a.", "?"]) {
      for (const long of [PROXY + part.repeat(200_000), `${PROXY}${part.repeat(200_000)}@`])
        expect(unwrapPicture(long).length).toBeLessThanOrEqual(long.length);
    }
    const start = fc.constantFrom("", PROXY, "//wsrv.nl?url=", `${PROXY}https%3A%2F%2Fcdn.example%2F`);
    const check = fc.property(start, fc.string({ unit: "binary" }), (before, text) => {
      const once = unwrapPicture(before + text);
      expect(unwrapPicture(once)).toBe(once);
    });
    fc.assert(check, { seed: SEED, numRuns: 200 });
  });

  test("stands anywhere in a JSON value, which is the same object where there is none", () => {
    const sent = JSON.parse(
      `{"__proto__":{"head":"${wrap(PICTURE)}"},"list":[1,null,"${wrap(PICTURE)}"],"name":"Miya"}`,
    );
    const read = unwrapPictures(sent);
    expect(JSON.stringify(read)).toBe(JSON.stringify(sent).replaceAll(wrap(PICTURE), PICTURE));
    expect(unwrapPictures(read)).toBe(read);
  });
});

test("a picture that a record shows is taken for that of the list if only one is behind a proxy", () => {
  const hero = (head: string) => ({ data: { hero_id: 1, hero: { data: { name: "Miya", head } } } });
  const record = (head: string) => ({ data: { main_heroid: 1, main_hero: { data: { name: "Miya", head } } } });
  const countIn = (listed: string, shown: string) => {
    const notes = createNotes(createListLookup(() => [hero(listed)]));
    notes.noterOf({ dataset: "stats", lang: "en" })?.(record(shown), JSON.stringify(record(shown)));
    return notes.texts().length;
  };
  expect(countIn(PICTURE, PICTURE)).toBe(2);
  expect(countIn(wrap(PICTURE), wrap(PICTURE))).toBe(2);
  expect(countIn(PICTURE, wrap(`${PICTURE}.png`))).toBe(1);
  expect(countIn(PICTURE, wrap(PICTURE))).toBe(2);
});

test("a night in which a proxy comes before the pictures is answered as it was sent, and tells nothing", async () => {
  using folder = temporaryFolder();
  const [first, second] = ["first", "second"].map((name) => join(folder.path, name)) as [string, string];
  let wrapped = false;
  await using upstream = await startUpstream(2, undefined, (path, body) =>
    wrapped && path.startsWith("/api/") ? wrapAll(body) : body,
  );
  const crawl = async (data: string, epoch: number) => {
    const options = [...crawlOptions(upstream.url, data), ...LITTLE, "--endpoints", "heroes,rank,hero,stats"];
    const clock = { SOURCE_DATE_EPOCH: String(epoch) };
    expect(await runCommand("crawl", [...options, "--allow-partial"], clock)).toMatchObject({ code: 0, stderr: "" });
  };
  await crawl(first, 1_790_000_000);
  cpSync(first, second, { recursive: true });
  wrapped = true;
  await crawl(second, 1_790_086_400);
  const path = "/api/heroes/1?lang=ja";
  const sent = (await (await fetch(upstream.url + path)).json()) as { data: object };
  expect(JSON.stringify(sent)).toContain(PROXY);
  expect(JSON.parse((await runCommand("serve", ["--data", second, "--get", path])).stdout).data).toEqual(sent.data);
  const [before, after] = [first, second].map((data) => fileOf(data)) as [string, string];
  const [heads, later] = [before, after].map((file) => queryFile(file, "SELECT head_url, painting_url FROM hero"));
  expect(later).toEqual(heads);
  const { rates, texts, lists, tables, shape } = diffSnapshots(before, after).changes ?? {};
  expect([rates?.movers, texts, lists, tables, shape].flat()).toEqual([]);
});
