import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figuresIn } from "../../src/extra/pages/figures.ts";
import { type Html, html } from "../../src/extra/pages/html.ts";
import { createAdminRoutes } from "../../src/server/operate/admin.ts";
import { createActiveSnapshot } from "../../src/server/reload/active-snapshot.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { type Element, elementsOf, faultsOfDocument, parseHtml, rowsOf, tableOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { sqlOf } from "../helpers/pages.ts";
import { openPage } from "../helpers/people.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const FEW = [
  ...["--languages", "en,ja,km,de", "--ranks", "all,glory", "--days", "1,7", "--attempts", "1"],
  ...["--endpoints", "heroes,rank,positions,hero,counters,compatibility,ratings,rating", "--allow-partial"],
];
const [FIRST, SECOND] = [1_790_000_000, 1_790_086_400];
const [BEFORE, SINCE] = [FIRST, SECOND].map((seconds) => new Date(1000 * seconds).toISOString());

const DAYS = [BEFORE, SINCE].map((at) => at?.slice(0, 10));

/** No night has hero texts in Japanese; the second one has no votes, no counters in one rank, and one answer less. */
const ALWAYS: [RegExp, number, string] = [/^\/api\/heroes\/\d+\?.*lang=ja/, 422, '{"detail":"no such language"}'];
const LATER: [RegExp, number, string][] = [
  [/\/ratings/, 200, '{"code":10407,"message":"switched off","data":null}'],
  [/\/counters\?.*rank=glory/, 422, '{"detail":"no such rank"}'],
  [/\/heroes\/2\/counters\?rank=all&days=7/, 404, '{"detail":"no such hero"}'],
];

const folder = temporaryFolder();
const data = folder.path;
let served: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  const closed = [ALWAYS];
  await using upstream = await startUpstream(4, ({ url = "" }, response) => {
    const [, status, body] = closed.find(([paths]) => paths.test(url)) ?? [];
    if (status === undefined) return false;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
    return true;
  });
  const crawl = (start: number, ...words: string[]) =>
    runCommand("crawl", [...crawlOptions(upstream.url, data), ...FEW, ...words], {
      SOURCE_DATE_EPOCH: String(start),
    });
  expect(await crawl(FIRST)).toMatchObject({ code: 7, stderr: "" });
  closed.push(...LATER);
  expect(await crawl(SECOND, "--without", "positions")).toMatchObject({ code: 7, stderr: "" });
  served = await startServe(["--data", data]);
}, 60_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Told {
  snapshot: { closed: unknown; ages: { dataset: string; closed: number }[] };
  endpoints: Record<string, string>[];
}

async function getJson(path: string): Promise<Told> {
  const { data } = (await (await fetch(served.url + path)).json()) as { data: Told };
  return data;
}

const part = (dataset: string, dimension: string, value: string, more: object) =>
  expect.objectContaining({ dataset, dimension, value, ...more });

/** What explains most comes first. */
const CLOSED = [
  part("counters", "rank", "glory", {
    since: SINCE,
    missing: 8,
    carried: 8,
    line: `rank glory in counters: 422, since ${SINCE}; 8 slices carried over, 0 missing`,
  }),
  part("hero", "lang", "ja", { since: BEFORE, status: 422, code: null, carried: 0, missing: 4 }),
  part("rating", "", "", { since: SINCE, status: 200, code: "10407", carried: 4 }),
  part("ratings", "", "", { since: SINCE, status: 200, code: "10407", carried: 4 }),
];

describe("what could not be had", () => {
  test("is told by /health, with how many slices of each endpoint it is", async () => {
    const { snapshot } = await getJson("/health");
    expect(snapshot.closed).toEqual(CLOSED);
    const counts = snapshot.ages.map((one) => `${one.dataset} ${one.closed}`);
    expect(counts).toEqual([
      "compatibility 0",
      "counters 8",
      "hero 4",
      "heroes 0",
      "positions 0",
      "rank 0",
      "rating 4",
      "ratings 4",
    ]);
  });

  test("is told by the index, with the endpoints that are not open", async () => {
    const { snapshot, endpoints } = await getJson("/api/");
    expect(snapshot.closed).toEqual(CLOSED);
    const states = endpoints.flatMap(({ path, state, since }) => (state === undefined ? [] : [[path, state, since]]));
    expect(states).toEqual([
      ["/api/heroes/positions", "left-out", SINCE],
      ["/api/academy/heroes/ratings", "closed", SINCE],
      ["/api/academy/heroes/ratings/{subject}", "closed", SINCE],
    ]);
  });

  test("is counted by /metrics", async () => {
    const lines = (await (await fetch(`${served.url}/metrics`)).text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'metasnap_data_closed_slices{dataset="counters"} 8',
        'metasnap_data_closed_slices{dataset="rank"} 0',
        `metasnap_data_closed_since_timestamp_seconds{dataset="hero",dimension="lang",value="ja"} ${FIRST}`,
        'metasnap_snapshot_slices{state="captured"} 43',
        'metasnap_snapshot_slices{state="carried"} 21',
        'metasnap_snapshot_slices{state="missing"} 4',
        'metasnap_endpoints{state="open"} 5',
        'metasnap_endpoints{state="closed"} 2',
        'metasnap_endpoints{state="left-out"} 1',
      ]),
    );
  });

  test("makes nobody unready, as nobody can have it newer", async () => {
    const snapshot = openSnapshot(fileOf(data));
    const status = createActiveSnapshot({ snapshot });
    const readyWith = async (...names: string[]) =>
      createAdminRoutes({ status, maxAgeOf: new Map(names.map((name) => [name, 3_600_000])) }).ready();
    expect((await readyWith("ratings", "rating")).body).toContain('"ready":true');
    await expect(readyWith("ratings", "rank")).rejects.toThrow(/older answers/);
    snapshot.close();
  });

  test("is answered with its old time, or with an error that says since when", async () => {
    const carried = await fetch(`${served.url}/api/academy/heroes/ratings`);
    expect([carried.status, carried.headers.get("x-data-at")]).toEqual([200, BEFORE]);
    const missing = await fetch(`${served.url}/api/heroes/1?lang=ja`);
    expect(expectScheme(missing.status, await missing.text())).toMatchObject({
      code: "SLICE_NOT_CAPTURED",
      hint: expect.stringContaining(`It could not be had since ${BEFORE} (422)`),
    });
    const other = await fetch(`${served.url}/api/heroes/1/counters?rank=all&days=7`);
    expect(other.headers.get("x-data-at")).toBe(SINCE);
  });
});

test("the question of the docs has the newest closed parts first", () => {
  const sql = sqlOf("data/QUESTIONS.md").find((one) => one.includes("FROM endpoint_state"));
  const rows = queryFile<Record<string, unknown>>(fileOf(data), sql ?? "");
  expect(rows.map(({ dataset, state, value, since }) => [dataset, state, value, since])).toEqual([
    ["counters", "open", "glory", DAYS[1]],
    ["rating", "closed", "", DAYS[1]],
    ["ratings", "closed", "", DAYS[1]],
  ]);
});

const textOf = ({ text }: Element) => text.replaceAll(/\s+/g, " ").trim();
const notesOf = (document: Element) =>
  elementsOf(document, "main").flatMap((main) =>
    elementsOf(main, "p").flatMap((one) => (one.attributes.get("class") === "note" ? [textOf(one)] : [])),
  );
const ASKED_AT = "2026-09-21T14:13:00.000Z";
const ASKED = "2026-09-21 14:13 UTC";
const GLORY = `No longer given by the upstream since ${DAYS[1]}: counters (rank glory). What is shown is from ${ASKED}. More about this`;
const POSITIONS = `Not asked by this mirror since ${DAYS[1]}: positions. What is shown is from ${ASKED}. More about this`;

/** The three notes in the words of a page in Japanese. */
function notesInJapanese() {
  const { withheld: words } = wordsIn("ja").mirror;
  const { day, time } = figuresIn("ja");
  const asked = time(ASKED_AT);
  const part = (dataset: string, only: string) => html`<b>${dataset}</b> (${only})`;
  const say = (...sentences: readonly (Html | string)[]) =>
    textOf(parseHtml(html`${sentences.map((one) => html`${one} `)}${words.more}`.text));
  return [
    say(
      words.noLongerGiven({ since: day(DAYS[1]), what: part("counters", words.only.rank({ name: "glory" })) }),
      words.shownFrom({ time: asked }),
    ),
    say(
      words.notGiven({ since: day(DAYS[0]), what: part("hero", words.only.lang({ name: "ja" })) }),
      words.missing({ answers: html`4` }),
    ),
    say(words.notAsked({ since: day(DAYS[1]), what: html`<b>positions</b>` }), words.shownFrom({ time: asked })),
  ];
}

describe("a page", () => {
  test.for([
    ["/", []],
    ["/tiers", [POSITIONS]],
    ["/heroes/1", [GLORY, POSITIONS]],
    ["/heroes/1?lang=ja", notesInJapanese()],
    ["/compare?heroes=1,2&lang=ja", notesInJapanese().slice(1, 2)],
    ["/trends", []],
    ["/draft", [POSITIONS]],
  ] as const)("%s says what of it is no longer given, and of when it is", async ([path, notes]) => {
    const document = await openPage(served, path);
    expect(notesOf(document)).toEqual(notes);
    expect(faultsOfDocument(document)).toEqual([]);
  });

  test("of the proof lists it once, and apart from other holes", async () => {
    const document = await openPage(served, "/data");
    expect(faultsOfDocument(document)).toEqual([]);
    expect(rowsOf(tableOf(document, "in the same way")).map((cells) => cells.map(textOf))).toEqual([
      ["rank glory", "counters", DAYS[1], "422", "8", ASKED, "0"],
      ["language ja", "hero", DAYS[0], "422", "0", "–", "4"],
      ["All of it", "rating, ratings", DAYS[1], "200, code 10407", "8", ASKED, "0"],
      ["Single answers", "counters", "–", "–", "1", ASKED, "0"],
      ["Left out by the operator of this snapshot", "positions", DAYS[1], "–", "4", ASKED, "0"],
    ]);
    expect(document.text).toContain("4 answers are missing because they are closed or left out.");
    expect(document.text).not.toContain("hero=1&lang=ja");
    const [counters] = rowsOf(tableOf(document, "Answers by endpoint")).filter(([name]) => name?.text === "counters");
    expect(counters?.map(textOf)).toEqual(["counters", "8", "2026-09-22 14:13 UTC", ASKED, ASKED, "0", "0", "8"]);
    const [badges] = elementsOf(document, "ul").filter((list) => list.attributes.get("class") === "badges");
    expect(badges && textOf(badges)).toMatch(
      /4 of 68 answers are missing; could not be had, or were left out: 4.*Answers of earlier nights: 21/,
    );
  });

  test("is told by `verify` in the words of the page", async () => {
    const document = await openPage(served, "/data");
    const { stdout } = await runCommand("verify", ["--data", data, "--max-age-of", "rank=99d"]);
    const lines = stdout.split("\n").map((line) => line.split("│").map((cell) => cell.trim()));
    for (const caption of ["in the same way", "Answers by endpoint"]) {
      const table = tableOf(document, caption);
      const heads = elementsOf(table, "thead").flatMap((head) => elementsOf(head, "th").map(textOf));
      expect(lines, caption).toContainEqual(["", ...heads, ""]);
    }
    const [row] = rowsOf(tableOf(document, "in the same way"));
    const written = row?.map((cell) => textOf(cell).replace("–", "")) ?? [];
    expect(lines).toContainEqual(["", ...written, ""]);
  });
});
