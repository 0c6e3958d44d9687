import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ascending, ask, askHeroIds, askOne, askPage, descending, upTo, wordsOf } from "../helpers/ask-sample.ts";

const whole = await startSample();
// Small enough that the five best and the five worst of a hero are all the others.
const eleven = await startSample({ heroes: 11 });
afterAll(whole.close);
afterAll(eleven.close);

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
