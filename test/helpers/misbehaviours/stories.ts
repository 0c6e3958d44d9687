import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Reason } from "../../../src/api/faults.ts";
import { startSample } from "../../../src/extra/sample/service/server.ts";
import { fileOf, pointerOf } from "../data-folder.ts";
import { createRandom, SEED } from "../random.ts";
import { crawlOptions, type Ended, runCommand, startCommand, temporaryFolder } from "../run.ts";
import { queryFile } from "../sqlite.ts";
import { AT_STATS } from "./row.ts";
import { mixOf, type Rule } from "./rules.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "./table.ts";
import { startMisbehaving } from "./upstream.ts";

const EPOCH = { SOURCE_DATE_EPOCH: "1790000000" };

/** The sample of a few heroes, and before it an upstream that misbehaves. */
export async function startRough(heroes: number, options: Parameters<typeof startMisbehaving>[1] = {}) {
  const sample = await startSample({ heroes });
  const upstream = await startMisbehaving(sample.url, options);
  const stop = upstream[Symbol.asyncDispose];
  return Object.assign(upstream, {
    sample,
    async [Symbol.asyncDispose]() {
      await stop();
      await sample.close();
    },
  });
}

export const crawlAt = (upstream: string, data: string, ...more: readonly string[]) =>
  runCommand("crawl", [...crawlOptions(upstream, data), ...more], EPOCH);

export const eventsOf = (ended: Ended, name: string) => ended.events.filter(({ event }) => event === name);

/** True if the wrong answer is accepted when it stays after a second request: an oddity, and a wrong side that only other answers tell. */
const isTakenAtLast = (name: MisbehaviourName) =>
  name === "wrong-side" || MISBEHAVIOURS[name].reasons.some((reason) => reason === "odd" || reason === "empty");

/**
 * No hero is played on every lane: twenty second looks at such slices that find nothing are enough, and a lie that comes later is
 * believed. That is not recovered from.
 */
const WITHOUT_LANE = /^(?!.*[?&]lane=)/;

const ruleOf = (name: MisbehaviourName): Rule => ({
  name,
  ...(isTakenAtLast(name) && { oncePerPath: true }),
  ...(name === "empty-answer" && { match: WITHOUT_LANE }),
});

interface Report {
  failed_attempts: number;
  faults: Record<string, number>;
}

/** A crawl in which a share of all answers misbehave gives the same bytes as one without. */
export async function crawlThroughAll(
  heroes: number,
  names: readonly MisbehaviourName[],
  share: number,
  words: string[],
) {
  using calm = temporaryFolder();
  using rough = temporaryFolder();
  await using upstream = await startRough(heroes, { seed: SEED });
  expect((await crawlAt(upstream.url, calm.path, ...words)).code).toBe(0);
  upstream.reset();
  upstream.rules = mixOf(names.map(ruleOf), share);
  // Three failures in a row that asking again rarely helps take two attempts each, and a busy machine is late by itself.
  const patient = ["--timeout", "2", "--attempts", "20", "--concurrency", "32"];
  const ended = await crawlAt(upstream.url, rough.path, ...patient, ...words);
  expect([ended.code, ended.stderr], `SEED=${SEED}`).toEqual([0, ""]);
  expect(pointerOf(rough.path), `SEED=${SEED}`).toEqual(pointerOf(calm.path));
  const injected = upstream.counts();
  // Others have few answers that they can change.
  const common = names.filter((name) => MISBEHAVIOURS[name].at === AT_STATS);
  expect(common.filter((name) => injected[name] === undefined)).toEqual([]);
  const [report] = eventsOf(ended, "crawl") as unknown as Report[];
  if (!report) throw new Error("the crawl reports nothing");
  expectAttempts(report, injected);
}

/**
 * Each misbehaviour that is not borne is a failed attempt. Two may become one (a wrong total asks for a second page, which then
 * fails), and some are found out later, by not fitting the others. A busy machine may be late by itself.
 */
function expectAttempts({ failed_attempts, faults }: Report, injected: Partial<Record<MisbehaviourName, number>>) {
  const counts = (Object.entries(injected) as [MisbehaviourName, number][]).map(([name, count]) => {
    const [reason, ...others] = MISBEHAVIOURS[name].reasons;
    return { name, count, reason, isCertain: others.length === 0 };
  });
  const sumOf = (isCounted: (reason: Reason) => boolean) =>
    counts.reduce((total, { reason, count: times }) => total + (reason && isCounted(reason) ? times : 0), 0);
  const sum = sumOf((reason) => reason !== "timeout" && reason !== "empty");
  // An answer that came too late was changed for nothing.
  const late = Math.max(0, (faults.timeout ?? 0) - sumOf((reason) => reason === "timeout"));
  // An honest empty answer whose second look failed is one more, which nobody injected.
  const failed = failed_attempts - (faults.empty ?? 0) - (faults.timeout ?? 0);
  expect(failed, `SEED=${SEED}`).toBeLessThanOrEqual(sum);
  expect(failed, `SEED=${SEED}`).toBeGreaterThan(sum * 0.9 - late);
  for (const { name, count, reason, isCertain } of counts) {
    // A wrong side is found out at once only where an endpoint has one of the two.
    if (reason && isCertain && count >= 3 && name !== "wrong-side") expect(faults, name).toHaveProperty(reason);
  }
}

/** A crawl that is killed again and again at random moments gives the same bytes, and asks hardly anything twice. */
export async function crawlThroughKills(heroes: number, kills: number, requests: number, words: string[]) {
  using whole = temporaryFolder();
  using killed = temporaryFolder();
  const random = createRandom("kills of a crawl");
  let running: ReturnType<typeof startCommand> | undefined;
  let next = 0;
  await using upstream = await startRough(heroes, {
    onRequest: (n) => {
      if (running && n === next) running.child.kill("SIGKILL");
    },
  });
  const countRepeats = () => {
    // Each run reads the notices anew, and counts the heroes at its end.
    const asked = upstream.log.map(({ url }) => url).filter((url) => /^\/api\/(?!openapi|heroes\?size=1&)./.test(url));
    return asked.length - new Set(asked).size;
  };
  expect((await crawlAt(upstream.url, whole.path, ...words)).code).toBe(0);
  // Second looks at empty answers. Of a run that is killed, what was under way is asked for again.
  const looks = countRepeats();
  upstream.reset();
  for (let kill = 1; kill <= kills; kill += 1) {
    next = upstream.log.length + 1 + random.below(Math.floor(requests / kills));
    running = startCommand("crawl", [...crawlOptions(upstream.url, killed.path), ...words], EPOCH);
    expect((await running.ended).signal, `SEED=${SEED}, kill ${kill}`).toBe("SIGKILL");
    expect(existsSync(join(killed.path, "latest.json"))).toBe(false);
  }
  running = undefined;
  expect((await crawlAt(upstream.url, killed.path, ...words)).code).toBe(0);
  expect(pointerOf(killed.path), `SEED=${SEED}`).toEqual(pointerOf(whole.path));
  expect(countRepeats()).toBeLessThanOrEqual(looks + kills * 8);
}

/** A day that rolls over in mid-crawl leaves no table with two batches. */
export async function crawlOverMidnight(heroes: number, at: number, tables: number, words: string[]) {
  using folder = temporaryFolder();
  using later = temporaryFolder();
  await using upstream = await startRough(heroes, { onRequest: (n) => n === at && roll() });
  let roll = () => upstream.sample.set({ day: 1 });
  const ended = await crawlAt(upstream.url, folder.path, ...words);
  expect(ended.code).toBe(0);
  expect(eventsOf(ended, "asking-again").length).toBeGreaterThan(0);
  const stamps = queryFile(
    fileOf(folder.path),
    `SELECT count(DISTINCT json ->> '$._updatedAt') AS stamps FROM coverage JOIN record USING (slice_id)
     WHERE dataset IN ('counters', 'compatibility', 'stats') GROUP BY dataset, rank, days`,
  );
  expect(stamps).toEqual(Array(tables).fill({ stamps: 1 }));
  const unlike = queryFile(
    fileOf(folder.path),
    `WITH sent AS (SELECT dataset, slice, json FROM record JOIN coverage USING (slice_id))
     SELECT c.slice FROM sent AS r, sent AS c
     WHERE r.dataset = 'rank' AND c.dataset = 'counters'
       AND c.slice = 'hero=' || (r.json ->> '$.data.main_heroid') || '&' || r.slice
       AND r.json ->> '$.data.main_hero_win_rate' <> c.json ->> '$.data.main_hero_win_rate'`,
  );
  expect(unlike).toEqual([]);
  roll = () => {};
  expect((await crawlAt(upstream.url, later.path, ...words)).code).toBe(0);
  expect(pointerOf(folder.path)).toEqual(pointerOf(later.path));
}
