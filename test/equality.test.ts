import fc from "fast-check";
import { Agent, request } from "undici";
import { expect, inject, test } from "vitest";
import { openSnapshot } from "../src/snapshot/read.ts";
import { startMirror } from "./mirror.ts";
import { validQuery } from "./queries.ts";

const RUNS = 4000;

test(`the mirror answers ${RUNS} random valid queries as the upstream does`, async () => {
  const upstream = inject("upstream");
  await using mirror = await startMirror(inject("snapshot"));
  const snapshot = openSnapshot(inject("snapshot"));
  const list = await fetch(`${upstream}/api/academy/heroes/ratings`);
  const { data } = (await list.json()) as { data: { list: { subject: number }[] } };
  const subjects = data.list.map(({ subject }) => String(subject));
  const dispatcher = new Agent();
  const ask = async (base: string, query: string) => {
    const { statusCode, body } = await request(base + query, { dispatcher });
    const { traceID: _, ...answer } = (await body.json()) as Record<string, unknown>;
    return { http: statusCode, ...answer };
  };
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  // biome-ignore lint/suspicious/noConsole: the seed repeats a failed run, SEED=… vitest run
  console.log(`seed ${seed}`);
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(validQuery(snapshot.names, subjects), async (query) => {
    const [theirs, ours] = await Promise.all([ask(upstream, query), ask(mirror.url, query)]);
    statuses.set(theirs.http, (statuses.get(theirs.http) ?? 0) + 1);
    expect(ours, query).toEqual(theirs);
  });
  try {
    await fc.assert(property, { numRuns: RUNS, seed });
    expect([...statuses]).toEqual([[200, RUNS]]);
    expect(mirror.faults).toEqual([]);
  } finally {
    snapshot.close();
    await dispatcher.close();
  }
});
