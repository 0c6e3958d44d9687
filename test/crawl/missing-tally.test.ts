import { describe, expect, test } from "vitest";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { describePart } from "../../src/api/parts.ts";
import { drawDifferent } from "../../src/crawl/ask/queue.ts";
import { createTally, type Tally } from "../../src/crawl/missing/tally.ts";
import { planNightOf, selectWhere } from "../helpers/planned-night.ts";

const { slices } = planNightOf("heroes,rank,relations,stats,trends,counters", 80);
const ids = new Map(slices.map((slice, id) => [sliceId(slice), id]));
const idOf = (slice: Slice) => ids.get(sliceId(slice)) ?? -1;

/**
 * A sentence of what a run hears: `20 of trends rank=all answer` are the next of these slices in the order of the plan, `3 different of
 * stats fail` are those that differ most, `3 loud of stats fail` say nothing of their part, and `20 witnesses answer`.
 */
type Heard = string;

const HEARD = /^(\d+) (?:(witnesses)|(different |loud )?of (.+)) (answer|fail)$/;

function hear(heard: readonly Heard[]): Tally {
  const tally = createTally();
  tally.expect(slices);
  const used = new Set<Slice>();
  for (const sentence of heard) {
    const [, count = "", isWitness, how = "", where = "", what = ""] = HEARD.exec(sentence) ?? [];
    if (isWitness) {
      for (let n = 0; n < Number(count); n += 1) tally.witnessed(what === "answer");
      continue;
    }
    const members = selectWhere(slices, [where]).filter((slice) => !used.has(slice));
    const different = drawDifferent(how === "different " ? members.map((slice) => ({ slice })) : [], Number(count)).map(
      ({ slice }) => slice,
    );
    const chosen = how === "different " ? different : members.slice(0, Number(count));
    expect(chosen.length, sentence).toBe(Number(count));
    for (const slice of chosen) {
      used.add(slice);
      if (what === "answer") tally.answered({ id: idOf(slice), slice });
      else tally.failed({ id: idOf(slice), slice }, "refused", how !== "loud ");
    }
  }
  return tally;
}

describe("a run hears of slices, and has these parts closed", () => {
  test.for<[closed: readonly string[], heard: readonly Heard[]]>([
    [["relations"], ["3 different of relations fail", "20 of trends answer"]],
    [["counters"], ["3 different of counters fail", "20 witnesses answer"]],
    [["relations"], ["3 different of relations fail", "10 of trends answer", "10 witnesses answer"]],
    // The first failure counts.
    [["relations"], ["1 of relations fail", "20 of trends answer", "2 of relations fail"]],
    [["rank glory in counters"], ["3 different of counters rank=glory fail", "20 of counters rank=all answer"]],
    [["hero 5 in counters"], ["3 different of counters hero=5 fail", "20 of counters hero=6,7,8,9,10 answer"]],
    [
      ["hero 5"],
      [
        ...["3 different of counters hero=5 fail", "1 of relations hero=5 fail", "1 of stats hero=5 fail"],
        ...["1 of trends hero=5 fail", "4 of counters hero=6 answer", "1 of relations hero=6 answer"],
        ...["20 of stats rank=all hero=6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26 answer"],
        "1 of trends hero=6 answer",
      ],
    ],
    [["heroes"], ["3 of heroes lang=ja,km,de fail", "20 of trends answer"]],
    // Too few, too much alike, or too few others.
    [[], ["2 different of relations fail", "20 of trends answer"]],
    [[], ["3 of counters rank=all days=1 fail", "20 of trends answer"]],
    [[], ["3 different of relations fail", "19 of trends answer"]],
    [[], ["3 different of relations fail", "30 witnesses fail"]],
    [[], ["3 loud of relations fail", "20 of trends answer"]],
    // Something of it was answered, before or after.
    [[], ["1 of relations answer", "3 different of relations fail", "20 of trends answer"]],
    [[], ["3 different of relations fail", "20 of trends answer", "1 of relations answer"]],
  ])("%j: %j", ([closed, heard]) => {
    expect(
      hear(heard)
        .closedParts()
        .map(({ part }) => describePart(part)),
    ).toEqual(closed);
  });
});

describe("a run hears of slices, and goes on, asks a witness, or ends", () => {
  test.for<[then: "goes on" | "asks a witness" | "ends", heard: readonly Heard[]]>([
    ["goes on", ["17 of relations fail", "16 of stats fail", "16 of trends fail"]],
    ["ends", ["17 of relations fail", "17 of stats fail", "16 of trends fail"]],
    ["goes on", ["17 of relations fail", "1 witnesses answer", "17 of stats fail", "16 of trends fail"]],
    ["asks a witness", ["25 of relations fail", "25 of stats fail"]],
    ["goes on", ["25 of relations fail", "25 of stats fail", "1 witnesses answer"]],
    ["asks a witness", ["25 of relations fail", "25 of stats fail", "2 witnesses fail"]],
    ["ends", ["25 of relations fail", "25 of stats fail", "3 witnesses fail"]],
    ["asks a witness", ["50 loud of relations fail"]],
    // Fewer than a tenth of two hundred.
    [
      "ends",
      [
        "19 of trends answer",
        "60 of counters fail",
        "1 witnesses fail",
        ...many(4, "30 of counters fail", "1 witnesses fail"),
      ],
    ],
    ["goes on", many(10, "2 of trends answer", "18 of counters fail")],
    ["goes on", many(40, "1 witnesses answer", "7 of counters fail")],
    ["ends", many(14, "1 of trends answer", "15 of counters fail")],
  ])("%s: %j", ([then, heard]) => {
    const tally = hear(heard);
    const came = tally.dead() ? "ends" : tally.needsWitness() ? "asks a witness" : "goes on";
    expect(came).toBe(then);
  });
});

describe("a failure is vouched for", () => {
  test.for<[ids: number, lacking: number, heard: readonly Heard[]]>([
    [0, 0, ["5 of trends answer"]],
    [3, 0, ["3 of relations fail", "20 of trends answer"]],
    [0, 1, ["3 of relations fail", "19 of trends answer"]],
    [3, 10, ["3 of relations fail", "10 of trends answer", "2 of stats fail", "10 witnesses answer"]],
    [0, 20, ["3 of relations fail", "20 witnesses fail"]],
    [0, 0, ["3 loud of relations fail"]],
  ])("%d, and %d witnesses are lacking: %j", ([count, lacking, heard]) => {
    const vouched = hear(heard).vouched();
    expect([vouched.ids.length, vouched.lacking]).toEqual([count, lacking]);
  });
});

test("an endpoint is troubled after three failures in a row, and attempts count until the slice answers", () => {
  const tally = hear(["2 of stats fail", "1 of trends fail"]);
  expect(["stats", "trends"].map(tally.isTroubled)).toEqual([false, false]);
  const [first] = selectWhere(slices, ["counters hero=1"]);
  if (!first) throw new Error("counters are planned");
  expect([1, 1, 2].map((attempts) => tally.tried(1, attempts))).toEqual([false, false, true]);
  expect(tally.triesOf(1)).toBe(4);
  tally.answered({ id: 1, slice: first });
  expect(tally.triesOf(1)).toBe(0);
});

function many(times: number, ...heard: readonly Heard[]): Heard[] {
  return Array.from({ length: times }, () => heard).flat();
}
