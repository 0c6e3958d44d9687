import { describe, expect, test } from "vitest";
import { type SampleOptions, startSample } from "../../src/extra/sample/service/server.ts";
import type { Slices } from "../../src/extra/sample/service/slice.ts";
import type { Form } from "../../src/extra/sample/troubles/forms.ts";
import type { Trouble } from "../../src/extra/sample/troubles/troubles.ts";
import { ask, askHeroIds, askPage, upTo } from "../helpers/ask-sample.ts";
import { readUrl, startCommand } from "../helpers/run.ts";

const HERO = "/api/heroes/{hero_identifier}";
const VOTES = ["/api/academy/heroes/ratings", "/api/academy/heroes/ratings/{subject}"];

const PATHS = [
  "/api/heroes?lang=km",
  "/api/heroes/rank?rank=glory&days=7",
  "/api/heroes/2/stats?rank=glory",
  "/api/heroes/2/trends?past-days=7",
  "/api/heroes/Miya/counters",
  "/api/academy/heroes/1/trends?days=7&rank=glory",
  "/api/academy/heroes/1/builds?lane=gold",
  "/api/academy/ranks/500",
  "/api/academy/heroes/ratings/3275335?lang=km",
];

const startTroubled = (trouble: Omit<Trouble, "form">, options: SampleOptions = {}) =>
  startSample({ heroes: 12, ...options, troubles: [{ form: "code", ...trouble }] });

/** Asks for a path so many times; says of each time if it met the trouble. */
async function askTimes({ url }: { url: string }, count: number, path = "/api/heroes"): Promise<boolean[]> {
  const met: boolean[] = [];
  for (const _ of upTo(count)) met.push((await ask({ url }, path)).body.code === 10407);
  return met;
}

describe("a trouble is of", () => {
  const cases: [of: Slices, met: number[]][] = [
    [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    [{ endpoint: `${HERO}/stats` }, [2]],
    [{ endpoint: [`${HERO}/stats`, "/api/academy/ranks/{rank_id}"] }, [2, 7]],
    [{ rank: "glory" }, [1, 2, 5]],
    [{ days: 7 }, [1, 3, 5]],
    [{ days: 7, rank: "glory" }, [1, 5]],
    [{ lang: "km" }, [0, 8]],
    [{ hero: 1 }, [4, 5, 6]],
    [{ hero: [1, 2], rank: "all" }, [3, 4, 6]],
    [{ lane: "gold" }, [6]],
    [{ rank_id: 500 }, [7]],
    [{ subject: "3275335" }, [8]],
    [{ subject: "3275335", lang: "en" }, []],
  ];
  test.for(cases)("%j, and of no other question", async ([of, expected]) => {
    await using sample = await startTroubled({ of });
    const met: number[] = [];
    for (const [place, path] of PATHS.entries()) if ((await ask(sample, path)).body.code === 10407) met.push(place);
    expect(met).toEqual(expected);
    expect(sample.asked(of)).toHaveLength(expected.length);
    expect(sample.log.filter(({ isAnswered }) => !isAnswered)).toEqual(sample.asked(of));
  });

  test("no question that is invalid", async () => {
    await using sample = await startTroubled({ of: {} });
    expect((await ask(sample, "/api/heroes/2/stats?rank=x")).status).toBe(422);
    expect((await ask(sample, "/api/x")).status).toBe(404);
    expect((await ask(sample, "/api/")).status).toBe(200);
  });
});

describe("a trouble is limited to", () => {
  test("the first times that a path is asked in a night", async () => {
    await using sample = await startTroubled({ of: {}, first: 2 });
    expect(await askTimes(sample, 3)).toEqual([true, true, false]);
    expect(await askTimes(sample, 3, "/api/heroes?lang=ja")).toEqual([true, true, false]);
    sample.set({ day: 0 });
    expect(await askTimes(sample, 3)).toEqual([true, true, false]);
  });

  test("a share of the questions, drawn by seed, day and form", async () => {
    const draw = async (options: SampleOptions = {}, form: Form = "code") => {
      await using sample = await startSample({ heroes: 1, ...options, troubles: [{ of: {}, form, share: 0.3 }] });
      await askTimes(sample, 60);
      return sample.log.map(({ isAnswered }) => isAnswered);
    };
    const drawn = await draw();
    const met = drawn.filter((isAnswered) => !isAnswered).length;
    expect([met > 8, met < 30]).toEqual([true, true]);
    expect(await draw()).toEqual(drawn);
    for (const other of [await draw({ seed: 2 }), await draw({ day: 1 }), await draw({}, "empty")])
      expect(other).not.toEqual(drawn);
  });

  test("none and all of them", async () => {
    for (const share of [0, 1]) {
      await using sample = await startTroubled({ of: {}, share });
      expect(new Set(await askTimes(sample, 20))).toEqual(new Set([share === 1]));
    }
  });

  test("some days", async () => {
    await using sample = await startTroubled({ of: {}, from: 2, until: 4 });
    const met: boolean[] = [];
    for (const day of upTo(5)) {
      sample.set({ day });
      met.push(...(await askTimes(sample, 1)));
    }
    expect(met).toEqual([false, true, true, false, false]);
  });

  test("some requests of each night, whatever they are for", async () => {
    await using sample = await startTroubled({ of: { lang: "en" }, after: 2, upTo: 4 });
    for (const day of [1, 2]) {
      sample.set({ day });
      await ask(sample, "/api/");
      expect(await askTimes(sample, 4)).toEqual([false, true, true, false]);
    }
  });

  test("the time until it is switched off", async () => {
    await using sample = await startSample({
      heroes: 2,
      onRequest: (ofNight) => ofNight === 2 && sample.set({ troubles: [{ of: {}, form: "code" }] }),
    });
    expect(await askTimes(sample, 3)).toEqual([false, true, true]);
    sample.set({ troubles: [] });
    expect(await askTimes(sample, 1)).toEqual([false]);
  });
});

describe("of several troubles", () => {
  test("the first that replies counts", async () => {
    const troubles: Trouble[] = [
      { of: { lang: "ja" }, form: "empty" },
      { of: {}, form: "code" },
    ];
    await using sample = await startSample({ heroes: 2, troubles });
    expect((await ask(sample, "/api/heroes?lang=ja")).body.code).toBe(0);
    expect((await ask(sample, "/api/heroes")).body.code).toBe(10407);
    expect(sample.log.map(({ forms }) => forms)).toEqual([["empty"], ["code"]]);
  });

  test("those that change an answer add up", async () => {
    const forms: Form[] = ["stranger", "size-cut 5", "total +3", "wsrv", "size-refused 10"];
    await using sample = await startSample({ heroes: 12, troubles: forms.map((form) => ({ of: {}, form })) });
    const { records, total } = await askPage(sample, "/api/heroes/rank?size=10&index=3");
    expect([records.length, total]).toEqual([3, 16]);
    expect(JSON.stringify(records)).toContain("https://wsrv.nl/?url=https");
    expect((await ask(sample, "/api/heroes/rank?size=11")).status).toBe(422);
    expect(sample.log.map((logged) => logged.forms)).toEqual([forms.slice(0, 4), ["size-refused 10"]]);
  });
});

describe("the memory of the sample", () => {
  test("counts what a night has asked, and how much of it was answered", async () => {
    await using sample = await startTroubled({ of: { rank: "glory" }, first: 1 });
    const count = (of: Slices) => [sample.asked(of).length, sample.asked(of).filter((one) => one.isAnswered).length];
    sample.set({ day: 3 });
    await askTimes(sample, 3, "/api/heroes/rank?rank=glory");
    await ask(sample, "/api/heroes");
    expect([count({}), count({ rank: "glory" }), count({ rank: "all" })]).toEqual([
      [4, 3],
      [3, 2],
      [0, 0],
    ]);
    sample.set({ heroes: 11 });
    expect(count({})).toEqual([4, 3]);
    sample.set({ day: 3 });
    expect(count({})).toEqual([0, 0]);
    expect(sample.log.map(({ day }) => day)).toEqual([3, 3, 3, 3]);
  });

  test("has the last answer of a path, on all its pages, until the end of a day", async () => {
    await using sample = await startSample({ heroes: 12 });
    const path = "/api/heroes/rank?rank=glory&lang=ja&size=5&index=2";
    expect(sample.lastAnswer(path)).toBeUndefined();
    const answers: unknown[] = [];
    for (const [day, form] of [
      [1, "wsrv"],
      [2, "stranger"],
      [3, "code"],
    ] as const) {
      sample.set({ day, troubles: [] });
      const { records } = await askPage(sample, "/api/heroes/rank?rank=glory&size=200");
      sample.set({ day, troubles: [{ of: { lang: "ja" }, form }] });
      const answer = await ask(sample, `/api/heroes/rank?rank=glory&lang=ja&size=200`);
      expect(sample.lastAnswer("/api/heroes/rank?rank=glory")).toEqual({ day, records });
      answers.push(answer.body.data?.records);
      await ask(sample, path);
    }
    sample.set({ day: 9, heroes: 5, troubles: [] });
    expect(sample.lastAnswer(path)).toEqual({ day: 2, records: answers[1] });
    expect(sample.lastAnswer(path, 2)).toEqual({ day: 2, records: answers[1] });
    expect(sample.lastAnswer(path, 1)).toEqual({ day: 1, records: answers[0] });
    expect(sample.lastAnswer(path, 0)).toBeUndefined();
    sample.set({ day: 1 });
    await ask(sample, path);
    expect(sample.lastAnswer(path, 1)?.records).toHaveLength(5);
  });

  test("has what came without pages as one record", async () => {
    await using sample = await startSample({ heroes: 12 });
    const { body } = await ask(sample, `${VOTES[0]}?lang=th`);
    expect(sample.lastAnswer(`${VOTES[0]}?lang=th`)).toEqual({ day: 0, records: [body.data] });
    expect(sample.lastAnswer(`${VOTES[0]}?lang=ja`)).toBeUndefined();
    expect(() => sample.lastAnswer("/api/x")).toThrow(RangeError);
  });

  test("knows a hero by each of his names as one", async () => {
    await using sample = await startSample({ heroes: 3 });
    await ask(sample, "/api/heroes/miya/relations");
    expect(sample.lastAnswer("/api/heroes/%20001/relations")?.records).toHaveLength(1);
  });
});

test.for([
  [{ of: { endpoint: "ratings" }, form: "code" }, "no answer has endpoint ratings"],
  [{ of: { endpoint: ["/api/heroes", "/api/"] }, form: "code" }, "no answer has endpoint /api/"],
  [{ of: { rank: "gold" }, form: "code" }, "no answer has rank gold"],
  [{ of: { days: 2 }, form: "code" }, "no answer has days 2"],
  [{ of: { hero: "miya" }, form: "code" }, "no answer has hero miya"],
  [{ of: { season: 1 }, form: "code" }, /^season is none of endpoint, hero, subject, rank_id, lane, rank, days, lang$/],
  [{ of: {}, form: "toString" }, /^toString is none of the forms code, /],
  [{ of: {}, form: "status 200" }, "status 200 is not in the form status N"],
  [{ of: {}, form: "status" }, "status is not in the form status N"],
  [{ of: {}, form: "code 1" }, "code 1 is not in the form code"],
  [{ of: {}, form: "moved b.example" }, "moved b.example is not in the form moved URL"],
  [{ of: {}, form: "code", share: 1.5 }, "share 1.5 bounds no trouble"],
  [{ of: {}, form: "code", first: -1 }, "first -1 bounds no trouble"],
  [{ of: {}, form: "code", from: 0.5 }, "from 0.5 bounds no trouble"],
  [{ of: {}, form: "code", often: 2 }, "often 2 bounds no trouble"],
] as const)("%j is no trouble", async ([trouble, message]) => {
  const troubles = [trouble] as unknown as Trouble[];
  await expect(startSample({ troubles })).rejects.toThrow(message);
  await using sample = await startSample({ heroes: 1 });
  expect(() => sample.set({ troubles })).toThrow(RangeError);
  expect(await askHeroIds(sample, "/api/heroes")).toEqual([1]);
});

test("the command takes troubles in words, and a hero whom no other route knows", async () => {
  const words = [
    ...["--trouble", "ratings,rating: code; all share=1 from=0: wsrv"],
    ...["--trouble", "/api/heroes/rank lang=en,ja rank=glory: moved http://b.example"],
    ...["--heroes", "4", "--unresolved", "1"],
  ];
  const { child, ended } = startCommand("sample", ["--port", "0", ...words]);
  try {
    const sample = { url: await readUrl({ child, ended }) };
    for (const path of ["/api/academy/heroes/ratings", "/api/academy/heroes/ratings/3275335"])
      expect((await ask(sample, path)).body.code).toBe(10407);
    expect((await ask(sample, "/api/heroes")).text).toContain("https://wsrv.nl/");
    expect((await ask(sample, "/api/heroes/rank?rank=glory&lang=ja")).status).toBe(301);
    expect([(await askPage(sample, "/api/heroes")).total, (await askPage(sample, "/api/heroes/rank")).total]).toEqual([
      4, 3,
    ]);
  } finally {
    child.kill();
    await ended;
  }
});
