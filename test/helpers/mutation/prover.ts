import { cpSync } from "node:fs";
import { request } from "undici";
import { expect } from "vitest";
import { neededFields } from "../../../src/api/body/needed-fields.ts";
import { type Endpoint, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../../src/api/endpoints.ts";
import { FULL_SELECTION, type Selection } from "../../../src/api/selection.ts";
import { crawl } from "../../../src/crawl/crawl.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";
import { readJson } from "../json.ts";
import { startMirror } from "../mirror.ts";
import { temporaryFolder } from "../run.ts";
import { toRequest } from "../slice-requests.ts";
import { datasetOf, type Mutation, toOddLine } from "./mutate.ts";
import { startMutating, toWhole } from "./upstream.ts";

const HEROES = 3;
const SELECTION: Selection = { ...FULL_SELECTION, languages: ["en", "ja"], ranks: ["all"], days: ["7"] };
const START = Date.UTC(2026, 10, 1, 3);
const DAY = 24 * 3600 * 1000;

/** Odd values in the first night; in the second, after a clean one; or in the first, before a clean one. */
export type WhichNight = "first" | "second" | "before";

/** Proves that odd values are taken, archived and served as they were sent. A clean first night is made once. */
export async function startProver() {
  const upstream = await startMutating(HEROES);
  const base = temporaryFolder();
  await crawlNight(base.path, 0);

  /** All endpoints in one rank and window; the file that was published. */
  async function crawlNight(data: string, day: number): Promise<string> {
    const faults: string[] = [];
    const log = (event: string, facts?: object) => event === "fault" && faults.push(JSON.stringify(facts));
    const progress = { log, begin() {}, advance() {}, end() {} };
    const pace = { concurrency: 8, rate: 100_000, timeoutMs: 20_000, attempts: 1, fresh: true, lastPublished: 0 };
    // The time decides which slices are asked in the other language as a proof: here the same in every run.
    const startedAt = new Date(START + day * DAY);
    const options = { upstreams: [upstream.url], data, selection: SELECTION, ...pace, startedAt };
    try {
      const journal = await crawl(options, progress, new AbortController().signal);
      return (await buildAndPublish(journal, data, { latest: true })).file;
    } catch (error) {
      throw new Error(`${error}\n${faults.join("\n")}`, { cause: error });
    }
  }

  return {
    upstream,
    /** The mutations that apply to nothing. Throws where a night is not published, or serves something else than was sent. */
    async prove(mutations: readonly Mutation[], nights: WhichNight = "first", also: readonly string[] = []) {
      using folder = temporaryFolder();
      if (nights === "second") cpSync(base.path, folder.path, { recursive: true });
      upstream.set(mutations);
      try {
        const file = await crawlNight(folder.path, 1);
        const applied = new Set(upstream.sent().flatMap((sent) => sent.mutations));
        const questions = [...questionsOf(upstream.sent(), mutations), ...also];
        await expectServed(file, upstream.url, questions);
        if (nights === "before") {
          upstream.set([]);
          await expectServed(await crawlNight(folder.path, 2), upstream.url, questions);
        }
        return mutations.filter((one) => !applied.has(one)).map(toOddLine);
      } catch (error) {
        throw new Error(`${mutations.map(toOddLine).join("\n")}\n${(error as Error).message}`, { cause: error });
      }
    },
    async [Symbol.asyncDispose]() {
      base[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Asks the snapshot over a socket, and the upstream the same. That it fits itself was proved before it was published. */
async function expectServed(file: string, upstream: string, questions: readonly string[]) {
  await using mirror = await startMirror(file);
  for (const question of questions) {
    const [ours, theirs] = await Promise.all([readAnswer(mirror.url + question), readAnswer(upstream + question)]);
    expect(ours, question).toEqual(theirs);
  }
  expect(mirror.faults).toEqual([]);
}

/** The parts of an answer that are no noise, to the digit. */
async function readAnswer(url: string) {
  const { statusCode: status, body } = await request(url);
  const answer = readJson(await body.text()) as Record<string, unknown>;
  return status === 200 ? { status, code: answer.code, data: answer.data } : { status };
}

type Sent = ReturnType<Awaited<ReturnType<typeof startMutating>>["sent"]>[number];

/** Questions for each slice in which something is odd, in both languages: all records, a page, other orders and filters. */
function questionsOf(sent: readonly Sent[], mutations: readonly Mutation[]): string[] {
  const odd = sent.filter(({ slice }) => mutations.some((one) => datasetOf(one) === slice.dataset));
  const slices = odd.flatMap(({ slice }) => SELECTION.languages.map((lang): Slice => ({ ...slice, lang })));
  return [...new Map(slices.map((slice) => [sliceId(slice), slice])).values()]
    .filter((slice) => isKnown(slice, mutations))
    .flatMap((slice) => [toWhole(slice), toRequest(slice, { size: 2, index: 2 }), ...arrangementsOf(slice, mutations)]);
}

/**
 * Tells whether a crawl can know what an answer is in its language. An answer that is asked in English alone and is odd there alone,
 * or that shows a list which is odd in the other language alone, is found by the proof of languages or not at all.
 */
function isKnown({ dataset, lang }: Slice, mutations: readonly Mutation[]): boolean {
  const { text } = endpointOf(dataset);
  if (text === "all" || lang === "en") return true;
  const lists = text === "none" ? [] : text.map(({ list }) => list);
  return !mutations.some((one) => {
    const of = datasetOf(one);
    return (one.lang === "en" && of === dataset) || (one.lang === lang && lists.includes(of));
  });
}

/** Other orders, filters and ranges of a list, unless they may read what is odd: the sample goes by what it was. */
function arrangementsOf(slice: Slice, mutations: readonly Mutation[]): string[] {
  const touches = (dataset: string) =>
    mutations.some((one) => datasetOf(one) === dataset && isNeeded(endpointOf(dataset), one.path));
  const { dataset, lang } = slice;
  const { ordering, parameters, filtersFrom } = endpointOf(dataset);
  if (touches(dataset)) return [];
  const ranges = ENDPOINTS.filter(({ from, range }) => from === dataset && range).flatMap(({ path }) =>
    [1, 7, 60, 9999].map((number) => `${path.replace(/\{\w+\}/, String(number))}?lang=${lang}`),
  );
  const arranged = parameters.flatMap((parameter) => {
    const isOrder = ordering && [ordering.direction, ordering.field].includes(parameter.name);
    const isFilter = parameter.kind === "choices" && !(filtersFrom && touches(filtersFrom));
    if (!("values" in parameter) || !(isOrder || isFilter)) return [];
    return parameter.values.map((value) => toRequest(slice, { [parameter.name]: value }));
  });
  return [...ranges, ...arranged];
}

/** Tells whether a path is that of a needed field, or of something around one. */
export const isNeeded = (endpoint: Endpoint, path: string): boolean =>
  neededFields(endpoint).some(
    ({ path: need }) => path === "" || need === path || need.startsWith(`${path}.`) || need.startsWith(`${path}[`),
  );
