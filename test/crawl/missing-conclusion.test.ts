import { describe, expect, test } from "vitest";
import { sliceId } from "../../src/api/endpoint.ts";
import { type ClosedPart, describePart, isInPart, type Part } from "../../src/api/parts.ts";
import type { BaseFacts } from "../../src/journal/conclusion/base-facts.ts";
import { conclude } from "../../src/journal/conclusion/conclusion.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openPlanned, planNightOf, STARTED_AT, selectWhere, type Where } from "../helpers/planned-night.ts";

const whole = planNightOf("heroes,rank,relations,stats,trends,counters,compatibility", 12);
const BEFORE = { since: "2026-07-20T04:00:00.000Z", since_version: "20260720T040000Z-abcdef01" };

interface Case {
  missing: readonly Where[];
  /** Failed with the whole upstream, as far as anybody can tell. */
  unvouched?: readonly Where[];
  /** Of what is missing, with another fault. */
  late?: readonly Where[];
  /** The slices of `missing` that the run did not ask for, because it had closed a part that holds them. */
  unasked?: readonly Where[];
  /** Empty answers. */
  empty?: readonly Where[];
  /** Parts that the base has closed: all that is missing of them is asked by probes only. */
  base?: readonly Part[];
  /** Closed parts as they are reported; `(new)`: since this night. */
  closed: readonly string[];
  singles: number;
}

const endpoint = (dataset: string): Part => ({ dataset, dimension: "", value: "" });
const part = (dataset: string, dimension: Part["dimension"], value: string): Part => ({ dataset, dimension, value });

const GREEDY: Record<string, Case> = {
  "nothing is missing": { missing: [], closed: [], singles: 0 },
  "two slices are no part": { missing: ["relations hero=1,2"], closed: [], singles: 2 },
  "an endpoint that lacks a tenth is well": { missing: ["trends hero=1,2 rank=all"], closed: [], singles: 2 },
  "an endpoint that lacks more than a tenth is closed": {
    missing: ["counters rank=all days=1 hero=1,2,3,4,5"],
    closed: ["counters (new)"],
    singles: 0,
  },
  "a small endpoint of which two slices are missing is not": { missing: ["rank rank=all"], closed: [], singles: 2 },
  "a language": { missing: ["lang=km"], closed: [], singles: 1 },
  "a rank explains what all endpoints lack of it": {
    missing: ["rank=glory"],
    closed: ["rank glory (new)"],
    singles: 0,
  },
  "a rank of one endpoint": { missing: ["stats rank=glory"], closed: ["rank glory in stats (new)"], singles: 0 },
  "a window of two endpoints is a part of each": {
    missing: ["compatibility days=7", "counters days=7"],
    closed: ["days 7 in compatibility (new)", "days 7 in counters (new)"],
    singles: 0,
  },
  "a hero": { missing: ["hero=5"], closed: ["hero 5 (new)"], singles: 0 },
  "a hero of one endpoint": { missing: ["counters hero=5"], closed: ["hero 5 in counters (new)"], singles: 0 },
  "an endpoint and a hero, of which each explains what the other does not": {
    missing: ["relations", "hero=5"],
    closed: ["hero 5 (new)", "relations (new)"],
    singles: 0,
  },
  "an endpoint that answers for one hero of twelve": {
    missing: ["relations hero=2,3,4,5,6,7,8,9,10,11,12"],
    closed: ["relations (new)"],
    singles: 0,
  },
  "nine tenths of a rank is the rank": {
    missing: ["stats rank=glory hero=1,2,3,4,5,6,7,8,9,10,11"],
    closed: ["rank glory in stats (new)"],
    singles: 0,
  },
  "an endpoint of which two ranks are missing is the endpoint": {
    missing: ["stats"],
    closed: ["stats (new)"],
    singles: 0,
  },
  "lists of heroes without the English one": {
    missing: ["heroes lang=ja,km,de"],
    closed: ["heroes (new)"],
    singles: 0,
  },
  "what failed with the whole upstream closes nothing": {
    missing: [],
    unvouched: ["stats"],
    closed: [],
    singles: 24,
  },
  "of a part that is closed also those are explained that nobody vouches for": {
    missing: ["relations hero=1,2,3,4,5,6,7,8,9,10,11"],
    unvouched: ["relations hero=12"],
    closed: ["relations (new)"],
    singles: 0,
  },
  "an endpoint with records of none": { missing: [], empty: ["stats"], closed: ["stats (new)"], singles: 0 },
  "empty slices of an endpoint with records": {
    missing: [],
    empty: ["stats hero=1,2,3,4"],
    closed: [],
    singles: 0,
  },
};

const AFTER_A_BASE: Record<string, Case> = {
  "a part that was closed stays so, and is not new": {
    base: [endpoint("relations")],
    missing: ["relations"],
    closed: ["relations"],
    singles: 0,
  },
  "a part of a closed part is not new": {
    base: [endpoint("counters")],
    missing: ["counters hero=5"],
    closed: ["hero 5 in counters"],
    singles: 0,
  },
  "a part around a closed part is new": {
    base: [part("stats", "rank", "glory")],
    missing: ["rank=glory"],
    closed: ["rank glory (new)"],
    singles: 0,
  },
  "beside a closed part another one": {
    base: [endpoint("relations")],
    missing: ["relations", "counters hero=3"],
    closed: ["hero 3 in counters (new)", "relations"],
    singles: 0,
  },
  "of two parts that explain as much the one that was closed": {
    base: [part("", "hero", "5")],
    missing: ["hero=5"],
    closed: ["hero 5"],
    singles: 0,
  },
  "what is left of a closed part is single": {
    base: [endpoint("relations")],
    missing: ["relations hero=3"],
    closed: [],
    singles: 1,
  },
  "a table that had records and has none": {
    base: [],
    missing: [],
    empty: ["stats rank=glory"],
    closed: ["rank glory in stats (new)"],
    singles: 0,
  },
};

describe.for([
  ["of a first night", GREEDY],
  ["after a base", AFTER_A_BASE],
] as const)("what is missing is concluded %s", ([, cases]) => {
  test.for(Object.entries(cases))("%s", async ([, { closed, singles, ...told }]) => {
    const { parts, missing } = await concludeCase(told);
    const said = parts.map(({ isNew, ...one }) => `${describePart(one)}${isNew ? " (new)" : ""}`).sort();
    const left = [...missing.values()].filter((one) => one.part === undefined).length;
    expect({ closed: said, singles: left }).toEqual({ closed, singles });
    for (const one of parts) expect(one).toMatchObject(one.isNew ? { since: STARTED_AT, since_version: null } : BEFORE);
  });
});

test("a part has the fault that most of its slices ended with", async () => {
  const { parts, endpoints } = await concludeCase({ missing: ["relations"], late: ["relations hero=1,2,3"] });
  expect(parts).toMatchObject([{ dataset: "relations", reason: "refused", status: null, code: null }]);
  expect(endpoints.map(({ dataset, state }) => `${dataset} ${state}`)).toContain("relations closed");
});

test("a part of which no slice was asked has the fault of the base", async () => {
  const { parts, missing } = await concludeCase({ base: [endpoint("relations")], missing: ["relations"] });
  expect(parts).toMatchObject([{ reason: "refused", status: 404, code: null }]);
  expect(new Set([...missing.values()].map(({ reason }) => reason))).toEqual(new Set(["refused"]));
});

test("a rank that only one endpoint has is closed in that endpoint, not in all", async () => {
  const { parts } = await concludeCase({ missing: ["rank=glory"] }, planNightOf("heroes,stats", 12));
  expect(parts.map(describePart)).toEqual(["rank glory in stats"]);
});

test("what was not asked since the run had closed a wider part has the fault of what is most like it", async () => {
  const { parts, missing } = await concludeCase({
    missing: ["counters hero=5", "compatibility hero=5", "stats hero=5", "relations hero=1"],
    late: ["relations hero=1"],
    unasked: ["compatibility hero=5", "stats hero=5"],
  });
  const part = { dimension: "hero", value: "5", reason: "refused" };
  expect(parts).toMatchObject([
    { ...part, dataset: "compatibility" },
    { ...part, dataset: "counters" },
  ]);
  const reasons = [...missing.values()].map(({ stored, reason }) => `${stored.slice.dataset} ${reason}`);
  expect([...new Set(reasons)].sort()).toEqual([
    "compatibility refused",
    "counters refused",
    "relations timeout",
    "stats refused",
  ]);
});

async function concludeCase(
  { missing, unvouched = [], late = [], unasked = [], empty = [], base }: Omit<Case, "closed" | "singles">,
  plan = whole,
) {
  const journal = openPlanned(plan);
  const lost = selectWhere(plan.slices, missing);
  const known = new Set(
    lost.filter((slice) => base?.some((closed) => isInPart(closed, slice))).map((slice) => sliceId(slice)),
  );
  const failing = new Set([...lost, ...selectWhere(plan.slices, unvouched)].map(sliceId));
  const vouched = new Set(lost.map(sliceId));
  const slow = new Set(selectWhere(plan.slices, late).map(sliceId));
  const skipped = new Set(selectWhere(plan.slices, unasked).map(sliceId));
  const hollow = new Set(selectWhere(plan.slices, empty).map(sliceId));
  for (const { id, slice } of [...journal.slices()]) {
    const name = sliceId(slice);
    if (known.has(name)) journal.setPurpose([id], "closed");
    else if (skipped.has(name)) journal.vouch([id]);
    else if (failing.has(name)) journal.markFailed(id, slow.has(name) ? "timeout" : "refused");
    else await answer(journal, id, hollow.has(name) ? 0 : 3);
    if (vouched.has(name) && !known.has(name)) journal.vouch([id]);
  }
  return conclude(journal, base && factsOf(base, known));
}

const answer = (journal: Journal, id: number, records: number) =>
  journal.saveAnswer(id, 1, { host: "http://127.0.0.1:9", at: 0, body: Buffer.from("{}") }, { records });

const factsOf = (closed: readonly Part[], lacking: ReadonlySet<string>): BaseFacts => ({
  rows: new Map(
    whole.slices.map((slice) => {
      const name = sliceId(slice);
      return [name, { status: "captured", reason: lacking.has(name) ? "refused" : null }];
    }),
  ),
  closed: closed.map((one): ClosedPart => ({ ...one, ...BEFORE, reason: "refused", status: 404, code: null })),
  endpoints: [],
});
