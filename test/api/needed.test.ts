import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { findUnfit, neededFields } from "../../src/api/body/needed-fields.ts";
import { type Path, valuesAt } from "../../src/api/body/path.ts";
import { readId, readNumber, readWord } from "../../src/api/body/scalars.ts";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../src/api/endpoints.ts";
import { recordsWhere } from "../helpers/archive.ts";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

/** Every path that an entry of the table names, in its own records and in those of lists. */
function pathsIn(endpoint: Endpoint): [dataset: string, path: Path][] {
  const { dataset, text, key, identity = {}, stamp, rates, texts = [], ordering, filters = {} } = endpoint;
  const own = [
    ...key,
    ...Object.values(identity),
    ...(stamp ? [stamp.at] : []),
    ...(rates ? [rates.hero, ...rates.rates] : []),
    ...texts,
    ...(ordering ? [...Object.values(ordering.fields), ordering.tie] : []),
    ...Object.values(filters).map(({ at }) => at),
  ].map((path): [string, Path] => [endpoint.from ?? dataset, path]);
  const { from, range, identifier } = endpoint;
  const ranged = from && range ? [range.first, range.last].map((path): [string, Path] => [from, path]) : [];
  const named: [string, Path][] =
    identifier?.kind === "hero"
      ? [identifier.id, identifier.called].map((path) => [identifier.list, path])
      : identifier?.kind === "word"
        ? [[identifier.list, identifier.at]]
        : [];
  const shown = (typeof text === "string" ? [] : text).flatMap((reference): [string, Path][] => {
    const inside = (base: Path | undefined, path: Path) => (base === undefined ? path : `${base}.${path}`);
    const { at, id, list, entries, key: entryKey, texts: pairs } = reference;
    return [
      [dataset, inside(at, id)],
      [list, inside(entries, entryKey)],
      ...Object.entries(pairs).flatMap(([path, source]): [string, Path][] => [
        [dataset, inside(at, path)],
        [list, inside(entries, source)],
      ]),
    ];
  });
  return [...own, ...ranged, ...named, ...shown];
}

describe("the table of endpoints", () => {
  test("names only paths that real records have", () => {
    const missing = new Set(
      ENDPOINTS.flatMap(pathsIn)
        .map(([dataset, path]) => `${dataset} ${path}`)
        // Records of statistics and content stores carry one; lists of heroes do not.
        .filter((one) => one !== "win-rate-calculator "),
    );
    const datasets = new Set([...missing].map((one) => one.split(" ")[0] ?? ""));
    for (const dataset of datasets) {
      for (const { record } of recordsWhere(db, "lang = 'en' AND dataset = ?", dataset)) {
        const open = [...missing].filter((one) => one.startsWith(`${dataset} `));
        if (open.length === 0) break;
        for (const one of open) {
          const path = one.slice(dataset.length + 1);
          if (valuesAt(record, path).some((value) => value !== undefined)) missing.delete(one);
        }
      }
    }
    expect([...missing]).toEqual([]);
  });

  test("says what a record must have, and nothing else may refuse it", () => {
    const needed = ENDPOINTS.filter(isAsked).map(
      (endpoint) =>
        `${endpoint.dataset}: ${neededFields(endpoint)
          .map(({ path, kind }) => `${path} ${kind}`)
          .join(", ")}`,
    );
    expect(needed).toMatchInlineSnapshot(`
      [
        "heroes: data.hero_id hero, data.hero.data.name name",
        "rank: data.main_heroid hero, data.main_hero_appearance_rate number, data.main_hero_ban_rate number, data.main_hero_win_rate number",
        "positions: data.hero_id hero, data.hero.data.sortid[].data.sort_id word, data.hero.data.roadsort[].data.road_sort_id word",
        "hero: data.hero_id hero",
        "stats: data.main_heroid hero",
        "skill-combos: data.hero_id hero",
        "trends: data.main_heroid hero",
        "relations: data.hero_id hero",
        "counters: data.main_heroid hero",
        "compatibility: data.main_heroid hero",
        "versions: createdAt number, id number",
        "catalog: data.hero_id hero",
        "roles: data.emblem_id number",
        "equipment: ",
        "equipment-expanded: ",
        "spells: ",
        "emblems: ",
        "ranks: data.rankid_start id, data.rankid_end id",
        "academy-heroes: data.hero_id hero",
        "academy-stats: data.main_heroid hero",
        "lane: data.hero_id hero",
        "timeline: data.heroid hero",
        "builds: data.heroid hero",
        "academy-counters: data.main_heroid hero",
        "teammates: data.main_heroid hero",
        "academy-trends: data.main_heroid hero",
        "ratings: list[].subject segment",
        "rating: subject.id word",
      ]
    `);
  });
});

describe("what is needed", () => {
  const position = (data: object) => findUnfit(neededFields(endpointOf("positions")), { data }, "en");
  const hero = { data: { sortid: [], roadsort: [] } };

  test("is told with its place, its use, what is allowed and what came", () => {
    expect(position({ hero_id: 0, hero })).toBe(
      "data.hero_id identifies and must be a whole number of at least 1, received 0",
    );
    const roles = [{ data: { sort_id: "1" } }, { data: { sort_id: null } }];
    expect(position({ hero_id: 1, hero: { data: { ...hero.data, sortid: roles } } })).toBe(
      "data.hero.data.sortid[1].data.sort_id filters and must be a text or a whole number, received null",
    );
    expect(position({ hero_id: 1, hero: { data: { roadsort: [] } } })).toMatch(
      /sortid filters .* a list, received nothing$/,
    );
  });

  test("is met by any padding, by numbers and by their texts", () => {
    const roles = [{ data: { sort_id: 1 } }, "", 0, null, true, "x"];
    expect(position({ hero_id: "7", hero: { data: { sortid: roles, roadsort: [] } } })).toBeUndefined();
  });

  test("is a hero's name only in the language that paths are read in", () => {
    const needs = neededFields(endpointOf("heroes"));
    const record = { data: { hero_id: 1, hero: { data: { name: null } } } };
    expect(findUnfit(needs, record, "en")).toMatch(/data\.hero\.data\.name/);
    expect(findUnfit(needs, record, "ja")).toBeUndefined();
  });

  test("is a vote's number of any length, but nothing that would be another path", () => {
    const vote = (subject: unknown) => findUnfit(neededFields(endpointOf("ratings")), { list: [{ subject }] }, "en");
    for (const subject of [3263994, 12, "12345678", 123456789012]) expect(vote(subject)).toBeUndefined();
    for (const subject of ["", "..", "a/b", "1?x", null, {}, 1.5, "x".repeat(65)])
      expect(vote(subject)).toMatch(/subject/);
  });
});

test.for([
  [12, 12, "12"],
  ["12", 12, "12"],
  [-0, 0, "0"],
  ["012", undefined, "012"],
  ["12.0", undefined, "12.0"],
  ["", undefined, undefined],
  [1.5, undefined, undefined],
  [2 ** 53, undefined, undefined],
  [Number.POSITIVE_INFINITY, undefined, undefined],
  [true, undefined, undefined],
  [null, undefined, undefined],
  [[1], undefined, undefined],
])("the value %j is the id %j and the word %j", ([value, id, word]) => {
  expect([readId(value), readWord(value)]).toEqual([id, word]);
});

test("a number to order by is a number or the text of a whole one", () => {
  expect([0.5, "3", "0.5", Number.NaN, Number.POSITIVE_INFINITY, null].map(readNumber)).toEqual([
    0.5,
    3,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
