/** Pages of files that hold odd things, less than all, or what an older program wrote. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
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
import { publishDays, type RunningMirror, startFollowing, startWithPages } from "../helpers/mirror.ts";
import { openPage, readCsv } from "../helpers/people.ts";
import { LITTLE, RATES, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** A small snapshot of one day. */
const small = await (async () => {
  const data = join(folder.path, "small");
  const [version] = await publishDays(data, [0], ...LITTLE);
  return join(data, "snapshots", `${version}.sqlite`);
})();

test("a note tells of the endpoints of its page alone, not of all that is closed with them", async () => {
  const file = join(folder.path, "closed.sqlite");
  cpSync(small, file);
  editFile(
    file,
    `INSERT INTO closed_part SELECT 1, '', 'hero', '1', started_at, version, 'refused', 404, NULL, 9, 8, 1 FROM snapshot;
     UPDATE coverage SET part_id = 1, reason = 'refused' WHERE dataset = 'compatibility' AND hero_id = 1;
     UPDATE coverage SET part_id = 1, reason = 'refused', status = 'failed' WHERE dataset = 'counters' AND hero_id = 1`,
  );
  const [{ missing } = { missing: 0 }] = queryFile<{ missing: number }>(
    file,
    "SELECT count(*) AS missing FROM coverage WHERE status = 'failed'",
  );
  expect(missing).toBeGreaterThan(0);
  await using mirror = await startWithPages(file, createPages({ pictures: false }));
  const noteOf = async (dataset: string) =>
    elementsOf(await openPage(mirror, `/docs?endpoint=${dataset}`), "p")
      .filter((one) => attributeOf(one, "class") === "note")
      .map(({ text }) => text);
  expect(await noteOf("counters")).toEqual([
    expect.stringMatching(`^Not given by .*: counters \\(hero 1 .*\\)\\. Missing answers: ${missing}\\. `),
  ]);
  expect(await noteOf("compatibility")).toEqual([expect.stringMatching(/^No longer given (?!.*Missing answers)/)]);
});

describe("a snapshot of odd things", () => {
  const file = join(folder.path, "odd.sqlite");
  const hostile = `</bdi><script>alert(1)</script>"'&amp;\u202e\u0007 ${"x".repeat(50)}`;
  const long = `<b onclick="x">${"ท".repeat(200_000)}`;
  let odd: RunningMirror;

  beforeAll(async () => {
    cpSync(small, file);
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    editFile(
      file,
      `UPDATE hero SET name = ${quoted(hostile)} WHERE hero_id = 1;
       UPDATE hero_text SET name = ${quoted(hostile)}, story = ${quoted(long)} WHERE hero_id = 1;
       UPDATE hero SET head_url = 'javascript:alert(1)' WHERE hero_id = 2;
       UPDATE hero SET head_url = 'https://x.example/"onerror="alert(1)' WHERE hero_id = 3;
       UPDATE skill_text SET name = ${quoted(hostile)}, description_plain = ${quoted(long)};
       UPDATE role_text SET title = ${quoted(hostile)};
       UPDATE item_text SET name = ${quoted(hostile)};
       UPDATE skill_combo_text SET title = ${quoted(hostile)};
       DELETE FROM hero_text WHERE hero_id = 2 AND lang = 'ja';
       DELETE FROM skill_text WHERE hero_id = 2 AND lang = 'ja';
       UPDATE hero_rate SET win_rate = 1e300 WHERE hero_id = 3;
       UPDATE snapshot SET attribution = ${quoted(`${hostile} https://arena.example/x`)}, game_version = ${quoted(hostile)}, sample = 0, rolling = 1;
       UPDATE coverage SET status = 'failed', reason = ${quoted(hostile)} WHERE dataset = 'counters';
       DELETE FROM hero_trend WHERE rank = 'glory';
       INSERT INTO closed_part SELECT value, 'teammates', 'hero', value, '2026-09-20T03:00:00.000Z', version, 'refused', 404, NULL, 5, 2, 0
       FROM json_each('["1", "2", "3", "4", "5", "6"]'), snapshot;
       UPDATE table_doc SET description = ${quoted(long)} WHERE table_name = 'hero';
       UPDATE column_doc SET description = ${quoted(hostile)}, unit = ${quoted(hostile)} WHERE table_name = 'hero';
       INSERT INTO table_doc VALUES (${quoted(hostile)}, ${quoted(long)});
       INSERT INTO column_doc VALUES (${quoted(hostile)}, ${quoted(long)}, ${quoted(long)}, NULL, NULL);
       INSERT INTO misfit VALUES (1, 'hero', ${quoted(hostile)}, 'hero', ${quoted(long)}, 'unfit', 3, ${quoted(hostile)});`,
    );
    odd = await startWithPages(file, createPages({ pictures: true }));
  });
  afterAll(() => odd[Symbol.asyncDispose]());

  test.for([
    "/",
    "/tiers",
    "/heroes/1",
    "/heroes/1?lang=ja",
    "/heroes/2?lang=ja",
    "/heroes/3",
    "/data",
    "/changes",
    "/compare?heroes=1,2,3",
    "/trends?heroes=1,3",
    "/docs?endpoint=hero",
    "/docs?endpoint=rating",
    "/matchups?hero=1",
    "/matchups?hero=2&sort=similarity&lang=ja",
    "/draft?enemies=1&allies=2",
    "/sql",
  ])("breaks no page: %s", async (path) => {
    const response = await fetch(odd.url + path);
    const source = await response.text();
    expect(response.status).toBe(200);
    expect(source.length).toBeLessThan(200_000);
    expect(source).not.toMatch(
      /<script(?! type="module" src="\/assets\/| type="application\/ld\+json">\{)|<b onclick|javascript:|(?!\n)\p{Cc}/u,
    );
    const document = parseHtml(source);
    expect(faultsOfDocument(document)).toEqual([]);
    expect(document.text).not.toContain("Made-up data");
    const [footer] = elementsOf(document, "footer");
    expect(elementsOf(footer as Element, "a").map((link) => attributeOf(link, "href"))).toContain(
      "https://arena.example/x",
    );
    expect(odd.faults).toEqual([]);
  });

  test("says that it is not whole, and of what", async () => {
    const document = await openPage(odd, "/data");
    expect(document.text).toMatch(/Incomplete: \d+ of \d+ answers are missing/);
    expect(document.text).toContain("Rolling: some answers are of earlier nights");
    expect(rowsOf(tableOf(document, "coverage_hole")).length).toBeGreaterThan(5);
    expect(numberIn(rowsOf(tableOf(document, "kinds"))[0]?.[5])).toBe(3);
  });

  test("shows the English name where a language has none", async () => {
    const [heading] = elementsOf(await openPage(odd, "/heroes/2?lang=ja"), "h1");
    const [name] = elementsOf(heading as Element, "bdi");
    expect(attributeOf(name, "lang")).toBe("en");
  });

  const linksOf = (document: Element) => elementsOf(document, "a").map((link) => attributeOf(link, "href") ?? "");
  const csvOf = (document: Element) => linksOf(document).filter((address) => address.includes("format=csv"));

  test("offers a request only for what it has", async () => {
    const document = await openPage(odd, "/docs?endpoint=rank");
    const [ranks, days, langs] = ["try-rank", "try-days", "try-lang"].map((id) => {
      const [field] = elementsOf(document, "select").filter((one) => attributeOf(one, "id") === id);
      return elementsOf(field as Element, "option").map(({ text }) => text);
    });
    expect([ranks, days, langs]).toEqual([
      ["all", "glory"],
      ["1", "7"],
      ["en", "ja"],
    ]);
    for (const rank of ranks ?? [])
      for (const window of days ?? [])
        expect((await fetch(`${odd.url}/api/heroes/rank?rank=${rank}&days=${window}`)).status).toBe(200);
    expect((await openPage(odd, "/docs?endpoint=counters")).text).toContain("holds no record of this endpoint");
  });

  test.for([
    ["/trends?rank=glory&rate=ban_rate", "It has them for:", "/trends?rate=ban_rate"],
    ["/tiers?role=support&least=0.02&rank=glory", "No hero matches these filters.", "/tiers?rank=glory&least=0"],
    ["/draft?enemies=1&role=support&least=0.02", "No hero matches these filters.", "/draft?enemies=1&least=0#picks"],
  ] as const)("leads on from the empty %s", async ([path, said, onward]) => {
    const document = await openPage(odd, path);
    expect(document.text).toContain(said);
    expect(linksOf(document)).toContain(onward);
  });

  test("links to the CSV of a table only where there is one", async () => {
    for (const path of ["/trends?rank=glory", "/tiers?role=support", "/compare", "/changes"])
      expect(csvOf(await openPage(odd, path)), path).toEqual([]);
    for (const path of ["/trends", "/tiers", "/compare?heroes=1"])
      expect(csvOf(await openPage(odd, path)), path).toHaveLength(1);
  });

  test("names a few of the heroes that are closed, and on the page of a hero its own", async () => {
    const notes = async (path: string) =>
      elementsOf(await openPage(odd, path), "p").flatMap((note) =>
        attributeOf(note, "class") === "note" ? [note.text.trim()] : [],
      );
    const own = await notes("/heroes/2");
    const ofHero = "Not given by the upstream since 2026-09-20: teammates (hero 2";
    expect(own.map((text) => text.startsWith(ofHero))).toEqual([true]);
    const all = await notes("/matchups");
    expect(all).toHaveLength(5);
    expect(all.at(-1)).toBe("Missing or left out besides: 2");
  });

  test("offers only what it has", async () => {
    const document = await openPage(odd, "/tiers");
    const options = elementsOf(document, "option").map((option) => attributeOf(option, "value"));
    expect(options.slice(0, 4)).toEqual(["all", "glory", "1", "7"]);
    expect(elementsOf(document, "a").filter((link) => link.attributes.has("hreflang"))).toHaveLength(2);
  });
});

describe("pages over time", () => {
  test("are of the snapshot that is served, and say of a part that it is one", async () => {
    const [first = ""] = fewNights.versions;
    using night = copyOfFirst(1);
    const data = night.path;
    const pages = createPages({ pictures: false });
    await using following = await startFollowing(data, { pages });
    const shown = async (path: string) => (await openPage(following, path)).text;
    for (const path of ["/", "/tiers", "/tiers"]) expect(await shown(path)).toContain(first);
    expect(await shown("/")).toContain("A part, complete in itself: 2 of 28 endpoints");
    expect(await shown("/heroes/1")).toContain("This snapshot has no list for this rank and window.");
    expect(await shown("/trends")).toContain("This snapshot has no trends");
    expect(await shown("/draft?enemies=1&allies=2")).toContain(
      "This snapshot has no matchups for this rank. The heroes are ranked by win rate alone.",
    );
    const heads = elementsOf(await openPage(following, "/draft?enemies=1&allies=2"), "th").map(({ text }) => text);
    expect(heads.slice(0, 3)).toEqual(["Hero", "Win rate", "Pick rate"]);
    const [second = ""] = await publishDays(data, [1], ...RATES);
    await expect.poll(() => shown("/tiers")).toContain(second);
    expect(await shown("/")).not.toContain(first);
  });

  test("leave unknown in a draft what the upstream says of opponents, if only team mates are there", async () => {
    const mates = join(folder.path, "mates.sqlite");
    cpSync(small, mates);
    editFile(mates, "DELETE FROM hero_matchup WHERE match_type = 0");
    const [beside] = queryFile<{ increase_win_rate: number }>(
      mates,
      "SELECT increase_win_rate FROM hero_matchup WHERE rank = 'all' AND hero_id = 3 AND other_hero_id = 2",
    );
    await using lacking = await startWithPages(mates, createPages({ pictures: false }));
    const { head, rows } = await readCsv(lacking, "/draft?enemies=1&allies=2&rank=all&least=0&format=csv");
    const figures = ["hero_id", "known", "against_1", "with_2"].map((name) => rows[0]?.[head.indexOf(name)]);
    expect(figures).toEqual(["3", "1", "", `${beside?.increase_win_rate}`]);
    expect((await openPage(lacking, "/draft?enemies=1&allies=2&least=0")).text).toContain("1 of 2 pairings known");
  });

  test("link to answers of windows that the snapshot has", async () => {
    await using less = await startWithPages(small, createPages({ pictures: false }));
    const links = elementsOf(await openPage(less, "/heroes/1?lang=ja"), "a").map((link) => attributeOf(link, "href"));
    const trends = links.find((href) => href?.startsWith("/api/heroes/1/trends?")) ?? "";
    expect([trends, (await fetch(less.url + trends)).status]).toEqual([expect.stringContaining("past-days=7"), 200]);
  });

  test("link to no answer that the snapshot lacks", async () => {
    const holed = join(folder.path, "sources.sqlite");
    cpSync(small, holed);
    const lost = "dataset IN ('positions', 'skill-combos') OR (dataset = 'rank' AND rank = 'glory' AND days = 7)";
    editFile(holed, `UPDATE coverage SET status = 'failed', reason = 'refused' WHERE ${lost}`);
    await using lacking = await startWithPages(holed, createPages({ pictures: false }));
    const linked = async (path: string) => {
      const links = elementsOf(await openPage(lacking, path), "a").map((link) => attributeOf(link, "href") ?? "");
      return links.filter((href) => /^\/api\/./.test(href));
    };
    const rates = "/api/heroes/rank?sort_field=win_rate&sort_order=desc&size=500&days=7&rank=all&lang=ja";
    expect(await linked("/tiers?lang=ja")).toEqual([rates]);
    expect(await linked("/draft?rank=glory")).toEqual([]);
    const others = await Promise.all(["/heroes/1?lang=ja", "/matchups"].map(linked));
    expect(others.flat()).toContain("/api/academy/heroes/1/teammates?rank=all&lang=ja");
    for (const href of others.flat()) expect((await fetch(lacking.url + href)).status, href).toBe(200);
  });

  test("say that a rank and window has no list, not that no hero matches the filters", async () => {
    const holed = join(folder.path, "holed.sqlite");
    cpSync(small, holed);
    editFile(
      holed,
      `DELETE FROM hero_rate WHERE rank = 'glory' AND days = 7;
       UPDATE hero_rate SET appearance_rate = 0.02 WHERE hero_id = 1;
       UPDATE coverage SET status = 'failed', reason = 'refused' WHERE dataset = 'rank' AND rank = 'glory' AND days = 7`,
    );
    await using lacking = await startWithPages(holed, createPages({ pictures: false }));
    const { noHero, hero } = wordsIn("ja").heroes;
    const said = async (path: string) => {
      const { text } = await openPage(lacking, path);
      return [text.includes(noHero), text.includes(hero.noList)];
    };
    for (const path of ["/?lang=ja&rank=glory", "/tiers?lang=ja&rank=glory", "/tiers?lang=ja&rank=glory&role=support"])
      expect([path, ...(await said(path))]).toEqual([path, false, true]);
    expect(await said("/tiers?lang=ja&rank=glory&days=1&role=support&least=0.02")).toEqual([true, false]);
    expect(await said("/?lang=ja&rank=glory&days=1")).toEqual([false, false]);
    // Miya has exactly as many picks as are asked for.
    const { head, rows } = await readCsv(lacking, "/tiers?rank=glory&days=1&least=0.02&format=csv");
    expect(rows.map((row) => row[head.indexOf("hero_id")])).toContain("1");
  });

  test("tell in a rolling night from when the figures of their rank, window, hero and language are", async () => {
    const carried = join(folder.path, "carried.sqlite");
    cpSync(small, carried);
    editFile(
      carried,
      `UPDATE coverage SET asked_at = '2026-09-10T03:00:00.000Z' WHERE dataset = 'rank' AND rank = 'glory' AND days = 7
         OR dataset = 'relations' AND hero_id = 2 OR dataset = 'positions' AND lang = 'ja'`,
    );
    const told = async () => {
      await using mirror = await startWithPages(carried, createPages({ pictures: false }));
      const notesOn = async (path: string) =>
        elementsOf(await openPage(mirror, path), "p").flatMap((note) =>
          attributeOf(note, "class") === "note" ? [note.text.trim()] : [],
        );
      const paths = [
        "/?rank=glory",
        "/?rank=all",
        "/?rank=glory&days=1",
        "/heroes/1",
        "/heroes/2",
        "/tiers",
        "/tiers?lang=ja",
      ];
      return await Promise.all(paths.map(notesOn));
    };
    expect((await told()).flat()).toEqual([]);
    editFile(carried, "UPDATE snapshot SET rolling = 1");
    const from = "What is shown is from 2026-09-10 03:00 UTC";
    expect(await told()).toEqual([
      [`${from}.`],
      ...[[], [], []],
      [`${from} to 2026-09-21 14:13 UTC.`],
      [],
      [expect.stringContaining("2026/09/10")],
    ]);
  });

  test("tell of heroes although nobody has rates", async () => {
    const bare = join(folder.path, "bare.sqlite");
    cpSync(small, bare);
    editFile(bare, "DELETE FROM hero_rate; DELETE FROM coverage WHERE dataset = 'rank'");
    await using rateless = await startWithPages(bare, createPages({ pictures: false }));
    const titles = ["/tiers", "/heroes/1", "/matchups?hero=1"].map(async (path) => {
      const [title] = elementsOf(await openPage(rateless, path), "title");
      return title?.text.replace(/ · .*/, "");
    });
    expect(await Promise.all(titles)).toEqual(["Tier list", "Miya", "Miya against each other hero"]);
  });
});
