import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import type { Slice } from "../../src/api/endpoint.ts";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { createDeriver, createTables, finishTables } from "../../src/snapshot/derive/deriver.ts";
import { splitNumbers } from "../../src/snapshot/derive/fit.ts";
import { world } from "../helpers/world.ts";

const sample = await startSample();
afterAll(() => sample.close());

type Answer = [slice: Slice, records: unknown[]];

const hero = (hero_id: unknown, name: unknown = `Hero ${hero_id}`) => ({ data: { hero_id, hero: { data: { name } } } });
const en = (dataset: string, more: Partial<Slice> = {}): Slice => ({ dataset, ...more, lang: "en" });
const HEROES: Answer = [en("heroes"), [hero(1, "Miya"), hero(2, "Balmond")]];

/** The tables of some answers, which come in the order of the archive. */
function derive(...answers: Answer[]) {
  const db = new SQLite(":memory:");
  createTables(db);
  const tables = createDeriver(db);
  const cover = db.prepare(
    "INSERT INTO coverage (dataset, slice, lang, status, records, stale, suspect) VALUES (?, ?, ?, 'captured', 1, 0, 0)",
  );
  for (const [index, [slice, records]] of answers.entries()) {
    cover.run(slice.dataset, `${index}`, slice.lang);
    tables.add({ id: index + 1, slice }, records);
  }
  finishTables(db);
  expect(db.pragma("foreign_key_check")).toEqual([]);
  const misfits = tables
    .misfits()
    .map(({ table_name, column_name, dataset, path, kind, count, example }) =>
      [kind, [table_name, column_name].filter(Boolean).join("."), dataset, path, count, example].join(" | "),
    );
  return { misfits, all: (sql: string) => db.prepare(sql).raw().all() as unknown[][] };
}

/** A hero's own record. */
const detail = (data: object, outer: object = {}) => ({ data: { hero_id: 1, hero: { data }, ...outer } });
const lists = { speciality: [], sortid: [], roadsort: [], heroskilllist: [] };
const relation = (kinds: object = {}) => ({
  relation: { assist: { desc: "" }, strong: { desc: "" }, weak: { desc: "" }, ...kinds },
});
const ofDetail = (data: object, outer: object = {}, lang: Slice["lang"] = "en"): Answer => [
  { dataset: "hero", hero: 1, lang },
  [detail({ ...lists, ...data }, { ...relation(), ...outer })],
];

test("a night without odd values has no misfits", () => {
  const db = new SQLite(world.snapshot, { readonly: true });
  expect(db.prepare("SELECT * FROM misfit").all()).toEqual([]);
  db.close();
});

describe("cooldown and mana of a skill", () => {
  const skill = (text: unknown, skillid = 110) => ({
    skillid,
    skillname: "A",
    skilldesc: "B",
    "skillcd&cost": text,
    skilltag: [],
  });
  const NUMBERS = "SELECT cooldown_seconds, mana_cost FROM skill_text ORDER BY skill_id";
  const read = (...texts: unknown[]) => {
    const skilllist = texts.map((text, place) => skill(text, 110 + place));
    const { all, misfits } = derive(HEROES, ofDetail({ heroskilllist: [{ skilllistid: "11", skilllist }] }));
    return { rows: all(NUMBERS), misfits };
  };

  test.for(LANG_CODES)("are numbers in the form of each language (%s)", async (lang) => {
    const answer = await fetch(`${sample.url}/api/heroes/1?lang=${lang}`);
    const [record] = ((await answer.json()) as { data: { records: unknown[] } }).data.records;
    const { all, misfits } = derive(HEROES, [{ dataset: "hero", hero: 1, lang }, [record]]);
    const [passive, ...others] = all(NUMBERS.replace("skill_id", "skill_id = 140 DESC, skill_id"));
    expect(passive).toEqual([null, null]);
    expect(others).toHaveLength(3);
    for (const [cooldown, mana] of others) {
      expect(cooldown).toBeGreaterThan(3);
      expect(mana).toBeGreaterThan(30);
    }
    expect(misfits.filter((line) => /cooldown|mana/.test(line))).toEqual([]);
  });

  const captures = join(import.meta.dirname, "..", "helpers/captures/hero-detail");
  test.for(readdirSync(captures))("are those of captured answers (%s)", (name) => {
    const texts = [...readFileSync(join(captures, name), "utf8").matchAll(/"skillcd&cost": *"(.*?)"/g)].map(
      ([, text = ""]) => text,
    );
    const expected = texts.map((text) => {
      const [cooldown = null, mana = null] = (text.match(/[\d.]+/g) ?? []).map(Number);
      return [cooldown, mana];
    });
    expect(texts.length).toBeGreaterThan(3);
    expect(read(...texts)).toEqual({ rows: expected, misfits: [] });
  });

  test("are read with any digits, signs and units, and in either order", () => {
    expect(
      read(
        "التهدئة: ١٢٫٥   تكلفة المانا: ٩٥",
        "CD：７,5秒 法力消耗：50",
        "CD:8s Mana Cost:40",
        "Mana: 40, CD: 8",
        "Mana: 7",
        "",
      ),
    ).toEqual({
      rows: [
        [12.5, 95],
        [7.5, 50],
        [8, 40],
        [8, 40],
        [null, 7],
        [null, null],
      ],
      misfits: [],
    });
  });

  test("are read at once, however many spaces are between", { timeout: 3000 }, () => {
    const spaces = " ".repeat(30_000);
    expect(read(`CD:${spaces}8${spaces}`, `CD:${spaces}${spaces}1 1`).rows).toEqual([
      [8, null],
      [null, null],
    ]);
  });

  test("are null and counted where they are no number", () => {
    const { rows, misfits } = read(
      "CD: 11/10/9   Mana Cost: 50",
      "CD: 5   Energy Cost: 20",
      "CD: 8   Mana Cost: -",
      "soon",
    );
    expect(rows).toEqual([
      [null, 50],
      [5, null],
      [8, null],
      [null, null],
    ]);
    const path = "hero | data.hero.data.heroskilllist[].skilllist[].skillcd&cost";
    expect(misfits).toEqual([
      `unfit | skill_text.cooldown_seconds | ${path} | 2 | "CD: 11/10/9   Mana Cost: 50"`,
      `unfit | skill_text.mana_cost | ${path} | 3 | "CD: 5   Energy Cost: 20"`,
    ]);
  });
});

describe("a cell", () => {
  test("that is no number is null and never 0; one that is the text of a number is a number", () => {
    const { all, misfits } = derive(
      HEROES,
      ofDetail({ abilityshow: ["abc", "1,234", "070"], difficulty: " ", recommendlevellabel: 12 }),
    );
    expect(
      all("SELECT durability, offense, ability_effects, difficulty, skill_levels FROM hero WHERE hero_id = 1"),
    ).toEqual([[null, null, 70, null, "12"]]);
    expect(misfits).toEqual([
      'unfit | hero.difficulty | hero | data.hero.data.difficulty | 1 | " "',
      'unfit | hero.durability | hero | data.hero.data.abilityshow.0 | 1 | "abc"',
      'unfit | hero.offense | hero | data.hero.data.abilityshow.1 | 1 | "1,234"',
    ]);
  });

  test.for([true, [], {}, [1], 1.5, 1e21, 2 ** 53, "1e3", "12.0", Number.POSITIVE_INFINITY])(
    "of whole numbers does not take %j",
    (value) => {
      const { all, misfits } = derive(HEROES, ofDetail({ difficulty: value }));
      expect(all("SELECT difficulty FROM hero WHERE hero_id = 1")).toEqual([[null]]);
      expect(misfits).toHaveLength(1);
    },
  );

  test.for([
    [7, "7"],
    [-0.5, "-0.5"],
    [2 ** 53 - 1, "9007199254740991"],
    ["12345678901234567891", "12345678901234567891"],
    [2 ** 53, null],
    [1e21, null],
  ])("of texts takes a number that has all its digits (%j is %j)", ([value, cell]) => {
    const { all, misfits } = derive(HEROES, ofDetail({ recommendlevellabel: value }));
    expect(all("SELECT skill_levels FROM hero WHERE hero_id = 1")).toEqual([[cell]]);
    expect(misfits).toHaveLength(cell === null ? 1 : 0);
  });

  test("that is empty or missing is null without a word", () => {
    const { all, misfits } = derive(HEROES, ofDetail({ difficulty: "", story: null, tale: "" }));
    expect(all("SELECT difficulty FROM hero WHERE hero_id = 1")).toEqual([[null]]);
    expect(misfits).toEqual([]);
  });

  test("with a text that is no Unicode or has a NUL is mended", () => {
    const { all, misfits } = derive(HEROES, ofDetail({ story: "a\ud800b\0c", tale: "emoji 🙂 stay" }));
    expect(all("SELECT story, tale FROM hero_text WHERE hero_id = 1")).toEqual([["a\ufffdbc", "emoji 🙂 stay"]]);
    expect(misfits).toEqual(['repaired | hero_text.story | hero | data.hero.data.story | 1 | "a\\ud800b\\u0000c"']);
  });
});

describe("ids", () => {
  test("that come as 1.0 or as texts are those numbers in all tables", () => {
    const float: unknown = JSON.parse('{"data":{"hero_id":1.0,"hero":{"data":{"name":"Miya"}}}}');
    const { all, misfits } = derive([en("heroes"), [float, hero("2")]], ofDetail({ difficulty: "30" }));
    expect(all("SELECT hero_id, name, difficulty FROM hero")).toEqual([
      [1, "Miya", 30],
      [2, "Hero 2", null],
    ]);
    expect(misfits).toEqual([]);
  });

  test("that no list has leave their rows out where a table refers to another, counted", () => {
    const targets = (ids: unknown[]) => ({ target_hero_id: ids });
    const relations = [
      { data: { relation: { assist: targets([2, 999999]), strong: targets([0, 0]), weak: targets([0, 2]) } } },
    ];
    const roles = [{ data: { sort_id: "1" } }, { data: { sort_id: "9" } }, { data: { sort_id: "5 %" } }, ""];
    const rank = {
      data: {
        main_heroid: 77,
        main_hero_win_rate: 0.5,
        main_hero_ban_rate: 0,
        main_hero_appearance_rate: 0,
        sub_hero: [{ heroid: 1, increase_win_rate: 0.1 }],
      },
    };
    const { all, misfits } = derive(
      HEROES,
      [en("rank", { rank: "all", days: "1" }), [rank]],
      ofDetail({ sortid: roles }),
      [en("relations", { hero: 1 }), relations],
    );
    expect(all("SELECT kind, position, target_hero_id FROM hero_relation")).toEqual([
      ["assist", 1, 2],
      ["weak", 2, 2],
    ]);
    expect(all("SELECT position, role FROM hero_role")).toEqual([[1, "tank"]]);
    expect(all("SELECT count(*) FROM hero_rate")).toEqual([[0]]);
    expect(misfits).toEqual([
      "unknown | hero_rate.hero_id | rank | data.main_heroid | 1 | 77",
      'part | hero_rate_opponent | rank | data.sub_hero[] | 1 | ["all",1,77,1]',
      "unknown | hero_relation.target_hero_id | relations | data.relation.assist.target_hero_id[] | 1 | 999999",
      'unknown | hero_role.role | hero | data.hero.data.sortid[].data.sort_id | 2 | "9"',
    ]);
  });
});

describe("a key that is taken", () => {
  const pairing = (id: number, rate: number, others: object[]) => ({
    id,
    data: { main_heroid: 1, main_hero_win_rate: rate, sub_hero: others, sub_hero_last: [] },
  });
  const other = (heroid: number) => ({ heroid, increase_win_rate: 0.01 });

  test("keeps the first record of an answer, and leaves out the parts of the second with it", () => {
    const records = [pairing(5, 0.5, [other(2)]), pairing(6, 0.6, [other(1), other(2)])];
    const { all, misfits } = derive(HEROES, [en("stats", { hero: 1, rank: "all" }), records]);
    expect(all("SELECT record_id, win_rate FROM hero_batch")).toEqual([[5, 0.5]]);
    expect(all("SELECT position, other_hero_id FROM hero_pairing")).toEqual([[1, 2]]);
    expect(misfits).toEqual([
      'taken | hero_batch | stats |  | 1 | ["stats",1,"all",0]',
      'part | hero_pairing | stats | data.sub_hero[] | 2 | ["stats",1,"all",0,"best",1]',
    ]);
  });

  test("is no loss where the row says the same again", () => {
    const records = [pairing(5, 0.5, [other(2)]), pairing(5, 0.5, [other(2)])];
    const { all, misfits } = derive(HEROES, [en("stats", { hero: 1, rank: "all" }), records]);
    expect(all("SELECT count(*) FROM hero_pairing")).toEqual([[1]]);
    // The archive has both.
    expect(misfits).toEqual(['repeated | record | stats | id | 1 | "5"']);
  });

  test("does not mix two records", () => {
    const spell = (icon: string | null, name: string) => ({
      data: { battleskillid: 7, __data: { skillicon: icon, skillname: name } },
    });
    const { all, misfits } = derive([en("spells"), [spell(null, "A"), spell("b.png", "B")]]);
    expect(all("SELECT icon_url, name FROM spell JOIN spell_text USING (spell_id)")).toEqual([[null, "A"]]);
    expect(misfits.map((line) => line.split(" | ").slice(0, 2))).toEqual([
      ["repeated", "record"],
      ["taken", "spell"],
      ["taken", "spell_text"],
    ]);
  });

  test("of a role or a lane has the first icon that any hero has", () => {
    const role = (icon?: string) => ({ data: { sort_id: "1", sort_title: "Tank", sort_icon: icon } });
    const places = (hero_id: number, ...sortid: unknown[]) => ({
      data: { hero_id, hero: { data: { sortid, roadsort: [] } } },
    });
    const { all, misfits } = derive(HEROES, [
      en("positions"),
      [places(1, role()), places(2, role("a.png"), role()), places(3, role("b.png"))],
    ]);
    expect(all("SELECT icon_url FROM role WHERE role = 'tank'")).toEqual([["a.png"]]);
    expect(misfits).toEqual(['taken | role | positions | data.hero.data.sortid[] | 1 | ["tank"]']);
  });

  test("of a day, an opponent or a candidate that comes twice is counted", () => {
    const day = (date: string, win_rate: number) => ({ date, win_rate, ban_rate: 0, app_rate: 0 });
    const series = [{ data: { win_rate: [day("2026-11-01", 0.5), day("2026-11-01", 0.6)] } }];
    const matrix = {
      main_hero_win_rate: 0.5,
      sub_hero: [
        { heroid: 2, increase_win_rate: 0.1 },
        { heroid: 2, increase_win_rate: 0.2 },
      ],
    };
    const votes = { list: [{ subject: 123456789012, title: "Best?" }] };
    const candidates = {
      list: [
        { object: "a", title: "A", score: "8.9" },
        { object: "a", title: "B", score: "x" },
      ],
    };
    const { all, misfits } = derive(
      HEROES,
      [en("trends", { hero: 1, rank: "all", days: "7" }), series],
      [en("academy-counters", { hero: 1, rank: "all" }), [{ data: matrix }]],
      [en("ratings"), [votes]],
      [en("rating", { subject: "123456789012" }), [candidates]],
    );
    expect(all("SELECT date, win_rate FROM hero_trend")).toEqual([["2026-11-01", 0.5]]);
    expect(all("SELECT other_hero_id, increase_win_rate FROM hero_matchup")).toEqual([[2, 0.1]]);
    expect(all("SELECT subject, candidate_id, score FROM vote_candidate")).toEqual([[123456789012, "a", 8.9]]);
    expect(misfits.map((line) => line.split(" | ").slice(0, 2).join(" "))).toEqual([
      "taken hero_matchup",
      "taken hero_trend",
      "taken vote_candidate",
      "unfit vote_candidate.score",
      "taken vote_candidate_text",
    ]);
  });

  test("of another length of a series is the longer one's, and that is no loss", () => {
    const day = (date: string, win_rate: number) => ({ date, win_rate, ban_rate: 0, app_rate: 0 });
    const trends = (days: string, ...series: object[]): Answer => [
      en("trends", { hero: 1, rank: "all", days }),
      [{ data: { win_rate: series } }],
    ];
    const { all, misfits } = derive(
      HEROES,
      trends("7", day("2026-11-02", 0.1), day("2026-11-03", 0.2)),
      trends("15", day("2026-11-01", 0.3), day("2026-11-02", 0.4)),
    );
    expect(all("SELECT date, win_rate FROM hero_trend ORDER BY date")).toEqual([
      ["2026-11-01", 0.3],
      ["2026-11-02", 0.4],
      ["2026-11-03", 0.2],
    ]);
    expect(misfits).toEqual([]);
  });

  test("of a skill's tag or of another hero's sequence is counted (B and C of what was tried)", () => {
    const tag = (tagid: number) => ({ tagid, tagname: `Tag ${tagid}`, tagrgb: "1,2,3" });
    const skill = (...tags: object[]) => ({
      skillid: 110,
      skillname: "S",
      skilldesc: "<b>D</b> 1 < 2",
      skilltag: tags,
    });
    const skills = { skilllistid: "1", skilllist: [skill(tag(1)), skill(tag(2), tag(3))] };
    const combo = (hero_id: number, ...steps: number[]) => ({
      id: 9,
      data: { hero_id, title: "T", desc: "D", skill_id: steps.map((skillid) => ({ data: { skillid } })) },
    });
    const { all, misfits } = derive(
      HEROES,
      ofDetail({ heroskilllist: [skills] }),
      [en("skill-combos", { hero: 1 }), [combo(1, 110)]],
      [en("skill-combos", { hero: 2 }), [combo(2, 210, 220)]],
    );
    expect(all("SELECT position, tag_id FROM skill_tag")).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(all("SELECT description_plain FROM skill_text")).toEqual([["D 1 < 2"]]);
    expect(all("SELECT hero_id, skill_id FROM skill_combo JOIN skill_combo_step USING (combo_id)")).toEqual([[1, 110]]);
    expect(misfits).toEqual([
      "taken | skill_combo | skill-combos |  | 1 | [9]",
      "part | skill_combo_step | skill-combos | data.skill_id[] | 2 | [9,1]",
      'part | skill_combo_text | skill-combos |  | 1 | [9,"en"]',
      "taken | skill_tag | hero | data.hero.data.heroskilllist[].skilllist[].skilltag[] | 1 | [1,110,1]",
    ]);
  });
});

describe("a dataset that was widened to all languages", () => {
  test("gives its numbers once, from English (A)", () => {
    const version = (game_version: string) => ({ id: 1, createdAt: 5, data: { game_version } });
    const target = { target_hero_id: [2] };
    const related = { data: { relation: { assist: target, strong: target, weak: target } } };
    const series = (rate: number) => ({
      data: { win_rate: [{ date: "2026-11-01", win_rate: rate, ban_rate: 0, app_rate: 0 }] },
    });
    const trends: Slice = { dataset: "trends", hero: 1, rank: "all", days: "7", lang: "en" };
    const { all, misfits } = derive(
      HEROES,
      [trends, [series(0.5)]],
      [{ ...trends, lang: "ja" }, [series(0.6)]],
      [en("relations", { hero: 1 }), [related]],
      [{ dataset: "relations", hero: 1, lang: "ja" }, [related]],
      [en("versions"), [version("2.1")]],
      [{ dataset: "versions", lang: "ja" }, [version("2.2")]],
    );
    expect(all("SELECT win_rate FROM hero_trend")).toEqual([[0.5]]);
    expect(all("SELECT count(*) FROM hero_relation")).toEqual([[3]]);
    expect(all("SELECT game_version FROM game_version")).toEqual([["2.1"]]);
    expect(misfits).toEqual([]);
  });
});

describe("a list", () => {
  test("that is none has no rows, counted; what is no object is counted, but for the known padding", () => {
    const step = { data: { skillid: 110 } };
    const combo = (skill_id: unknown, id = 1) => ({ id, data: { hero_id: 1, title: "T", desc: "D", skill_id } });
    const { all, misfits } = derive(HEROES, ofDetail({ sortid: null, roadsort: ["", 0, null, true, ""] }), [
      en("skill-combos", { hero: 1 }),
      [combo([step, "", step, { data: "x" }]), combo({}, 2)],
    ]);
    expect(all("SELECT position FROM skill_combo_step")).toEqual([[1], [3]]);
    expect(misfits).toEqual([
      "incomplete | hero_lane | hero | data.hero.data.roadsort[] | 3 | 0",
      "unfit | hero_role | hero | data.hero.data.sortid | 1 | null",
      "unfit | skill_combo_step | skill-combos | data.skill_id | 1 | {}",
      'incomplete | skill_combo_step | skill-combos | data.skill_id[] | 1 | ""',
      "incomplete | skill_combo_step.skill_id | skill-combos | data.skill_id[].data.skillid | 1 | nothing",
    ]);
  });

  test("of steps has any values (D), and a relation any more keys (F)", () => {
    const step = { data: { skillid: 110 }, sourceId: "x", _createdAt: "2026-01-01", _updatedAt: 1.5 };
    const { misfits } = derive(HEROES, ofDetail({}, relation({ extra: "a text" })), [
      en("skill-combos", { hero: 1 }),
      [{ id: 1, data: { hero_id: 1, title: "T", desc: "D", skill_id: [step] } }],
    ]);
    expect(misfits.map((line) => line.split(" | ").slice(0, 2).join(" "))).toEqual([
      "unfit skill_combo_step.created_at_ms",
      "unfit skill_combo_step.source_id",
      "unfit skill_combo_step.updated_at_ms",
    ]);
  });

  test("of numbers in a text is split at what no number has in it", () => {
    expect(splitNumbers("2024, 2025|2026、2027")).toEqual(["2024", "2025", "2026", "2027"]);
    expect(splitNumbers([1, "2;3"])).toEqual([1, "2", "3"]);
    const item = { data: { equipid: 1, equipname: "A", targetequipid: "1.5,-3,2025,x" } };
    const { all, misfits } = derive([en("equipment-expanded"), [item]]);
    expect(all("SELECT target_item_id FROM item_upgrade ORDER BY 1")).toEqual([[-3], [2025]]);
    expect(misfits).toEqual([
      'incomplete | item_upgrade.target_item_id | equipment-expanded | data.targetequipid | 2 | "1.5"',
    ]);
  });
});

test("records that are no objects are left out of the tables, and counted", () => {
  const { misfits } = derive([en("equipment"), [null, 5, "x", [], { data: { equipid: 1, equipname: "A" } }]]);
  expect(misfits).toEqual([
    "incomplete | item.item_id | equipment | data.equipid | 4 | nothing",
    "incomplete | item_text.item_id | equipment | data.equipid | 4 | nothing",
  ]);
});
