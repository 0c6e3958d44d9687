import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DAY_WINDOWS, LANG_CODES } from "../../src/api/enumerations.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { at } from "../helpers/json.ts";

const sample = await startSample();
afterAll(() => sample.close());

const ask = async (path: string) => {
  const response = await fetch(sample.url + path);
  return { status: response.status, body: (await response.json()) as unknown };
};
const askRecords = async (path: string) => at((await ask(path)).body, "data.records") as unknown[];

/** The keys of a value and of all that is in it; elements of an array count together. */
function keysOf(value: unknown, path = "$"): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysOf(entry, `${path}[]`));
  if (value === null || typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([key, entry]) => keysOf(entry, `${path}.${key}`));
}
const shapeOf = (value: unknown) => [...new Set(keysOf(value))].sort();

/** Bytes of a record, as captured ones have; examples are cut to one entry of each list. */
describe("the academy of the sample has the keys of captured answers, and their size", () => {
  test.for([
    ["academy.emblems", "/emblems", 700, 2200],
    ["academy.equipment", "/equipment", 200, 400],
    ["academy.heroes", "/heroes", 130, 300],
    ["academy.heroes.hero_identifier.builds", "/heroes/18/builds?lane=gold", 3000, 6000],
    ["academy.heroes.hero_identifier.counters", "/heroes/18/counters", 8800, 9600],
    ["academy.heroes.hero_identifier.stats", "/heroes/18/stats", 4500, 4900],
    ["academy.heroes.hero_identifier.teammates", "/heroes/18/teammates", 8800, 9600],
    ["academy.heroes.hero_identifier.trends", "/heroes/18/trends?days=30", 2400, 2900],
    ["academy.heroes.hero_identifier.win-rate.timeline", "/heroes/18/win-rate/timeline?lane=gold", 500, 900],
    ["academy.ranks", "/ranks/1", 300, 600],
    ["academy.ranks.rank_id", "/ranks/500", 300, 600],
    ["academy.roles", "/roles", 700, 1200],
    ["academy.spells", "/spells", 600, 1600],
  ] as const)("%s", async ([file, path, least, most]) => {
    const text = readFileSync(
      join(import.meta.dirname, "..", "helpers", "captures", "examples", `${file}.json`),
      "utf8",
    );
    const [captured] = at(JSON.parse(text), "data.records") as unknown[];
    const [record] = await askRecords(`/api/academy${path}`);
    expect(shapeOf(record)).toEqual(shapeOf(captured));
    const bytes = Buffer.byteLength(JSON.stringify(record));
    expect(bytes).toBeGreaterThan(least);
    expect(bytes).toBeLessThan(most);
  });

  test.for(["ratings", "ratings/3275335"])("%s", async (path) => {
    const file = path === "ratings" ? "academy.heroes.ratings.json" : "academy.heroes.ratings.subject.json";
    const text = readFileSync(join(import.meta.dirname, "..", "helpers", "captures", "examples", file), "utf8");
    const { body } = await ask(`/api/academy/heroes/${path}`);
    expect(shapeOf(body)).toEqual(shapeOf(JSON.parse(text)));
  });

  test("details of items", async () => {
    const items = await askRecords("/api/academy/equipment/expanded?size=200");
    const text = readFileSync(
      join(import.meta.dirname, "..", "helpers/captures/examples/academy.equipment.expanded.json"),
      "utf8",
    );
    const [captured] = at(JSON.parse(text), "data.records") as unknown[];
    for (const item of items) expect(shapeOf(item)).toEqual(shapeOf(captured));
  });
});

describe("the lists of the academy", () => {
  test.for([
    ["roles", 7],
    ["equipment", 184],
    ["equipment/expanded", 152],
    ["spells", 12],
    ["emblems", 26],
    ["ranks", 29],
    ["heroes", 131],
  ] as const)("%s: %d in every language, all with other texts", async ([path, count]) => {
    const answers = await Promise.all(
      LANG_CODES.map((lang) => askRecords(`/api/academy/${path}?size=500&lang=${lang}`)),
    );
    expect(answers.map(({ length }) => length)).toEqual(LANG_CODES.map(() => count));
    // Most languages in Latin script keep the English names of heroes.
    const different = new Set(answers.map((records) => JSON.stringify(records))).size;
    expect(different).toBeGreaterThanOrEqual(path === "heroes" ? 5 : LANG_CODES.length);
  });

  test("hold each id once, and name only items that are there", async () => {
    const items = (await askRecords("/api/academy/equipment?size=500")).map((item) => at(item, "data.equipid"));
    expect(new Set(items).size).toBe(184);
    const details = await askRecords("/api/academy/equipment/expanded?size=500");
    const targets = details.flatMap((item) => String(at(item, "data.targetequipid")).split(",").filter(Boolean));
    expect(targets.length).toBeGreaterThan(50);
    for (const target of targets) expect(items).toContain(Number(target));
  });

  test("count the ranks through from 1, with a gap, to 9999", async () => {
    const steps = (await askRecords("/api/academy/ranks?size=100")).toReversed();
    const ranges = steps.map((step) => [at(step, "data.rankid_start"), at(step, "data.rankid_end")].map(Number));
    expect(ranges[0]?.[0]).toBe(1);
    expect(ranges.at(-1)).toEqual([236, 9999]);
    const gaps = ranges.filter(([start = 0], i) => i > 0 && start !== (ranges[i - 1]?.[1] ?? 0) + 1);
    expect(gaps).toEqual([[137, 160]]);
    expect(await askRecords("/api/academy/ranks/135")).toEqual([]);
  });
});

describe("the matrix of the academy", () => {
  const matrix = async (hero: number, kind: string) => {
    const [record] = await askRecords(`/api/academy/heroes/${hero}/${kind}?rank=glory`);
    const entries = at(record, "data.sub_hero") as { heroid: number; increase_win_rate: number }[];
    return new Map(entries.map(({ heroid, increase_win_rate }) => [heroid, increase_win_rate]));
  };

  test("has 131 or 132 others, never the hero itself", async () => {
    for (const hero of [1, 18, 133]) {
      const others = await matrix(hero, "counters");
      expect([131, 132]).toContain(others.size);
      expect(others.has(hero)).toBe(false);
    }
  });

  test("is antisymmetric for opponents and symmetric for team mates", async () => {
    const [counters, mates] = [await matrix(18, "counters"), await matrix(18, "teammates")];
    for (const other of [1, 84, 133]) {
      expect((await matrix(other, "counters")).get(18)).toBe(-(counters.get(other) ?? Number.NaN));
      expect((await matrix(other, "teammates")).get(18)).toBe(mates.get(other));
    }
  });
});

describe("the matrix of the academy and the lists of five", () => {
  type Entry = { heroid: number; increase_win_rate: number };
  const entriesOf = async (path: string, ...lists: string[]) => {
    const [record] = await askRecords(path);
    return lists.flatMap((list) => at(record, `data.${list}`) as Entry[]);
  };

  test.for([
    ["counters", "counters"],
    ["teammates", "compatibility"],
  ] as const)(
    "say in every window who is good and who is bad, and not by the same numbers (%s)",
    async ([all, five]) => {
      const matrix = await entriesOf(`/api/academy/heroes/18/${all}?rank=mythic`, "sub_hero");
      const deltas = new Map(matrix.map(({ heroid, increase_win_rate }) => [heroid, increase_win_rate]));
      for (const days of DAY_WINDOWS) {
        const path = `/api/heroes/18/${five}?rank=mythic&days=${days}`;
        const listed = await entriesOf(path, "sub_hero", "sub_hero_last");
        expect(listed).toHaveLength(10);
        const known = listed.filter(({ heroid }) => deltas.has(heroid));
        expect(known.length).toBeGreaterThanOrEqual(9);
        for (const { heroid, increase_win_rate } of known) {
          expect(Math.sign(deltas.get(heroid) ?? 0)).toBe(Math.sign(increase_win_rate));
          expect(deltas.get(heroid)).not.toBe(increase_win_rate);
        }
      }
    },
  );
});

test("builds show spells and emblems as their lists do, in every language", async () => {
  for (const lang of ["en", "ja", "ar"]) {
    const [record] = await askRecords(`/api/academy/heroes/18/builds?lane=gold&lang=${lang}`);
    const spells = await askRecords(`/api/academy/spells?lang=${lang}`);
    const roles = await askRecords(`/api/academy/roles?lang=${lang}`);
    for (const build of at(record, "data.build") as unknown[]) {
      const spell = spells.find((one) => at(one, "data.battleskillid") === at(build, "skillid"));
      expect(at(build, "battleskill.data.__data")).toEqual(at(spell, "data.__data"));
      const role = roles.find((one) => at(one, "data.emblem_id") === at(build, "runeid"));
      expect(at(role, "data.emblem_detail.data")).toMatchObject(at(build, "emblem.data") as object);
    }
  }
});

test.for([
  ["match-now=100&wr-now=50&wr-future=75", 100],
  ["match-now=100&wr-now=33.333333333333336&wr-future=66.66666666666667", 101],
  ["match-now=0&wr-now=0&wr-future=1", 0],
] as const)("the calculator says for %s: %d", async ([query, matches]) => {
  const { body } = await ask(`/api/addon/win-rate-calculator?${query}`);
  expect(body).toMatchObject({ status: "success", required_no_lose_matches: matches });
});

test.for([
  ["/addon/win-rate-calculator?match-now=1&wr-now=60&wr-future=50", 400],
  ["/addon/win-rate-calculator?match-now=1&wr-now=60", 422],
  ["/academy/heroes/18/builds", 422],
  ["/academy/heroes/18/builds?lane=Gold", 422],
  ["/academy/ranks/0", 422],
  ["/academy/heroes/ratings/123", 422],
  ["/academy/heroes/ratings/1234567", 404],
] as const)("%s is answered with %d", async ([path, status]) => {
  expect((await ask(`/api${path}`)).status).toBe(status);
});
