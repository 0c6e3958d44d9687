import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FULL } from "../helpers/draw.ts";
import { publishDays } from "../helpers/mirror.ts";
import { compareAnswers, compareTexts } from "../helpers/mutation/compare.ts";
import { parseJson } from "../helpers/mutation/json.ts";
import { ENVELOPE_KINDS, KINDS } from "../helpers/mutation/kinds.ts";
import { startMutating } from "../helpers/mutation/mutating-upstream.ts";
import { parseLine, toLine } from "../helpers/mutation/mutations.ts";
import { drawPairs } from "../helpers/mutation/pairs.ts";
import { mayRefuse } from "../helpers/mutation/refusals.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

describe("the comparison of two texts", () => {
  test.for([
    ['{"a":1,"b":[2]}', '{ "b" : [2],\n"a":1 }'],
    ['{"a":0,"a":1}', '{"a":1}'],
    ['{"a":1}', '{"\\u0061":1}'],
    ['"\\ud83d\\ude00\\ud800"', '"😀\\ud800"'],
    ['\ufeff{"a":1}', '{"a":1}'],
  ] as const)("takes %s for %s", ([a, b]) => {
    expect(compareTexts(a, b)).toBeUndefined();
  });

  test.for([
    ['{"a":[1,1.0]}', '{"a":[1,1]}', "$.a[1]"],
    ['{"a":{"b":1}}', '{"a":{}}', "$.a.b"],
    ["[1]", "[1,2]", "$[1]"],
    ['{"a":1,"a":0}', '{"a":1}', "$.a"],
    ["[-0]", "[0]", "$[0]"],
    ["[1e400]", "[null]", "$[0]"],
    ["[12345678901234567890]", "[12345678901234567000]", "$[0]"],
    ['["\\u0000"]', '[""]', "$[0]"],
    ['{"__proto__":{"a":1}}', "{}", "$.__proto__"],
    ["[[]]", "[{}]", "$[0]"],
  ] as const)("tells %s from %s", ([a, b, path]) => {
    expect(compareTexts(a, b)).toBe(path);
    expect(compareTexts(b, a)).toBe(path);
  });

  test("leaves the noise of an answer out", () => {
    const ours = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';
    expect(compareAnswers(ours, '{"traceID":null,"code":0,"data":{"total":0,"records":[]}}')).toBeUndefined();
    expect(compareAnswers(ours, '{"code":0,"data":{"total":1,"records":[]}}')).toBe("data.total");
  });

  test("takes digits for noise only where it is told so", () => {
    expect(compareTexts("[1.50]", "[1.5]", { digits: false })).toBeUndefined();
    expect(compareTexts("[1e400]", "[null]", { digits: false })).toBe("$[0]");
  });
});

describe("the mutating upstream", () => {
  const mutation = parseLine("/api/heroes|data.hero.data.name|html|one:1");

  async function ask(url: string, path: string) {
    const response = await fetch(url + path);
    return await response.text();
  }

  test("changes the same record on every page, in every order and language, and nothing else", async () => {
    await using upstream = await startMutating(3);
    const texts = async (path: string) =>
      (JSON.parse(await ask(upstream.url, path)) as { data: { records: object[] } }).data.records.map((record) =>
        JSON.stringify(record),
      );
    const clean = await texts("/api/heroes");
    upstream.set([mutation]);
    const odd = await texts("/api/heroes");
    expect(odd.map((text, place) => text === clean[place])).toEqual([true, false, true]);
    expect(await texts("/api/heroes?size=1&index=2")).toEqual([odd[1]]);
    expect(await texts("/api/heroes?order=asc&size=2")).toEqual([odd[2], odd[1]]);
    expect((await texts("/api/heroes?lang=ja")).map((text) => text.includes("<script>"))).toEqual([false, true, false]);
    expect((await texts("/api/heroes/positions")).join()).not.toContain("<script>");
    upstream.set([{ ...mutation, lang: "ja" }]);
    expect(await texts("/api/heroes")).toEqual(clean);
  });

  test("remembers what it has sent, and sends the same again", async () => {
    await using upstream = await startMutating(3);
    upstream.set([mutation]);
    const body = await ask(upstream.url, "/api/heroes?size=2");
    expect(upstream.sent.get("/api/heroes?size=2")).toBe(body);
    expect(await ask(upstream.url, "/api/heroes?size=2")).toBe(body);
  });

  test("reads what a line says", () => {
    for (const line of ["/api/heroes/1/stats?rank=all|data.a[].b|zero|one:3|ja", "stats|id|null|all", "rank||null|one"])
      expect(toLine(parseLine(line))).toBe(line);
  });
});

describe("pairs of a clean and an odd body", () => {
  const LIMIT = 2000;
  /** Of a small night; where everything is tried, of the whole one. */
  let journal = world.journal;
  const night = temporaryFolder();
  afterAll(() => night[Symbol.dispose]());
  beforeAll(async () => {
    if (FULL) return;
    await publishDays(night.path, [0]);
    const journals = join(night.path, "journals");
    journal = join(journals, readdirSync(journals).find((name) => name.endsWith(".journal")) ?? "");
  });

  test("are of all datasets and kinds, and are what the seed says", () => {
    const pairs = [...drawPairs(journal, { seed: 1, limit: LIMIT })];
    expect(pairs).toHaveLength(LIMIT);
    expect(new Set(pairs.map(({ slice }) => slice.dataset)).size).toBe(28);
    const kinds = new Set(pairs.map(({ kind }) => kind));
    expect(KINDS.map(({ name }) => name).filter((name) => !kinds.has(name))).toEqual([]);
    expect(ENVELOPE_KINDS.length + KINDS.length).toBeGreaterThanOrEqual(27 + 4);
    for (const { clean, mutated, slice } of pairs) {
      expect(mutated).not.toBe(clean);
      expect(mayRefuse(slice, clean)).toBeUndefined();
      JSON.parse(mutated.replace(/^\ufeff/, ""));
    }
    const again = drawPairs(journal, { seed: 1, limit: LIMIT });
    expect(again.next().value?.mutated).toBe(pairs[0]?.mutated);
    again.return(undefined);
    expect(parseJson(pairs[0]?.clean ?? "").text).toBe(pairs[0]?.clean);
  });
});
