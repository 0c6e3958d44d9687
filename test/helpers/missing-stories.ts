import { expect } from "vitest";
import type { Slices } from "../../src/sample/service/slice.ts";
import type { Form } from "../../src/sample/troubles/forms.ts";
import type { Trouble } from "../../src/sample/troubles/troubles.ts";
import { existsLatest } from "./data-folder.ts";
import { dateOf, ofDatasets, type SampleNights, startSampleNights } from "./sample-nights.ts";
import { queryFile } from "./sqlite.ts";

/** One crawl, and what is to become of it. */
export interface Night {
  /** Days after the crawl before; one where it is not said. */
  after?: number;
  troubles?: readonly Trouble[];
  heroes?: number;
  words?: readonly string[];
  ends: number;
  /** The parts that its lines call closed; none where it is not said. */
  closed?: readonly string[];
  /** Of what is written on stderr; nothing where it is not said. */
  says?: string;
  /** At most so many requests met a trouble. */
  troubled?: number;
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
    const { troubled = Number.POSITIVE_INFINITY, says = "", closed = [], lacks = {}, ends } = night;
    const { asked, stderr, ...said } = await live(nights, day, night);
    expected.push({ ends, closed, lacks, says, troubled, misdated: [] });
    came.push({ ...said, says: says && stderr.includes(says) ? says : stderr, troubled: Math.max(troubled, asked) });
  }
  expect(came).toEqual(expected);
}

/** What came of a night. */
async function live(nights: SampleNights, day: number, { troubles = [], heroes, words }: Night) {
  nights.sample.set({ troubles, ...(heroes !== undefined && { heroes }) });
  const { code, stderr, parts } = await nights.crawl(day, words);
  const asked = nights.sample.asked({}).filter(({ forms }) => forms.length > 0).length;
  const hasFile = existsLatest(nights.data);
  const isWhole = !words?.some((word) => ["--budget", "--reuse"].includes(word));
  return {
    ends: code,
    closed: parts,
    lacks: hasFile ? listLacking(nights) : {},
    misdated: isWhole && (code === 0 || code === 7) ? findMisdated(nights, day) : [],
    asked,
    stderr,
  };
}

const listLacking = (nights: SampleNights) =>
  Object.fromEntries(Object.entries(nights.slices()).filter(([what]) => !/^(captured|empty)( not-asked)?$/.test(what)));

/** In a night that asks for all of it: what came is of that night, and what could not be had of an earlier one. */
const findMisdated = (nights: SampleNights, day: number): string[] =>
  queryFile<{ id: string }>(
    nights.latest(),
    `SELECT dataset || '?' || slice AS id FROM coverage
      WHERE status <> 'failed' AND (date(asked_at) = ?) <> (reason IS NULL)`,
    dateOf(day),
  ).map(({ id }) => id);
