import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { DAY_WINDOWS, LANG_CODES, LANGUAGES, type Lang, RANK_CODES } from "../../src/api/enumerations.ts";
import { type Sample, type SampleOptions, startSample, wrapPictures } from "../../src/sample/service/server.ts";
import { readUrl, startCommand } from "../helpers/run.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Sub = { heroid: number; hero_index: number; increase_win_rate: number };
type Slot = "" | { data: { road_sort_id: string } };
type Skill = { skillid: number; skillname: string; skilldesc: string; skilltag: { tagname: string }[] };
type Hero = Record<"roadsort" | "sortid", Slot[]> &
  Record<"roadsortlabel" | "sortlabel" | "speciality" | "recommendlevel", string[]> &
  Record<"name" | "story", string> & { heroskilllist: { skilllist: Skill[] }[] };
type Relation = { desc: string; target_hero: unknown[]; target_hero_id: number[] };
type Data = Record<"hero_id" | "main_heroid", number> &
  Record<"main_hero_win_rate" | "main_hero_ban_rate" | "main_hero_appearance_rate", number> &
  Record<"sub_hero" | "sub_hero_last", Sub[]> & {
    hero: { data: Hero };
    relation: Record<"assist" | "strong" | "weak", Relation>;
    win_rate: { date: string; win_rate: number }[];
  };
type Rec = { id: number; caption: string; createdAt: number; _updatedAt: number; data: Data };

const running: Sample[] = [];
afterAll(() => Promise.all(running.map((sample) => sample.close())));

async function start(options?: SampleOptions): Promise<Sample> {
  const sample = await startSample(options);
  running.push(sample);
  return sample;
}

const whole = await start();
// Small enough that the five best and the five worst of a hero are all the others.
const eleven = await start({ heroes: 11 });

async function ask({ url }: Pick<Sample, "url">, path: string, init?: RequestInit) {
  const response = await fetch(url + path, { redirect: "manual", ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
}

async function askPage(sample: Pick<Sample, "url">, path: string): Promise<{ records: Rec[]; total: number }> {
  const { status, text, body } = await ask(sample, path);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ code: 0, message: "OK" });
  return body.data;
}

async function askOne(sample: Sample, path: string): Promise<Rec> {
  const { records, total } = await askPage(sample, path);
  const [record] = records;
  if (!record || records.length + total !== 2) throw new Error(`${path}: ${records.length} of ${total} records`);
  return record;
}

async function askHeroIds(sample: Sample, path: string): Promise<number[]> {
  return (await askPage(sample, path)).records.map(({ data }) => data.hero_id);
}

const withLang = (path: string, lang: Lang) => `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const wordsOf = (text: string) => text.trim().split(/\s+/);
const ascending = (a: number, b: number) => a - b;
const descending = (a: number, b: number) => b - a;

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

describe("numbers", () => {
  async function deltas(kind: string): Promise<Map<string, number>> {
    const all = new Map<string, number>();
    for (const id of upTo(11)) {
      const { data } = await askOne(eleven, `/api/heroes/${id}/${kind}?rank=epic&days=7`);
      for (const sub of [...data.sub_hero, ...data.sub_hero_last])
        all.set(`${id} ${sub.heroid}`, sub.increase_win_rate);
    }
    expect(all.size).toBe(110);
    return all;
  }
  const swap = (pair: string) => pair.split(" ").reverse().join(" ");

  test("of counters are antisymmetric, of compatibility symmetric", async () => {
    const [against, beside] = [await deltas("counters"), await deltas("compatibility")];
    for (const [pair, delta] of against) expect((against.get(swap(pair)) ?? Number.NaN) + delta, pair).toBe(0);
    for (const [pair, delta] of beside) expect(beside.get(swap(pair)), pair).toBe(delta);
    expect([...against.values()]).not.toEqual([...beside.values()]);
  });

  test("of pairings are the five best and the five worst, sorted and counted", async () => {
    const { data } = await askOne(whole, "/api/heroes/30/compatibility?days=15&rank=glory");
    const [gains, losses] = [data.sub_hero, data.sub_hero_last].map((subs) => subs.map((sub) => sub.increase_win_rate));
    expect(gains).toEqual(gains?.toSorted(descending));
    expect(losses).toEqual(losses?.toSorted(ascending));
    expect(gains?.[4]).toBeGreaterThan(losses?.[4] ?? 1);
    for (const subs of [data.sub_hero, data.sub_hero_last]) {
      expect(subs.map(({ hero_index }) => hero_index)).toEqual([1, 2, 3, 4, 5]);
    }
    expect(data).toMatchObject({ bigrank: "9", camp_type: "1", match_type: "1" });
    expect((await askOne(whole, "/api/heroes/30/counters")).data).toMatchObject({
      bigrank: "101",
      camp_type: "0",
      match_type: "0",
    });
  });

  const batches = RANK_CODES.flatMap((rank) => DAY_WINDOWS.map((days) => ({ rank, days })));
  test.for(batches)("of $rank over $days days agree across endpoints", async ({ rank, days }) => {
    const batch = `rank=${rank}&days=${days}`;
    const { records } = await askPage(whole, `/api/heroes/rank?size=3&${batch}`);
    for (const { sub_hero, ...rates } of records.map(({ data }) => data)) {
      const hero = `/api/heroes/${rates.main_heroid}`;
      const counters = await askOne(whole, `${hero}/counters?${batch}`);
      const compatibility = await askOne(whole, `${hero}/compatibility?${batch}`);
      expect(counters.data).toMatchObject(rates);
      expect(compatibility.data).toMatchObject(rates);
      expect(compatibility._updatedAt).toBe(counters._updatedAt);
      expect(sub_hero.map((sub) => sub.heroid)).toEqual(counters.data.sub_hero.map((sub) => sub.heroid));
      if (days !== "1") continue;
      expect(await askOne(whole, `${hero}/stats?rank=${rank}`)).toEqual(compatibility);
      const { data } = await askOne(whole, `${hero}/trends?rank=${rank}`);
      expect(data.win_rate[0]?.win_rate).toBe(rates.main_hero_win_rate);
    }
  });

  test("of a batch carry one stamp for all heroes, another one for other batches", async () => {
    const stamp = async (id: number, batch: string) =>
      (await askOne(whole, `/api/heroes/${id}/counters?${batch}`))._updatedAt;
    const stamps = await Promise.all(upTo(133).map((id) => stamp(id, "rank=epic&days=3")));
    expect(new Set(stamps).size).toBe(1);
    expect(await stamp(1, "rank=epic&days=7")).not.toBe(stamps[0]);
  });

  test("are plausible: rates, shares, one ban rate above 1, exact 0 and 1", async () => {
    const { records } = await askPage(whole, "/api/heroes/rank?size=200&rank=glory");
    const wins = records.map(({ data }) => data.main_hero_win_rate);
    expect(Math.min(...wins)).toBeGreaterThan(0.41);
    expect(Math.max(...wins)).toBeLessThan(0.61);
    expect(records.filter(({ data }) => data.main_hero_ban_rate > 1)).toHaveLength(1);
    expect(records.reduce((sum, { data }) => sum + data.main_hero_appearance_rate, 0)).toBeCloseTo(1, 3);
    const { text } = await ask(whole, "/api/heroes/18/counters");
    expect(text).toMatch(/"min_win_rate6":[01][,}]/);
    for (const [rate] of text.matchAll(/0\.\d+/g)) expect(rate).toMatch(/^0\.\d{1,6}$/);
  });

  test("of a trend are the same in each length, newest first", async () => {
    const series = async (days: number) =>
      (await askOne(whole, `/api/heroes/40/trends?past-days=${days}`)).data.win_rate;
    const month = await series(30);
    expect(month).toHaveLength(30);
    expect(new Set(month.map((point) => point.win_rate)).size).toBeGreaterThan(20);
    expect(await series(15)).toEqual(month.slice(0, 15));
    expect(await series(7)).toEqual(month.slice(0, 7));
    const dates = month.map(({ date }) => date);
    expect([dates[0], dates[29]]).toEqual(["2026-07-24", "2026-06-25"]);
    expect(dates).toEqual(dates.toSorted().reverse());
    const { data } = await askOne(whole, "/api/heroes/40/trends?rank=mythic");
    expect(data).toMatchObject({ main_heroid: 40, bigrank: "7", camp_type: "1", match_type: "1" });
  });
});

describe("languages", () => {
  /** Replaces each record's own name and returns the names. */
  function takeNames(page: { records: Rec[] }, path: string): string[] {
    return page.records.map(({ data }) => {
      const owner: { data: Record<string, unknown> } = data[path as "hero"];
      const { name } = owner.data;
      owner.data.name = "";
      return String(name);
    });
  }

  /** All but the texts: numbers, addresses, keys. */
  function withoutTexts(value: Json): Json {
    if (typeof value === "string") return value.startsWith("http") || /^[\d,.-]*$/.test(value) ? value : "text";
    if (Array.isArray(value)) return value.map(withoutTexts);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutTexts(inner)]));
  }

  async function localNames(lang: Lang): Promise<string[]> {
    return takeNames(await askPage(whole, `/api/heroes?size=200&order=asc&lang=${lang}`), "hero");
  }

  test.for([
    ["/api/heroes/rank?size=40&days=3&rank=honor", "main_hero"],
    ["/api/heroes/61/stats?rank=epic", "main_hero"],
    ["/api/heroes/61/counters?days=7", "main_hero"],
    ["/api/heroes/61/compatibility?days=30&rank=glory", "main_hero"],
    ["/api/heroes/61/relations", "hero"],
  ] as const)("change nothing but the hero's name in %s", async ([path, owner]) => {
    const english = await askPage(whole, path);
    const englishNames = takeNames(english, owner);
    for (const lang of LANG_CODES) {
      const other = await askPage(whole, withLang(path, lang));
      const names = takeNames(other, owner);
      expect(other, lang).toEqual(english);
      if (["ru", "ja", "km", "zh-TW"].includes(lang)) expect(names).not.toEqual(englishNames);
    }
  });

  const WITHOUT_TEXT = ["/api/heroes/61/trends?past-days=15", "/api/academy/meta/version"];
  test.for(WITHOUT_TEXT)("change nothing in %s", async (path) => {
    const { text } = await ask(whole, path);
    for (const lang of LANG_CODES) expect((await ask(whole, withLang(path, lang))).text).toBe(text);
  });

  test.for([
    ["/api/heroes?size=200", 14],
    ["/api/heroes/positions?size=50", 17],
    ["/api/heroes/61", 17],
    ["/api/heroes/127", 17],
    ["/api/heroes/61/skill-combos", 17],
    ["/api/academy/heroes/catalog?size=50", 17],
  ] as const)("change texts, but no number and no address, in %s", async ([path, atLeast]) => {
    const english = (await ask(whole, path)).body;
    const texts = new Set<string>();
    for (const lang of LANG_CODES) {
      const { text, body } = await ask(whole, withLang(path, lang));
      expect(withoutTexts(body), lang).toEqual(withoutTexts(english));
      texts.add(text);
    }
    expect(texts.size).toBeGreaterThanOrEqual(atLeast);
  });

  test("say the same of a skill: the numbers in its description are those of the English one", async () => {
    const numbersOf = async (lang: Lang) => {
      const { data } = await askOne(whole, `/api/heroes/61?lang=${lang}`);
      const skills = data.hero.data.heroskilllist.flatMap(({ skilllist }) => skilllist);
      return skills.map(({ skilldesc }) => skilldesc.match(/[\d.]*\d/g)?.sort());
    };
    const english = await numbersOf("en");
    for (const lang of LANG_CODES) expect(await numbersOf(lang), lang).toEqual(english);
  });

  test.for(LANGUAGES.filter(({ script }) => script !== "Latin"))("write $code in its own script", async (language) => {
    const scripts = language.script === "Japanese" ? ["Han", "Hiragana", "Katakana"] : [language.script];
    const own = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");
    const { data } = await askOne(whole, `/api/heroes/84?lang=${language.code}`);
    const { story, name, sortlabel, roadsortlabel, speciality, heroskilllist } = data.hero.data;
    const skill = heroskilllist[0]?.skilllist[0];
    const texts = [name, story, sortlabel[0], roadsortlabel[0], ...speciality, skill?.skillname, skill?.skilldesc];
    for (const text of [...texts, skill?.skilltag[0]?.tagname, data.relation.weak.desc]) expect(text).toMatch(own);
    for (const local of await localNames(language.code)) expect(local).toMatch(own);
  });

  test("have one name for each hero, told apart by letters and digits alone", async () => {
    for (const lang of LANG_CODES) {
      const names = await localNames(lang);
      const plain = names.map((name) =>
        name
          .normalize("NFC")
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]/gu, ""),
      );
      expect(new Set(plain).size, lang).toBe(133);
    }
    const [simplified, traditional] = [await localNames("zh-CN"), await localNames("zh-TW")];
    expect(simplified.filter((name, i) => name !== traditional[i]).length).toBeGreaterThan(100);
  });
});

describe("the world", () => {
  const PATHS = wordsOf("/api/heroes/7 /api/heroes/rank?days=7 /api/heroes/7/counters?rank=epic /api/heroes/7/trends");
  const texts = (sample: Sample) => Promise.all(PATHS.map(async (path) => (await ask(sample, path)).text));
  const winsOf = (record: Rec) => record.data.win_rate.map((point) => point.win_rate);

  test("is the same for the same seed and day, and another one for another seed", async () => {
    const [first, again, other] = [await start({ seed: 5 }), await start({ seed: 5 }), await start({ seed: 6 })];
    const [detail, ...numbers] = await texts(first);
    expect(await texts(again)).toEqual([detail, ...numbers]);
    const [otherDetail, ...otherNumbers] = await texts(other);
    expect(otherDetail).toBe(detail);
    for (const [i, text] of otherNumbers.entries()) expect(text).not.toBe(numbers[i]);
  });

  test("rolls over: numbers and stamps change, texts do not, trends move on by a day", async () => {
    const sample = await start({ seed: 5 });
    const [detail, ...before] = await texts(sample);
    const [counters, trend] = ["counters", "trends"].map((kind) => () => askOne(sample, `/api/heroes/7/${kind}`));
    const [oldCounters, oldTrend] = [await counters?.(), await trend?.()];
    sample.set({ day: 1 });
    const [newCounters, newTrend] = [await counters?.(), await trend?.()];
    const [newDetail, ...after] = await texts(sample);
    expect(newDetail).toBe(detail);
    for (const [i, text] of after.entries()) expect(text).not.toBe(before[i]);
    expect(newCounters?.data.main_hero_win_rate).not.toBe(oldCounters?.data.main_hero_win_rate);
    const gains = (record?: Rec) => record?.data.sub_hero.map((sub) => sub.increase_win_rate);
    expect(gains(newCounters)).not.toEqual(gains(oldCounters));
    expect((newCounters?._updatedAt ?? 0) - (oldCounters?._updatedAt ?? 0)).toBe(86_400_000);
    expect(newTrend?.data.win_rate[0]?.date).toBe("2026-07-25");
    expect(newTrend?.data.win_rate.slice(1)).toEqual(oldTrend?.data.win_rate.slice(0, 6));
    sample.set({ day: 0 });
    expect(await texts(sample)).toEqual([detail, ...before]);
  });

  test("releases a hero, who appears everywhere while the others keep their win rates", async () => {
    const sample = await start({ heroes: 20 });
    expect((await askPage(sample, "/api/heroes")).total).toBe(20);
    expect((await ask(sample, "/api/heroes/21")).status).toBe(422);
    const before = await askOne(sample, "/api/heroes/3/trends");
    sample.set({ heroes: 21 });
    expect(await askHeroIds(sample, "/api/heroes?size=1")).toEqual([21]);
    expect((await askOne(sample, "/api/heroes/hayabusa")).data.hero_id).toBe(21);
    expect((await askPage(sample, "/api/heroes/rank")).total).toBe(21);
    expect(winsOf(await askOne(sample, "/api/heroes/3/trends"))).toEqual(winsOf(before));
  });

  test("names no hero outside its roster", async () => {
    for (const id of upTo(11)) {
      const { data } = await askOne(eleven, `/api/heroes/${id}/relations`);
      const targets = Object.values(data.relation).flatMap(({ target_hero_id }) => target_hero_id);
      expect(Math.max(...targets)).toBeLessThanOrEqual(11);
      expect(targets).not.toContain(id);
    }
    expect((await askOne(await start({ heroes: 1 }), "/api/heroes/1/counters")).data.sub_hero).toEqual([]);
  });

  test.for([{ heroes: 0 }, { heroes: 134 }, { heroes: 1.5 }, { day: 0.5 }])("rejects %o", async (options) => {
    await expect(startSample(options)).rejects.toThrow(RangeError);
    expect(() => eleven.set(options)).toThrow(RangeError);
  });
});

describe("lists", () => {
  test("are paged by size and index, with the true total past the end", async () => {
    const huge = "9".repeat(400);
    expect(await askHeroIds(eleven, "/api/heroes?size=4&index=2")).toEqual([7, 6, 5, 4]);
    expect(await askHeroIds(eleven, "/api/heroes?size=4&index=3&order=asc")).toEqual([9, 10, 11]);
    expect(await askPage(eleven, "/api/heroes?size=4&index=4")).toEqual({ records: [], total: 11 });
    expect(await askPage(eleven, "/api/heroes/3?index=2")).toEqual({ records: [], total: 1 });
    expect(await askHeroIds(whole, "/api/heroes")).toHaveLength(20);
    expect(await askHeroIds(whole, `/api/heroes?size=${huge}`)).toHaveLength(133);
    expect(await askPage(whole, `/api/heroes?index=${huge}`)).toEqual({ records: [], total: 133 });
    expect(await askHeroIds(whole, "/api/academy/heroes/catalog?size=2")).toEqual([133, 132]);
  });

  test.for([
    ["pick_rate", "main_hero_appearance_rate"],
    ["ban_rate", "main_hero_ban_rate"],
    ["win_rate", "main_hero_win_rate"],
  ] as const)("of rates are sorted by %s, ties by hero id", async ([field, key]) => {
    for (const [order, compare] of [["asc", ascending] as const, ["desc", descending] as const]) {
      const { records } = await askPage(whole, `/api/heroes/rank?size=200&sort_field=${field}&sort_order=${order}`);
      const rows = records.map(({ data }) => data);
      const sorted = rows.toSorted((a, b) => compare(a[key], b[key]) || a.main_heroid - b.main_heroid);
      expect(rows.map((row) => row.main_heroid)).toEqual(sorted.map((row) => row.main_heroid));
    }
    const { text } = await ask(whole, `/api/heroes/rank?sort_field=${field}&sort_order=desc`);
    expect((await ask(whole, `/api/heroes/rank?sort_field=${field}`)).text).toBe(text);
    expect((await ask(whole, "/api/heroes/rank")).text === text).toBe(field === "win_rate");
  });

  test("of positions are or-ed inside a parameter and and-ed between the two", async () => {
    const ids = (query: string) => askHeroIds(whole, `/api/heroes/positions?size=200&order=asc${query}`);
    const all = await ids("");
    expect(upTo(133).filter((id) => !all.includes(id))).toEqual([131, 133]);
    const [mages, supports, mids] = [await ids("&role=mage"), await ids("&role=support"), await ids("&lane=mid")];
    const either = all.filter((id) => mages.includes(id) || supports.includes(id));
    const both = mages.filter((id) => mids.includes(id));
    expect(mages).toContain(5);
    expect(mages).not.toContain(1);
    expect(both.length).toBeLessThan(mages.length);
    expect(await ids("&role=mage&role=support")).toEqual(either);
    expect(await ids("&role=mage&lane=mid")).toEqual(both);
    expect(await ids("&role=%20Mage%20&lane=MID")).toEqual(both);
    expect(await ids("&role=&lane=")).toEqual(all);
  });

  test("of versions are sorted by creation, newest first unless asked otherwise", async () => {
    const created = async (query: string) =>
      (await askPage(whole, `/api/academy/meta/version${query}`)).records.map(({ createdAt }) => createdAt);
    const newestFirst = await created("");
    expect(newestFirst).toHaveLength(6);
    expect(newestFirst).toEqual(newestFirst.toSorted(descending));
    expect(await created("?order=asc")).toEqual(newestFirst.toReversed());
  });
});

describe("heroes are found", () => {
  const decomposed = "Hằng Nga".normalize("NFD");

  test.for([
    ["en", ["61", "%20+061%20", "Chang'e", "change", "CHANG-E"]],
    ["ru", ["Чан'Э", "чанэ", "Chang'e", "61"]],
    ["vi", ["Hằng Nga", "hằngnga", decomposed, "change"]],
    ["zh-CN", ["嫦娥", "%E5%AB%A6%E5%A8%A5"]],
  ] as const)("in %s by %s", async ([lang, names]) => {
    for (const name of names) {
      expect((await askOne(whole, `/api/heroes/${name}/relations?lang=${lang}`)).data.hero_id).toBe(61);
    }
  });

  test.for([
    [422, "0 -3 134 99999999999999999999"],
    [404, "61.0 6_1 nobody Rank %20 Чанэ a%2Fb %ZZ"],
  ] as const)("not, but answered with %i: %s", async ([status, names]) => {
    for (const name of wordsOf(names)) expect((await ask(whole, `/api/heroes/${name}`)).status, name).toBe(status);
  });

  test("not by a name without its accents, nor by one of another language", async () => {
    expect((await ask(whole, "/api/heroes/hangnga?lang=vi")).status).toBe(404);
    expect((await ask(whole, "/api/heroes/嫦娥?lang=vi")).status).toBe(404);
  });
});

describe("parameters", () => {
  test.for(wordsOf("5 %205%09 %2B5 005 0_5 5.0 1&size=5"))("take size=%s for 5", async (size) => {
    expect(await askHeroIds(whole, `/api/heroes?size=${size}`)).toHaveLength(5);
  });

  test("take the last of a repeated key", async () => {
    expect(await askHeroIds(eleven, "/api/heroes?order=desc&order=asc&size=1")).toEqual([1]);
    expect(await askHeroIds(eleven, "/api/heroes?order=up&order=asc&size=1")).toEqual([1]);
  });

  const INVALID = wordsOf(`
    heroes?size= heroes?size=0 heroes?size=-1 heroes?size=1.5 heroes?size=1e3 heroes?size=0x10 heroes?size=5_
    heroes?size=abc heroes?size=5&size=0 heroes?index=0 heroes?index= heroes?order=DESC heroes?order= heroes?lang=EN
    heroes?lang=zh-cn heroes/rank?rank=Epic heroes/rank?days=2 heroes/rank?sort_field=win heroes/rank?sort_order=up
    heroes/1/trends?past-days=1 heroes/1/counters?days=2 heroes/1/stats?rank=x heroes/1?lang=
    heroes/positions?role=healer heroes/positions?lane=top heroes/positions?role=mage,support
    heroes/nobody?size=0 academy/meta/version?order=up academy/heroes/catalog?lang=`);
  test.for(INVALID)("reject %s", async (path) => {
    const { status, body } = await ask(whole, `/api/${path}`);
    const name = path.replace(/.*\?(.+?)=.*/, "$1");
    expect(status).toBe(422);
    expect(body).toMatchObject({
      success: false,
      error: { code: "VALIDATION_FAILED", fields: [{ name, in: "query" }] },
    });
  });

  test("are ignored where they are unknown, differ in case or belong to another endpoint", async () => {
    const { text } = await ask(whole, "/api/heroes/1/stats");
    for (const query of ["days=2", "Size=0", "past-days=x", "whatever="]) {
      expect((await ask(whole, `/api/heroes/1/stats?${query}`)).text).toBe(text);
    }
  });

  test("are reported all at once, the identifier among them", async () => {
    const { body } = await ask(whole, "/api/heroes/999/counters?days=2&rank=x&size=0");
    const fields = body.error.fields.map((field: { name: string; in: string }) => `${field.in} ${field.name}`);
    expect(fields.sort()).toEqual(["path hero_identifier", "query days", "query rank", "query size"]);
  });
});

describe("the service", () => {
  const NOWHERE = wordsOf(`/ /api/x /api/heroes/1/x /api/heroes/1/stats/x /api/heroes//stats /api/academy/recommended
    /api/heroes%2Frank /api/heroes/layla%2Fstats /api/users /api/x/ /apix`);
  test.for(NOWHERE)("answers %s with 404 in the specification's scheme", async (path) => {
    const { status, body } = await ask(whole, path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false, error: { code: "RESOURCE_NOT_FOUND", fields: [] } });
    expect(Object.keys(body.error)).toEqual(["code", "message", "hint", "detail", "fields"]);
  });

  test.for([
    "POST /api/heroes GET",
    "DELETE /api/heroes/1/stats GET",
    "OPTIONS /api/ GET",
    "GET /api/user/auth/login POST",
    "HEAD /api/heroes GET",
  ])("answers 405 with what is allowed: %s", async (line) => {
    const [method = "", path = "", allow] = wordsOf(line);
    const { status, headers, text, body } = await ask(whole, path, { method });
    expect([status, headers.get("allow")]).toEqual([405, allow]);
    if (method === "HEAD") expect(text).toBe("");
    else expect(body.error.code).toBe("METHOD_NOT_ALLOWED");
  });

  test.for([
    "/api/heroes/ /api/heroes",
    "/api/heroes/rank/?days=3 /api/heroes/rank?days=3",
    "/api/heroes/layla/stats/ /api/heroes/layla/stats",
    "/api/user/auth/login/ /api/user/auth/login",
  ])("redirects a trailing slash to the form without: %s", async (line) => {
    const [path = "", location] = wordsOf(line);
    const { status, headers } = await ask(whole, path);
    expect([status, headers.get("location")]).toEqual([307, location]);
  });

  test("lists and describes its endpoints", async () => {
    const [index, slash] = [await ask(whole, "/api"), await ask(whole, "/api/")];
    expect(slash.text).toBe(index.text);
    const { body } = await ask(whole, "/api/openapi.json");
    const paths = Object.keys(body.paths);
    expect(index.body.data.endpoints.map(({ path }: { path: string }) => path).sort()).toEqual(paths.sort());
    expect(paths).toHaveLength(36);
    expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.2" } });
    expect(body.paths["/api/heroes/{hero_identifier}/trends"].get.parameters).toContainEqual({
      name: "past-days",
      in: "query",
      schema: { type: "string", enum: ["7", "15", "30"], default: "7" },
    });
  });

  test("lets every origin read, errors included", async () => {
    const origin = "https://example.org";
    for (const path of ["/api/heroes", "/api/x"]) {
      const { headers } = await ask(whole, path, { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    }
    expect((await ask(whole, "/api/heroes")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("answers preflights", async () => {
    // By hand: fetch does not let a program write a preflight's headers.
    const lines = wordsOf("Host:x Origin:https://a.example Connection:close Access-Control-Request-Method:POST");
    const request = ["OPTIONS /api/user/auth/login HTTP/1.1", ...lines, "Access-Control-Request-Headers: content-type"];
    const reply = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(whole.port, "127.0.0.1", () => socket.end(`${request.join("\r\n")}\r\n\r\n`));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text.toLowerCase()));
    });
    expect(reply).toMatch(/^http\/1\.1 200 /);
    expect(reply).toContain("\r\naccess-control-allow-origin: https://a.example\r\n");
    expect(reply).toContain("\r\naccess-control-allow-headers: content-type\r\n");
    expect(reply).toContain("\r\naccess-control-allow-methods: get, post\r\n");
  });

  test("carries an empty trace in some answers and none in others, always the same", async () => {
    const keysOf = async (path: string) => Object.keys((await ask(whole, path)).body).join();
    const keys = await Promise.all(upTo(40).map((id) => keysOf(`/api/heroes/${id}/relations`)));
    expect(new Set(keys)).toEqual(new Set(["code,message,data", "code,message,data,traceID"]));
    expect(await keysOf("/api/heroes/1/relations?lang=ru")).toBe(keys[0]);
  });

  test("keeps the requests it answered, but not those of players", async () => {
    const sample = await start({ heroes: 2 });
    await ask(sample, "/api/heroes?size=1");
    await ask(sample, "/api/heroes", { method: "POST" });
    await ask(sample, "/api/user/info");
    expect(sample.requests).toEqual(["GET /api/heroes?size=1", "POST /api/heroes"]);
  });

  test("frees its port when closed, also with a connection open, and may be closed twice", async () => {
    const sample = await startSample();
    await ask(sample, "/api/");
    await sample.close();
    await sample.close();
    await expect(fetch(sample.url)).rejects.toThrow();
    await (await startSample({ port: sample.port })).close();
    await expect(startSample({ port: whole.port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe("an upstream that changes", () => {
  const VOTES = ["/api/academy/heroes/ratings", "/api/academy/heroes/ratings/{subject}"];
  const closed = { status: 200, body: { code: 10407, message: expect.stringMatching(/./) } };

  test("switches endpoints off, says so in its document, and opens them again", async () => {
    const sample = await start({ heroes: 3, withdraw: VOTES });
    const deprecated = async () => {
      const { body } = await ask(sample, "/api/openapi.json");
      return Object.keys(body.paths).filter((path) => body.paths[path].get?.deprecated);
    };
    const [list, one] = [() => ask(sample, VOTES[0] ?? ""), () => ask(sample, `${VOTES[0]}/3275335?lang=ja`)];
    expect([await list(), await one()]).toMatchObject([closed, closed]);
    expect(await deprecated()).toEqual(VOTES);
    expect((await ask(sample, "/api/academy/heroes")).body.code).toBe(0);
    expect((await ask(sample, "/api/academy/heroes/ratings?lang=xx")).status).toBe(422);
    sample.set({ withdraw: ["/api/heroes/{hero_identifier}/stats"] });
    expect([(await list()).body.code, (await one()).body.code]).toEqual([0, 0]);
    expect(await ask(sample, "/api/heroes/2/stats?rank=glory")).toMatchObject(closed);
    expect(await deprecated()).toEqual(["/api/heroes/{hero_identifier}/stats"]);
    sample.set({ withdraw: [] });
    expect((await ask(sample, "/api/heroes/2/stats")).body.code).toBe(0);
  });

  test("wraps the address of every picture, and nothing else", async () => {
    const sample = await start({ heroes: 12 });
    const lists = ["heroes", "heroes/positions", "heroes/rank", "academy/heroes", "academy/heroes/catalog"];
    const academy = ["academy/roles", "academy/equipment/expanded", "academy/spells", "academy/emblems"];
    const votes = ["academy/ranks", "academy/heroes/ratings", "academy/heroes/ratings/3275335"];
    const own = ["heroes/2", "heroes/2/skill-combos", "heroes/2/counters?days=7", "academy/heroes/2/stats"];
    const paths = [...lists, ...academy, ...votes, ...own, "academy/heroes/1/lane"].map((path) => `/api/${path}`);
    const texts = () => Promise.all(paths.map(async (path) => (await ask(sample, path)).text));
    const plain = await texts();
    sample.set({ pictures: "wsrv" });
    const wrapped = await texts();
    for (const [place, text] of wrapped.entries()) {
      const addresses = [...text.matchAll(/"(http[^"]+)"/g)].map(([, address = ""]) => address);
      expect(addresses.length, paths[place]).toBeGreaterThan(0);
      for (const address of addresses) expect(address).toMatch(/^https:\/\/wsrv\.nl\/\?url=https%3A%2F%2F[\w%.-]+$/);
      const unwrapped = text.replaceAll(/https:\/\/wsrv\.nl\/\?url=([^"]+)/g, (_, url) => decodeURIComponent(url));
      expect(unwrapped).toBe(plain[place]);
    }
    sample.set({ pictures: "plain" });
    expect(await texts()).toEqual(plain);
  });

  test.for([
    ["https://a.example/b.PNG", "https://wsrv.nl/?url=https%3A%2F%2Fa.example%2Fb.PNG"],
    ["https://a.example/b c.png", undefined],
    ["https://a.example/b.ico", undefined],
    ["https://a.example/png", undefined],
    ["b.png", undefined],
    ["https://wsrv.nl/?url=https%3A%2F%2Fa.example%2Fb.png", undefined],
    [7, undefined],
  ] as const)("wraps %s once, if it is the address of a picture", ([value, wrapped = value]) => {
    expect(wrapPictures("", value)).toBe(wrapped);
  });

  test("knows a new hero by the list of heroes only, until he is resolved", async () => {
    const sample = await start({ heroes: 12, unresolved: 2 });
    const lists = wordsOf("/api/heroes/rank /api/heroes/positions /api/academy/heroes /api/academy/heroes/catalog");
    const totals = () => Promise.all(lists.map(async (path) => (await askPage(sample, path)).total));
    const ids = (id: number) => [`/api/heroes/${id}`, `/api/heroes/${id}/trends`, `/api/academy/heroes/${id}/lane`];
    const statuses = (id: number) =>
      Promise.all(ids(id).map(async (path) => (await ask(sample, `${path}?lang=ru`)).status));
    expect(await askHeroIds(sample, "/api/heroes?size=3&lang=ja")).toEqual([12, 11, 10]);
    expect(await totals()).toEqual([10, 10, 10, 10]);
    expect([await statuses(10), await statuses(11), await statuses(12)]).toEqual([
      [200, 200, 200],
      [422, 422, 422],
      [422, 422, 422],
    ]);
    const { data } = await askOne(sample, "/api/academy/heroes/1/counters");
    expect(Math.max(...data.sub_hero.map(({ heroid }) => heroid))).toBe(10);
    sample.set({ unresolved: 1 });
    expect(await totals()).toEqual([11, 11, 11, 11]);
    expect([await statuses(11), await statuses(12)]).toEqual([
      [200, 200, 200],
      [422, 422, 422],
    ]);
  });

  test.for([
    { unresolved: 3, heroes: 3 },
    { unresolved: -1 },
    { unresolved: 0.5 },
    { withdraw: ["ratings"] },
    { withdraw: ["/api/"] },
  ])("is never %o", async (options) => {
    await expect(startSample(options)).rejects.toThrow(RangeError);
    expect(() => eleven.set({ heroes: 11, ...options })).toThrow(RangeError);
    expect((await askPage(eleven, "/api/heroes/rank")).total).toBe(11);
  });

  test("is started by options of the command", async () => {
    const options = ["--heroes", "4", "--withdraw", "ratings,/api/academy/spells", "--pictures", "wsrv"];
    const { child, ended } = startCommand("sample", ["--port", "0", ...options, "--unresolved", "1"]);
    try {
      const sample = { url: await readUrl({ child, ended }) };
      expect(await ask(sample, VOTES[0] ?? "")).toMatchObject(closed);
      expect(await ask(sample, "/api/academy/spells")).toMatchObject(closed);
      expect((await ask(sample, "/api/academy/heroes/ratings/3275335")).text).toMatch(/wsrv\.nl/);
      expect([(await askPage(sample, "/api/heroes")).total, (await askPage(sample, "/api/heroes/rank")).total]).toEqual(
        [4, 3],
      );
    } finally {
      child.kill();
      await ended;
    }
  });
});

describe("a player's session", () => {
  const MINUTE = 60_000;
  const player = { role_id: 123, zone_id: 2001 };
  const failed = expect.toSatisfy((code: unknown) => typeof code === "number" && code !== 0);
  const refused = { status: 200, body: { code: failed, data: "" } };
  const unauthorized = { status: 401, body: { code: failed } };

  async function startAuth() {
    const clock = { now: Date.UTC(2026, 0, 1) };
    const lines: string[] = [];
    const sample = await start({ heroes: 1, now: () => clock.now, log: (line) => lines.push(line) });
    const post = (action: string, body: unknown) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return ask(sample, `/api/user/auth/${action}`, { method: "POST", body: text });
    };
    const sendCode = async () => {
      expect(await post("send-vc", player)).toMatchObject({ status: 200, body: { code: 0, data: "", msg: "ok" } });
      return sample.mail(player.role_id, player.zone_id) ?? "";
    };
    const login = (vc: unknown, who: object = player) => post("login", { ...who, vc });
    const bearer = (authorization?: string) => (authorization ? { headers: { authorization } } : {});
    const logout = (authorization?: string) =>
      ask(sample, "/api/user/auth/logout", { method: "POST", ...bearer(authorization) });
    const info = (authorization?: string) => ask(sample, "/api/user/info", bearer(authorization));
    return { clock, lines, sample, post, sendCode, login, logout, info };
  }

  test("begins with the mailed code and ends with the log-out", async () => {
    const { clock, lines, sample, sendCode, login, logout, info } = await startAuth();
    expect(sample.mail(123, 2001)).toBeUndefined();
    const code = await sendCode();
    expect(code).toMatch(/^\d{6}$/);
    expect(lines).toEqual([`mail to 123 (zone 2001): code ${code}`]);
    const { status, body } = await login(code);
    expect([status, body.code, body.msg]).toEqual([200, 0, "ok"]);
    expect(Object.keys(body.data).sort().join()).toBe("email,jwt,mobile,module,name,open_id,roleid,time,token,zoneid");
    expect(body.data).toMatchObject({ roleid: 123, zoneid: 2001, time: clock.now / 1000 });
    const { jwt } = body.data;
    expect(await info(`bearer ${jwt}`)).toMatchObject({ status: 200, body: { code: 0, data: { roleid: 123 } } });
    expect(await logout(`BEARER ${jwt}`)).toMatchObject({ status: 200, text: '{"code":0,"data":"","msg":"ok"}' });
    expect(await info(`Bearer ${jwt}`)).toMatchObject(unauthorized);
    expect(await logout(`Bearer ${jwt}`)).toMatchObject(unauthorized);
  });

  test("ends alone: another one of the same player goes on", async () => {
    const { sendCode, login, logout, info } = await startAuth();
    const first = (await login(await sendCode())).body.data.jwt;
    const second = (await login(await sendCode())).body.data.jwt;
    expect((await logout(`Bearer ${first}`)).status).toBe(200);
    expect((await info(`Bearer ${first}`)).status).toBe(401);
    expect((await info(`Bearer ${second}`)).status).toBe(200);
  });

  test("does not begin with a wrong, used, replaced or another player's code", async () => {
    const { sendCode, login } = await startAuth();
    expect(await login("123456")).toMatchObject(refused);
    const first = await sendCode();
    const second = await sendCode();
    expect(second).not.toBe(first);
    expect(await login(first)).toMatchObject(refused);
    expect(await login("1")).toMatchObject(refused);
    expect(await login(second, { role_id: 124, zone_id: 2001 })).toMatchObject(refused);
    expect(await login(second, { role_id: 123, zone_id: 2002 })).toMatchObject(refused);
    expect((await login(second)).body.code).toBe(0);
    expect(await login(second)).toMatchObject(refused);
  });

  test("begins within five minutes and not later", async () => {
    const { clock, sendCode, login } = await startAuth();
    const inTime = await sendCode();
    clock.now += 5 * MINUTE - 1;
    expect((await login(inTime)).body.code).toBe(0);
    const late = await sendCode();
    clock.now += 5 * MINUTE;
    expect(await login(late)).toMatchObject(refused);
  });

  test("begins with numeric strings and with a number for the code as well", async () => {
    const { post, sample, login } = await startAuth();
    await post("send-vc", { role_id: "123", zone_id: "2001" });
    const { body } = await login(Number(sample.mail(123, 2001)), { role_id: 123, zone_id: "2001" });
    expect(body).toMatchObject({ code: 0, data: { roleid: 123, zoneid: 2001 } });
  });

  test.for([
    ["send-vc", "{", "body role_id zone_id"],
    ["send-vc", "[]", "body role_id zone_id"],
    ["send-vc", { role_id: 123 }, "zone_id"],
    ["send-vc", { role_id: "abc", zone_id: 1.5 }, "role_id zone_id"],
    ["login", player, "vc"],
    ["login", { ...player, vc: "" }, "vc"],
    ["login", "", "body role_id zone_id vc"],
  ] as const)("needs a well-formed body: %s %o", async ([action, body, names]) => {
    const { post } = await startAuth();
    const answer = await post(action, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.fields.map((field: { name: string }) => field.name).join(" ")).toBe(names);
  });

  test("is not opened by a missing, garbled or foreign token", async () => {
    const { sendCode, login, logout, info } = await startAuth();
    const other = await startAuth();
    const { jwt } = (await login(await sendCode())).body.data;
    const foreign = (await other.login(await other.sendCode())).body.data.jwt;
    const tokens = ["", " x", ` ${jwt}x`, ` ${jwt.slice(1)}`, ` ${foreign}`].map((token) => `Bearer${token}`);
    for (const header of [undefined, jwt, `Basic ${jwt}`, ...tokens]) {
      expect(await logout(header), header).toMatchObject(unauthorized);
      expect(await info(header), header).toMatchObject(unauthorized);
    }
    expect((await logout(`Bearer ${jwt}`)).status).toBe(200);
  });
});
