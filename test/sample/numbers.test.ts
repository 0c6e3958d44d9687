import { afterAll, describe, expect, test } from "vitest";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ascending, ask, askOne, askPage, descending, upTo } from "../helpers/ask-sample.ts";

const whole = await startSample();
// Small enough that the five best and the five worst of a hero are all the others.
const eleven = await startSample({ heroes: 11 });
afterAll(whole.close);
afterAll(eleven.close);

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
