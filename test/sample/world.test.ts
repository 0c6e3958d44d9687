import { afterAll, describe, expect, test } from "vitest";
import { type Sample, startSample } from "../../src/extra/sample/service/server.ts";
import { ask, askHeroIds, askOne, askPage, type Rec, upTo, wordsOf } from "../helpers/ask-sample.ts";

// Small enough that the five best and the five worst of a hero are all the others.
const eleven = await startSample({ heroes: 11 });
afterAll(eleven.close);

describe("the world", () => {
  const PATHS = wordsOf("/api/heroes/7 /api/heroes/rank?days=7 /api/heroes/7/counters?rank=epic /api/heroes/7/trends");
  const texts = (sample: Sample) => Promise.all(PATHS.map(async (path) => (await ask(sample, path)).text));
  const winsOf = (record: Rec) => record.data.win_rate.map((point) => point.win_rate);

  test("is the same for the same seed and day, and another one for another seed", async () => {
    await using first = await startSample({ seed: 5 });
    await using again = await startSample({ seed: 5 });
    await using other = await startSample({ seed: 6 });
    const [detail, ...numbers] = await texts(first);
    expect(await texts(again)).toEqual([detail, ...numbers]);
    const [otherDetail, ...otherNumbers] = await texts(other);
    expect(otherDetail).toBe(detail);
    for (const [i, text] of otherNumbers.entries()) expect(text).not.toBe(numbers[i]);
  });

  test("rolls over: numbers and stamps change, texts do not, trends move on by a day", async () => {
    await using sample = await startSample({ seed: 5 });
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
    await using sample = await startSample({ heroes: 20 });
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
    await using alone = await startSample({ heroes: 1 });
    expect((await askOne(alone, "/api/heroes/1/counters")).data.sub_hero).toEqual([]);
  });

  test.for([
    { heroes: 0 },
    { heroes: 134 },
    { heroes: 1.5 },
    { day: 0.5 },
    { unresolved: 3, heroes: 3 },
    { unresolved: -1 },
    { unresolved: 0.5 },
  ])("rejects %o", async (options) => {
    await expect(startSample(options)).rejects.toThrow(RangeError);
    expect(() => eleven.set(options)).toThrow(RangeError);
    expect((await askPage(eleven, "/api/heroes/rank")).total).toBe(11);
  });

  test("knows a new hero by the list of heroes only, until he is resolved", async () => {
    await using sample = await startSample({ heroes: 12, unresolved: 2 });
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
});
