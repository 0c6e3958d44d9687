import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { describeClosed } from "../../src/api/parts.ts";
import type { Slices } from "../../src/extra/sample/service/slice.ts";
import type { Form } from "../../src/extra/sample/troubles/forms.ts";
import type { Trouble } from "../../src/extra/sample/troubles/troubles.ts";
import type { ClosedPartRow, EndpointStateRow } from "../../src/snapshot/schema/row-types.ts";
import { existsLatest } from "./data-folder.ts";
import { dateOf, ofDatasets, type SampleNights, startSampleNights } from "./sample-nights.ts";
import { queryFile } from "./sqlite.ts";

/** One crawl, and what is to become of it. */
interface Night {
  /** Days after the crawl before; one where it is not said. */
  after?: number;
  troubles?: readonly Trouble[];
  heroes?: number;
  words?: readonly string[];
  /** The day that the clock shows, from the true one. */
  clock?: number;
  ends: number;
  /** The parts that its lines call closed; none where it is not said. */
  closed?: readonly string[];
  /** Matches the words on stderr; the night says nothing there if it is left out. */
  says?: string;
  /** The bounds of the requests that met a trouble, and of all requests. */
  troubled?: number;
  requests?: number;
  /** The slices of the newest file that could not be had, by what became of them; none where it is not said. */
  lacks?: Readonly<Record<string, number>>;
}

export interface Story {
  endpoints?: string;
  heroes?: number;
  /** Words of each crawl. */
  words?: readonly string[];
  nights: readonly Night[];
}

/** A trouble with all that some datasets have, or with a part of it. */
export const trouble = (datasets: string, form: Form, part: Slices = {}, limits: Partial<Trouble> = {}): Trouble => ({
  of: { ...(datasets !== "" && ofDatasets(...datasets.split(","))), ...part },
  form,
  ...limits,
});

const ENDPOINTS = "heroes,rank,relations,stats,trends,ratings,rating,versions";

/** Tells a story, night by night, and compares all of it at its end, so that a difference is seen with what came before. */
export async function tell({ endpoints = ENDPOINTS, nights: plan, ...options }: Story): Promise<void> {
  await using nights = await startSampleNights(endpoints, options);
  const [came, expected]: [object[], object[]] = [[], []];
  let day = 0;
  for (const night of plan) {
    day += night.after ?? 1;
    const { troubled = MANY, requests = MANY, says = "", closed = [], lacks = {}, ends } = night;
    const before = existsLatest(nights.data) ? nights.latest() : undefined;
    const { met, asked, stderr, ...said } = await live(nights, day, night);
    const isPublished = existsLatest(nights.data) && nights.latest() !== before;
    expected.push({ ends, closed, lacks, says, troubled, requests, isPublished: ends === 0 || ends === 7, untrue: [] });
    came.push({
      ...said,
      isPublished,
      says: says && stderr.includes(says) ? says : stderr,
      troubled: Math.max(troubled, met),
      requests: Math.max(requests, asked),
      untrue: isPublished ? findUntrue(nights, day, closed, night) : [],
    });
  }
  expect(came).toEqual(expected);
}

const MANY = Number.POSITIVE_INFINITY;

/** Crawls a night, and returns what came of it. */
async function live(nights: SampleNights, day: number, { troubles = [], heroes, words, clock = 0 }: Night) {
  nights.sample.set({ troubles, ...(heroes !== undefined && { heroes }) });
  const { code, stderr, parts } = await nights.crawl(day, words, day + clock);
  const asked = nights.sample.asked({});
  return {
    ends: code,
    closed: parts,
    lacks: existsLatest(nights.data) ? listLacking(nights) : {},
    met: asked.filter(({ forms }) => forms.length > 0).length,
    asked: asked.length,
    stderr,
  };
}

const listLacking = (nights: SampleNights) =>
  Object.fromEntries(Object.entries(nights.slices()).filter(([what]) => !/^(captured|empty)( not-asked)?$/.test(what)));

/** Finds what the file of a night says wrongly. */
function findUntrue(
  nights: SampleNights,
  day: number,
  closed: readonly string[],
  { words, clock = 0 }: Night,
): string[] {
  const file = nights.latest();
  const parts = queryFile<ClosedPartRow>(file, "SELECT * FROM closed_part ORDER BY part_id");
  const states = queryFile<EndpointStateRow>(file, "SELECT * FROM endpoint_state WHERE state = 'closed'");
  const whole = parts.filter(({ dimension }) => dimension === "").map(({ dataset }) => dataset);
  const isWhole = !words?.some((word) => ["--budget", "--reuse"].includes(word));
  const same = (what: string, one: readonly string[], other: readonly string[]) =>
    isDeepStrictEqual(one.toSorted(), other.toSorted()) ? [] : [`${what}: ${one.join("; ")}, not ${other.join("; ")}`];
  const said = closed.map((line) => line.replace("; new in the list", ""));
  return [
    ...same("closed parts", describeClosed(parts), said),
    ...parts.flatMap((part) => (part.missing > part.planned ? [`${part.dataset}: lacks more than was planned`] : [])),
    ...same(
      "closed endpoints",
      states.map(({ dataset }) => dataset),
      whole,
    ),
    ...(isWhole ? findMisdated(file, day + clock) : []),
  ];
}

/** Finds slices with a wrong date in a night that asks for all of them: answers are of that night, and carried ones of an earlier night. */
const findMisdated = (file: string, day: number): string[] =>
  queryFile<{ id: string }>(
    file,
    `SELECT dataset || '?' || slice AS id FROM coverage
      WHERE status <> 'failed' AND (date(asked_at) = ?) <> (reason IS NULL)`,
    dateOf(day),
  ).map(({ id }) => `${id} has another date`);
