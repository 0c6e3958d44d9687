import { describe, expect, test } from "vitest";
import { endpointOf } from "../../src/api/endpoints.ts";
import { EXIT, Failure } from "../../src/api/failure.ts";
import {
  createHeroFinder,
  foldAccents,
  nameKey,
  nearestNames,
  parseIdentifier,
  resolveHeroes,
} from "../../src/api/request/identifier.ts";
import { parseInteger, parseQuery } from "../../src/api/request/parameters.ts";

const parse = (dataset: string, query: string) =>
  parseQuery(endpointOf(dataset).parameters, new URLSearchParams(query));

describe("whole numbers", () => {
  test.for([
    ["1", 1],
    [" 7\t", 7],
    ["+5", 5],
    ["007", 7],
    ["1_000", 1000],
    ["1.0", 1],
    ["12.000", 12],
    ["-3", -3],
    ["9".repeat(100), Number.MAX_SAFE_INTEGER],
  ] as const)("%s is %d", ([text, value]) => {
    expect(parseInteger(text)).toBe(value);
  });

  test.for([
    "",
    " ",
    "1.5",
    "1e3",
    "0x10",
    "_1",
    "1_",
    "1__0",
    "١",
    "1,000",
    "NaN",
    "Infinity",
    "1 0",
    "\u00a01",
    "9".repeat(101),
  ])("%j is none", (text) => {
    expect(parseInteger(text)).toBeUndefined();
  });
});

describe("queries", () => {
  test("defaults stand for what is not given", () => {
    expect(parse("rank", "")).toEqual({
      values: { days: "1", rank: "all", size: 20, index: 1, sort_field: "win_rate", sort_order: "desc", lang: "en" },
      invalid: [],
    });
  });

  test("the last of a repeated scalar wins", () => {
    expect(parse("heroes", "size=x&size=3&lang=xx&lang=km").values).toMatchObject({ size: 3, lang: "km" });
    expect(parse("heroes", "size=3&size=x").invalid).toHaveLength(1);
  });

  test("unknown names are ignored and names are case-sensitive", () => {
    expect(parse("heroes", "SIZE=0&Lang=xx&foo=1&__proto__=1&constructor=2")).toMatchObject({
      values: { size: 20, lang: "en" },
      invalid: [],
    });
  });

  test.for(["size=", "index=", "lang=", "order=", "size=0", "index=-1", "order=DESC", "lang=EN", "lang=zh-cn"])(
    "%s is invalid",
    (query) => {
      expect(parse("heroes", query).invalid).toHaveLength(1);
    },
  );

  test.for(["days=2", "days=01", "days= 1", "rank=Mythic", "sort_field=win", "sort_order=", "days=7,15"])(
    "%s is invalid for the rank list",
    (query) => {
      expect(parse("rank", query).invalid).toHaveLength(1);
    },
  );

  test("roles and lanes are trimmed, of any case, repeatable, and absent when empty", () => {
    const { values, invalid } = parse("positions", "role= Mage &role=TANK&role=&lane=");
    expect(invalid).toEqual([]);
    expect(values).toMatchObject({ role: ["mage", "tank"], lane: [] });
  });

  test("lists with commas are not split", () => {
    expect(parse("positions", "role=tank,mage").invalid).toEqual([
      {
        name: "role",
        in: "query",
        received: "tank,mage",
        allowed: "any of tank, fighter, assassin, mage, marksman, support; repeat the key for more than one",
      },
    ]);
  });

  test.for([
    ["heroes", "size=0", "a whole number of at least 1"],
    [
      "win-rate-calculator",
      "match-now=2000000000000000&wr-now=50&wr-future=60",
      "a whole number of at least 0 and at most 1000000000000000; it is required",
    ],
    [
      "win-rate-calculator",
      "match-now=1&wr-now=101&wr-future=60",
      "a number of at least 0 and at most 100; it is required",
    ],
  ] as const)("what is allowed is said with its bounds (%s, %s)", ([dataset, query, allowed]) => {
    expect(parse(dataset, query).invalid).toMatchObject([{ allowed }]);
  });

  test("each invalid parameter is named", () => {
    const names = parse("trends", "rank=x&past-days=1&size=a&index=b&lang=c").invalid.map(({ name }) => name);
    expect(names.sort()).toEqual(["index", "lang", "past-days", "rank", "size"]);
  });
});

describe("identifiers", () => {
  test.for([
    ["17", 17],
    [" +017 ", 17],
    ["-5", -5],
    ["0", 0],
  ] as const)("%j is the id %d", ([text, id]) => {
    expect(parseIdentifier(text)).toEqual({ id });
  });

  test.for([
    ["Chang'e", "change"],
    ["Yi Sun-shin", "yisunshin"],
    ["X.Borg", "xborg"],
    ["1.0", "10"],
    ["Мия", "мия"],
    ["米娅", "米娅"],
    ["E\u0301", "é"],
    ["---", ""],
  ] as const)("%j is the name %j", ([text, key]) => {
    expect(parseIdentifier(text)).toEqual({ key });
  });

  test("vowel signs of Thai and Khmer belong to a name", () => {
    expect(nameKey("กิ")).not.toBe(nameKey("กุ"));
    expect(nameKey("កា")).not.toBe(nameKey("កី"));
  });
});

describe("heroes that a text names", () => {
  const heroes = [
    { id: 1, name: "Miya" },
    { id: 2, name: "Yi Sun-shin" },
    { id: 7, name: "miya" },
    { id: 2, name: "Yi" },
  ];

  test("are those with its id, or all with its name", () => {
    const find = createHeroFinder(heroes);
    expect(find({ id: 7 })).toEqual([7]);
    expect(find({ id: 3 })).toEqual([]);
    expect(find({ key: "miya" })).toEqual([1, 7]);
    expect([find({ key: "yisunshin" }), find({ key: "yi" })]).toEqual([[2], [2]]);
    expect(find({ key: "" })).toEqual([]);
  });

  test("are near by their letters, each once, and no further than is asked for", () => {
    const near = (key: string, most: number, apart?: number) =>
      nearestNames(heroes, { key }, most, apart).map(({ id, name }) => `${id} ${name}`);
    expect(near("miyaa", 2)).toEqual(["7 miya", "2 Yi"]);
    expect(near("miyaa", 2, 1)).toEqual(["7 miya"]);
    expect(near("yisunshi", 9)).toEqual(["2 Yi Sun-shin", "7 miya"]);
    expect(near(`miya${"x".repeat(100_000)}`, 1)).toHaveLength(1);
  });

  test("are found without accents, in every script", () => {
    for (const [name, text] of [
      ["Tắc Thiên", "tac thien"],
      ["Đặng", "DANG"],
      ["Ёлка", "елка"],
      ["IŞIK", "isik"],
      ["ışık", "isik"],
      ["أحمد", "احمد"],
    ] as const)
      expect(foldAccents(nameKey(name)), name).toBe(foldAccents(nameKey(text)));
    for (const name of ["ガンダム", "히라라", "กิ", "កា"]) expect(foldAccents(nameKey(name))).toBe(nameKey(name));
    const find = createHeroFinder([{ id: 3, name: "Éva" }], foldAccents);
    expect(find({ key: "eva" })).toEqual([3]);
  });

  test("are resolved in the order of their ids, each once", () => {
    const refuse = (word: string, nearest = "nobody") => new Failure(EXIT.usage, `no ${word}`, `${nearest}?`);
    expect(resolveHeroes(["yi sun shin", "MIYA", "2", " 1"], heroes, refuse)).toEqual([1, 2]);
    expect(() => resolveHeroes(["1", "Yi Sun-sin"], heroes, refuse)).toThrow(
      expect.objectContaining({ message: "no Yi Sun-sin", hint: "Yi Sun-shin?" }),
    );
    expect(() => resolveHeroes(["9"], heroes, refuse)).toThrow(expect.objectContaining({ hint: "nobody?" }));
    expect(nearestNames([], { key: "miya" }, 1)).toEqual([]);
  });
});
