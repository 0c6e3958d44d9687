import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ask, askOne, askPage, descending, upTo } from "../helpers/ask-sample.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const whole = await startSample();
afterAll(whole.close);

describe("records", () => {
  // Keys as in the captures; "" and 0 beside objects in an array are left out.
  const META = "_id caption configId createdAt createdUser";
  const REST = "dynamic id linkId[] sort updatedAt updatedUser";
  const LANE = `{${META} data{_object road_sort_icon road_sort_id road_sort_title} ${REST}}`;
  const ROLE = `{${META} data{_object sort_icon sort_id sort_title} ${REST}}`;
  const IDS = "relation{assist{target_hero_id[]} strong{target_hero_id[]} weak{target_hero_id[]}}";
  const MAIN = "main_hero_appearance_rate main_hero_ban_rate main_hero_channel{id} main_hero_win_rate main_heroid";
  const DURATIONS = "10_12 12_14 14_16 16_18 18_20 20 6 6_8 8_10".replace(/\S+/g, "min_win_rate$&");
  const BARE = `{hero_appearance_rate hero_index hero_win_rate heroid increase_win_rate ${DURATIONS}}`;
  const WITH_HERO = `{hero{data{head}} ${BARE.slice(1)}`;
  const WITH_CHANNEL = WITH_HERO.replace(" hero_index", " hero_channel{id} hero_index");
  const RANKED = "sub_hero[{hero{data{head}} hero_channel{id} heroid increase_win_rate}]";
  const SKILL = "skillcd&cost skilldesc skillicon skillid skillname skilltag[{tagid tagname tagrgb}] skillvideo";
  const COMBO_STEP = "{_createdAt _id _updatedAt data{skillicon skillid} id sourceId}";
  const POINTS = "win_rate[{app_rate ban_rate date win_rate}]";
  const VERSION = "createdAt data{game_version} form{id} id uin updatedAt";

  const pairings = (worst: string) =>
    `{_createdAt _id _updatedAt data{bigrank camp_type main_hero{data{head name}} ${MAIN} match_type ` +
    `sub_hero[${WITH_CHANNEL}] sub_hero_last[${worst}]} id sourceId}`;
  const relation = (kind: string) => `${kind}{desc target_hero[{data{head}}] target_hero_id[]}`;
  const detail = (painting: string, url: string) =>
    `{${META} data{_object head head_big hero{_createdAt _id _updatedAt data{abilityshow[] difficulty head heroid ` +
    `heroskilllist[{skilllist[{${SKILL}}] skilllistid}] heroskin name painting recommendlevel[] recommendlevellabel ` +
    `recommendmasterplan[] roadsort[${LANE}] roadsorticon1 roadsorticon2 roadsortlabel[] smallmap sorticon1 sorticon2 ` +
    `sortid[${ROLE}] sortlabel[] speciality[] squarehead squareheadbig story tale} id sourceId} hero_id ${painting}` +
    `relation{${["assist", "strong", "weak"].map(relation).join(" ")}}${url}} ${REST}}`;

  function shape(value: Json): string {
    if (Array.isArray(value)) {
      const shapes = value.filter((item) => typeof item === "object").map(shape);
      return `[${[...new Set(shapes)].join("|")}]`;
    }
    if (typeof value !== "object" || value === null) return "";
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => key + shape(value[key] ?? null)).join(" ")}}`;
  }

  const position = `{data{hero{data{name roadsort[${LANE}] smallmap sortid[${ROLE}]}} hero_id ${IDS}} id}`;
  const combo = `{${META} data{_object desc hero_id skill_id[${COMBO_STEP}] title} ${REST}}`;
  const trend = `{_createdAt _id _updatedAt data{bigrank camp_type main_heroid match_type ${POINTS}} id sourceId}`;
  const catalog = `{data{head head_big hero{data{name roadsort[${LANE}]}} hero_id painting}}`;

  test.for([
    ["/heroes", 380, 450, `{data{hero{data{head name smallmap}} hero_id ${IDS}}}`],
    ["/heroes/positions", 1100, 2000, position],
    ["/heroes/rank", 1300, 2200, `{data{main_hero{data{head name}} ${MAIN} ${RANKED}}}`],
    ["/heroes/18", 6500, 12_300, detail("", " url")],
    ["/heroes/2", 6500, 12_300, detail("", "")],
    ["/heroes/127", 6500, 12_300, detail("painting ", "")],
    ["/heroes/18/stats", 4600, 4900, pairings(BARE)],
    ["/heroes/18/counters", 4600, 4900, pairings(BARE)],
    ["/heroes/18/counters?days=7", 5500, 6000, pairings(WITH_CHANNEL)],
    ["/heroes/18/compatibility?days=30", 5300, 6000, pairings(WITH_HERO)],
    ["/heroes/18/relations", 150, 220, `{data{hero{data{name}} hero_id ${IDS}}}`],
    ["/heroes/18/skill-combos", 1500, 2300, combo],
    ["/heroes/18/trends?past-days=30", 2400, 2900, trend],
    ["/academy/meta/version", 100, 300, `{${VERSION}}`],
    ["/academy/meta/version?order=asc", 100, 300, `{${VERSION} vote_all{target vote{id}}}`],
    ["/academy/heroes/catalog", 700, 1400, catalog],
  ] as const)("of %s have the size and the keys of captured ones", async ([path, least, most, keys]) => {
    const { body } = await ask(whole, `/api${path}`);
    const record = body.data.records[0];
    expect(shape(record)).toBe(keys);
    const bytes = Buffer.byteLength(JSON.stringify(record));
    expect(bytes).toBeGreaterThan(least);
    expect(bytes).toBeLessThan(most);
  });

  test("of details show the oddities of captured ones", async () => {
    const details = await Promise.all(upTo(133).map((id) => askOne(whole, `/api/heroes/${id}`)));
    const heroOf = (id: number) => details[id - 1]?.data.hero.data;
    const laneIds = (id: number) => heroOf(id)?.roadsort.map((lane) => (lane === "" ? "" : lane.data.road_sort_id));
    expect([18, 3, 2, 131].map(laneIds)).toEqual([
      ["5", ""],
      ["4", "3"],
      ["4", "1", ""],
      ["", ""],
    ]);
    expect(heroOf(3)?.roadsortlabel).toEqual(["Jungle", "Roam"]);
    expect(heroOf(2)?.roadsortlabel).toEqual(["", ""]);
    expect(heroOf(133)?.sortid).toEqual(["", ""]);
    expect(heroOf(1)?.recommendlevel).toEqual(["3", "1", "2", "0", "1/2"]);
    const [passive, first] = heroOf(18)?.heroskilllist[0]?.skilllist ?? [];
    expect(passive).toMatchObject({ skillid: 1840, "skillcd&cost": "" });
    expect(first?.skilldesc).toMatch(/<font color="fba51f">.*\n/s);
    const groups = heroOf(127)?.heroskilllist.map(({ skilllist }) => skilllist.map(({ skillid }) => skillid));
    expect(groups).toEqual([
      [12740, 12710, 12720, 12730],
      [12740, 2012710, 2012720, 12734],
    ]);
    expect(details.map(({ caption }) => caption)).toContain("018蕾拉");
    const relations = details.flatMap(({ data }) => Object.values(data.relation));
    expect(new Set(relations.map(({ target_hero_id }) => target_hero_id.length))).toEqual(new Set([1, 2, 3, 4]));
    expect(relations.some(({ target_hero_id }) => target_hero_id.includes(0))).toBe(true);
    for (const { target_hero, target_hero_id } of relations) {
      expect(target_hero.map((target) => target === 0)).toEqual(target_hero_id.map((id) => id === 0));
    }
  });

  test("of combos are two or three, newest first, and none for one hero", async () => {
    const pages = await Promise.all(upTo(133).map((id) => askPage(whole, `/api/heroes/${id}/skill-combos`)));
    expect(pages.filter(({ total }) => total === 0)).toHaveLength(1);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([0, 2, 3]));
    for (const { records, total } of pages) {
      const ids = records.map(({ id }) => id);
      expect(ids).toHaveLength(total);
      expect(ids).toEqual(ids.toSorted(descending));
    }
  });
});
