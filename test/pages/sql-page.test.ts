/** The SQL console without a browser: what the page has without scripts, what it may load, and how it writes values. */
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { findAsset, scriptPath } from "../../src/extra/pages/assets.ts";
import { toCsv } from "../../src/extra/pages/browser/answer/csv.ts";
import { figuresOf } from "../../src/extra/pages/browser/answer/figures.ts";
import { toJson } from "../../src/extra/pages/browser/answer/json.ts";
import { drawLine } from "../../src/extra/pages/browser/answer/lines.ts";
import type { Value } from "../../src/extra/pages/browser/sql/messages.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, elementsOf, parseHtml } from "../helpers/html.ts";
import { startFollowing, startMirror, startWithPages } from "../helpers/mirror.ts";
import { readPage } from "../helpers/pages.ts";
import { openPage } from "../helpers/people.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const pages = createPages({ pictures: false });
const mirror = await startFollowing(world.data, { pages });
afterAll(() => mirror[Symbol.asyncDispose]());

const policyOf = async (path: string) => (await fetch(mirror.url + path)).headers.get("content-security-policy");

describe("the page without scripts", () => {
  test("has the questions of the docs, the schema in the file's words, and the way to the file", async () => {
    const source = await (await fetch(`${mirror.url}/sql`)).text();
    const document = parseHtml(source);
    const queries = elementsOf(document, "pre").map((one) => one.text);
    const asked = [...readPage("data/QUESTIONS.md").matchAll(/^### 1?\d\. (.*)$/gm)].map(([, title]) => title);
    const titles = elementsOf(document, "h3").map((one) => one.text);
    expect(titles).toEqual(expect.arrayContaining(asked.slice(0, 12)));
    expect(titles).not.toContain(asked[12]);
    expect(queries.length).toBeGreaterThan(25);
    const captions = elementsOf(document, "caption").map((one) => one.text);
    const tables = queryFile<{ name: string }>(
      world.snapshot,
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY type DESC, name",
    );
    expect(captions).toEqual(tables.map(({ name }) => `Columns of ${name}`));
    expect(document.text).toContain("The console needs scripts");
    const heavy = elementsOf(document, "div").filter(({ text }) => text.includes("The query reads whole tables of"));
    expect(heavy.map((one) => elementsOf(one, "h3")[0]?.text)).toEqual(["Which skills name a thing?"]);
    expect(source).toContain(`href="/snapshots/${mirror.active.snapshot.head.version}.sqlite"`);
  });

  test("says why a file that was not published here cannot be asked", async () => {
    await using unpublished = await startWithPages(world.snapshot, pages);
    const { text } = await openPage(unpublished, "/sql");
    expect(text).toContain("There is no console here: the file that is served was not published");
    expect(text).toContain("Columns of hero_rate");
  });

  test("is not there without pages, nor what it loads", async () => {
    await using bare = await startMirror(world.snapshot);
    for (const path of ["/sql", scriptPath("sql"), scriptPath("sql-worker")])
      expect((await fetch(`${bare.url}${path}`)).status, path).toBe(404);
  });
});

test("WebAssembly is allowed on this page and in its worker, and nowhere else", async () => {
  const allowed = /; script-src 'self' 'wasm-unsafe-eval';/;
  for (const path of ["/sql", scriptPath("sql-worker") ?? ""]) expect(await policyOf(path), path).toMatch(allowed);
  for (const path of ["/", "/data", scriptPath("sql") ?? "", scriptPath("page") ?? ""])
    expect(await policyOf(path), path).not.toContain("wasm");
});

test("what the page loads is light, WebAssembly aside", () => {
  const weigh = (name: string) => gzipSync(findAsset(scriptPath(name) ?? "")?.read() ?? "").length;
  expect(weigh("sql") + weigh("page")).toBeLessThan(10_000);
  // Nearly all of it is the official build's own.
  expect(weigh("sql-worker")).toBeLessThan(75_000);
});

test("CSV has all values, and none that a spreadsheet would run", () => {
  const rows = [
    ['a "b", c', -1.5, null],
    ["=1+1", 10n ** 17n, "two\nlines"],
  ];
  expect(toCsv(["x", "y,z", "n"], rows)).toBe(
    'x,"y,z",n\r\n"a ""b"", c",-1.5,\r\n\'=1+1,100000000000000000,"two\nlines"\r\n',
  );
});

test("JSON has an object for each row, with all digits, and no column is lost", () => {
  const rows: Value[][] = [["a", 10n ** 17n, null, -1 / 0]];
  const text = toJson(["x", "x", "n", "i"], rows);
  expect(text).toContain(":100000000000000000,");
  expect(JSON.parse(text)).toEqual([{ x: "a", "x:1": 1e17, n: null, i: -1 / 0 }]);
  expect(JSON.parse(toJson(["x"], []))).toEqual([]);
});

test.for<[column: Value[], shown: string[]]>([
  [
    [0.5053882932330828, 0.49, 1, "all", null],
    ["0.5054", "0.4900", "1.0000"],
  ],
  [
    [-5.1, 3, 0],
    ["−5.1", "3.0", "0.0"],
  ],
  [
    [-0.00001, 0.5],
    ["0.0000", "0.5000"],
  ],
  [
    [0.00123456, 0.0004],
    ["0.001235", "0.000400"],
  ],
  [
    [2461234.51234, 12],
    ["2461234.51", "12.00"],
  ],
  [
    [-7, 12, 10n ** 17n],
    ["−7", "12", "100000000000000000"],
  ],
  [
    [1e300, -1 / 0, 1e-20, 0.25],
    ["1e+300", "−Infinity", "0.0000", "0.2500"],
  ],
  [[1e-20], ["1e-20"]],
])("numbers of a column are shown by what they bear (%#)", ([column, shown]) => {
  const show = figuresOf(column);
  expect(column.flatMap((one) => (typeof one === "string" || one === null ? [] : [show(one)]))).toEqual(shown);
});

test.for<[values: number[], marks: string[]]>([
  [
    [0, 10],
    ["0", "2", "4", "6", "8", "10"],
  ],
  [
    [1, 4],
    ["1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"],
  ],
  [
    [100, 700],
    ["100", "200", "300", "400", "500", "600", "700"],
  ],
  [
    [0, 55],
    ["0", "10", "20", "30", "40", "50", "60"],
  ],
])("a line is drawn along marks in steps of 1, 2 or 5 (%#)", ([values, marks]) => {
  const points = values.map((y, x) => ({ label: `day ${x}`, x, y }));
  const texts = elementsOf(parseHtml(drawLine(points, "a line").text), "text");
  expect(texts.filter((one) => attributeOf(one, "text-anchor") === "end").map(({ text }) => text)).toEqual(marks);
});
