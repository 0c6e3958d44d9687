import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reason } from "../../src/api/faults.ts";
import { startCourt } from "../helpers/misbehaviours/judge.ts";
import { AT_ALL, AT_LIST, noList } from "../helpers/misbehaviours/row.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "../helpers/misbehaviours/table.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";

let court: Awaited<ReturnType<typeof startCourt>>;
beforeAll(async () => {
  court = await startCourt((words) => runCommand("crawl", words));
});
afterAll(() => court[Symbol.asyncDispose]());

/** A table of reasons and codes: one row for each that a crawl can end with. The proof has all rows. */
const ROWS = firstOfEach(
  (Object.keys(MISBEHAVIOURS) as MisbehaviourName[]).filter((name) => !MISBEHAVIOURS[name].slow),
  (name) => [MISBEHAVIOURS[name].reasons, MISBEHAVIOURS[name].code, MISBEHAVIOURS[name].same, isWaitedFor(name)].join(),
);

function firstOfEach<T>(all: readonly T[], toKind: (one: T) => string): T[] {
  const firsts = new Map<string, T>();
  for (const one of all) if (!firsts.has(toKind(one))) firsts.set(toKind(one), one);
  return [...firsts.values()];
}

function isWaitedFor(name: MisbehaviourName) {
  const { reasons, args } = MISBEHAVIOURS[name];
  return reasons.includes("timeout") || args?.includes("--max-time");
}

describe("a crawl that meets it ends as it must", () => {
  test.for(ROWS.filter((name) => !isWaitedFor(name)))("%s", async (name) => {
    expect(await court.judge(name, MISBEHAVIOURS[name]), MISBEHAVIOURS[name].does).toEqual([]);
  });
});

describe("a crawl that waits for it ends in time", () => {
  test.concurrent.for(ROWS.filter(isWaitedFor))("%s", async (name) => {
    expect(await court.judge(name, MISBEHAVIOURS[name]), MISBEHAVIOURS[name].does).toEqual([]);
  });
});

describe("without a list of heroes a crawl ends", () => {
  test.for<[MisbehaviourName, Reason, number]>([
    ["reset", "unreachable", 4],
    ["length-twice", "not-http", 4],
    ["rate-limited", "rate-limited", 4],
    ["blocked", "blocked", 4],
    ["maintenance", "unavailable", 4],
    ["server-error", "server-error", 4],
    ["redirect", "redirected", 4],
    ["status-204", "rejected", 4],
    ["html", "wrong-type", 4],
    ["not-found", "refused", 3],
    ["endless-body", "oversized", 3],
    ["truncated-json", "not-json", 3],
    ["no-records", "wrong-total", 3],
    ["null", "wrong-envelope", 6],
  ])("after %s (%s) with %d", async ([name, reason, code]) => {
    const row = { ...MISBEHAVIOURS[name], reasons: [reason], at: AT_LIST, code, says: noList(reason) };
    expect(await court.judge(name, row)).toEqual([]);
  });

  test.concurrent.for(["hang", "drip"] as const)("after %s everywhere with 4", async (name) => {
    expect(await court.judge(name, { ...MISBEHAVIOURS[name], at: AT_ALL, code: 4, says: noList("timeout") })).toEqual(
      [],
    );
  });

  const addresses: [what: string, url: (port: number) => string, reason: Reason][] = [
    ["a port where nobody listens", () => "http://127.0.0.1:9", "unreachable"],
    ["a port that never greets", (port) => `https://127.0.0.1:${port}`, "timeout"],
  ];
  test.for(addresses)("at %s with 4", async ([, url, reason]) => {
    using folder = temporaryFolder();
    await using silent = await startServer(() => {}, { raw: true });
    const options = [...crawlOptions(url(silent.port), folder.path), "--timeout", "2", "--attempts", "1"];
    const { code, stderr } = await runCommand("crawl", options);
    expect([code, stderr]).toEqual([4, expect.stringMatching(noList(reason))]);
  });
});
