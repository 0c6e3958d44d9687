import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import type { Lang } from "../../../src/api/enumerations.ts";
import { Failure } from "../../../src/api/failure.ts";
import { FULL_SELECTION } from "../../../src/api/selection.ts";
import { crawl } from "../../../src/crawl/crawl.ts";
import { type BuildResult, buildAndPublish } from "../../../src/snapshot/pipeline.ts";
import { verifyFile } from "../../../src/snapshot/verify/verify.ts";
import { readExpected } from "../../../src/snapshot/verify/verify-process.ts";
import { startMirror } from "../mirror.ts";
import { temporaryFolder } from "../run.ts";
import { compareAnswers } from "./compare.ts";
import { type MutatingUpstream, startMutating } from "./mutating-upstream.ts";
import { linesOf, type Mutation } from "./mutations.ts";
import { drawQuestions } from "./questions.ts";
import { type Ended, type Event, explainFailure } from "./refusals.ts";

export const HEROES = 3;

/** The odd values in the first night; in the second, after a clean one; or in the first, before a clean one. */
export const NIGHTS = ["first", "second", "before"] as const;

export interface Run {
  nights: (typeof NIGHTS)[number];
  /** Besides English. */
  other: Lang;
  mutations: readonly Mutation[];
  /** Questions besides those that follow from the mutations. */
  also?: readonly string[];
}

export interface Proved {
  crawls: number;
  /** Those that apply, and are served as they came. */
  held: Mutation[];
  refused: { mutation: Mutation; reason: string }[];
}

const START = Date.UTC(2026, 10, 1, 3);
const DAY = 24 * 3600 * 1000;

/** Proves runs with one upstream; a clean first night is made once for each language. */
export async function createProver() {
  const upstream = await startMutating(HEROES);
  const bases = new Map<Lang, ReturnType<typeof temporaryFolder>>();

  async function baseOf(other: Lang): Promise<string> {
    const known = bases.get(other) ?? temporaryFolder();
    if (bases.has(other)) return known.path;
    bases.set(other, known);
    upstream.set([]);
    publishedBy(await crawlNight(upstream, known.path, other, 0));
    return known.path;
  }

  /** Throws where a crawl ends or is served otherwise than it should. */
  async function prove(run: Run): Promise<Proved> {
    const refused: Proved["refused"] = [];
    for (let crawls = 1; ; crawls += 1) {
      const left = run.mutations.filter((one) => !refused.some(({ mutation }) => mutation === one));
      using folder = temporaryFolder();
      if (run.nights === "second") cpSync(await baseOf(run.other), folder.path, { recursive: true });
      const before = listPublished(folder.path);
      upstream.set(left);
      const ended = await crawlNight(upstream, folder.path, run.other, 1);
      if (!ended.failure) {
        const held = await proveServed(run, left, folder.path, publishedBy(ended));
        return { crawls: run.nights === "before" ? crawls + 1 : crawls, held, refused };
      }
      if (String(listPublished(folder.path)) !== String(before)) throw new Error("a refused crawl was published");
      refused.push(...(await explainFailure(upstream, ended)));
    }
  }

  async function proveServed(
    { other, nights, also = [] }: Run,
    left: readonly Mutation[],
    data: string,
    night: BuildResult,
  ) {
    const { paths, seen } = await drawQuestions(upstream, left, ["en", other]);
    const questions = [...paths, ...also];
    await compareServed(upstream, night, questions);
    if (nights === "before") {
      upstream.set([]);
      await compareServed(upstream, publishedBy(await crawlNight(upstream, data, other, 2)), questions);
    }
    return seen;
  }

  return {
    upstream,
    baseOf,
    prove,
    async [Symbol.asyncDispose]() {
      for (const folder of bases.values()) folder[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

export type Prover = Awaited<ReturnType<typeof createProver>>;

/** One night in this process, of all endpoints in one rank and window. */
async function crawlNight(upstream: MutatingUpstream, data: string, other: Lang, day: number): Promise<Ended> {
  const events: Event[] = [];
  const log = (event: string, facts?: object) => void events.push({ event, ...facts });
  const progress = { log, begin() {}, advance() {}, end() {} };
  const selection = {
    ...FULL_SELECTION,
    languages: ["en" as const, other],
    ranks: ["all" as const],
    days: ["7" as const],
  };
  const pace = { concurrency: 8, rate: 100_000, timeoutMs: 20_000, attempts: 1, fresh: true };
  // The time decides which slices are asked in the other language as a proof: here the same in every run.
  const options = {
    upstreams: [upstream.url],
    data,
    selection,
    ...pace,
    lastPublished: 0,
    startedAt: new Date(START + day * DAY),
  };
  try {
    const journal = await crawl(options, progress, new AbortController().signal);
    return { events, night: await buildAndPublish(journal, data, { latest: true }) };
  } catch (error) {
    if (error instanceof Failure && error.exit !== 1) return { events, failure: error };
    throw error;
  }
}

function publishedBy({ night, failure }: Ended): BuildResult {
  if (night) return night;
  throw new Error(`exit ${failure?.exit}: ${failure?.message}`, { cause: failure });
}

const listPublished = (data: string): string[] => {
  const folder = join(data, "snapshots");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

/** Asks the snapshot over a socket, and the upstream the same. */
async function compareServed(upstream: MutatingUpstream, { file, changed }: BuildResult, questions: readonly string[]) {
  await verify(file);
  await using mirror = await startMirror(file);
  // Nothing but digits has changed since the night before, whose digits are served.
  const strictness = { digits: changed };
  for (const question of questions) {
    const [ours, theirs] = await Promise.all([get(mirror.url + question), get(upstream.url + question)]);
    if (ours.status !== theirs.status)
      throw new Error(`${question}: ${ours.status}, not ${theirs.status}: ${ours.body}`);
    if (ours.status !== 200) continue;
    const difference = compareAnswers(ours.body, theirs.body, strictness);
    if (difference !== undefined) throw new Error(`${question}: is served otherwise at ${difference}`);
  }
  if (mirror.faults.length > 0) throw new Error(`the server failed: ${mirror.faults[0]}`, { cause: mirror.faults[0] });
}

async function verify(file: string) {
  const failed = (await verifyFile(file, readExpected(file))).checks.filter(({ state }) => state === "FAILED");
  if (failed.length > 0)
    throw new Error(`verify: ${failed.map(({ name, figure }) => `${name}: ${figure}`).join("; ")}`);
}

async function get(url: string) {
  const { statusCode, body } = await request(url);
  return { status: statusCode, body: await body.text() };
}

/** The run with as few mutations as still fail, found by halves. */
export async function narrow(prover: Prover, run: Run, error: Error): Promise<{ run: Run; error: Error }> {
  const { mutations } = run;
  if (mutations.length < 2) return { run, error };
  const middle = Math.ceil(mutations.length / 2);
  for (const half of [mutations.slice(0, middle), mutations.slice(middle)]) {
    const failed = await failureOf(prover, { ...run, mutations: half });
    if (failed) return narrow(prover, { ...run, mutations: half }, failed);
  }
  return { run, error };
}

/** What keeps a run from being proved; adds what was proved to the sums. */
export async function failureOf(prover: Prover, run: Run, sums?: Proved): Promise<Error | undefined> {
  try {
    const { crawls, held, refused } = await prover.prove(run);
    if (!sums) return undefined;
    sums.crawls += crawls;
    sums.held.push(...held);
    sums.refused.push(...refused);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The command that repeats a run. */
export const toCommand = ({ nights, other, mutations }: Run): string =>
  `NIGHT=${nights} LANGUAGE=${other} MUTATIONS='${linesOf(mutations)}' vitest run test/crawl/odd-values.test.ts -t repeated`;
