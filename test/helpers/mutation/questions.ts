import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../../src/api/endpoints.ts";
import type { Lang } from "../../../src/api/enumerations.ts";
import { createRandom, type Random } from "../random.ts";
import type { MutatingUpstream } from "./mutating-upstream.ts";
import { linesOf, type Mutation, readRequest, toRequest } from "./mutations.ts";
import { isNeeded } from "./refusals.ts";

/** Answers that nothing was put into, compared too. */
const UNCHANGED = 6;

export interface Questions {
  paths: string[];
  /** The mutations that apply somewhere. */
  seen: Mutation[];
}

/**
 * What to ask a snapshot: of every slice in which something odd is, in both languages, all records and a drawn page, order
 * or filter; and some others. The same mutations are always asked for alike.
 */
export async function drawQuestions(
  upstream: MutatingUpstream,
  mutations: readonly Mutation[],
  languages: readonly Lang[],
): Promise<Questions> {
  const seen = new Set<Mutation>();
  const changed: string[] = [];
  const others: string[] = [];
  for (const slice of askedSlices(upstream, languages)) {
    const { mutations: own } = await upstream.changedOf(slice);
    for (const mutation of own) seen.add(mutation);
    if (!isSeen(slice, mutations)) continue;
    if (own.length > 0) changed.push(...questionsOf(slice, mutations, createRandom(linesOf(own) + sliceId(slice))));
    else others.push(toRequest(slice));
  }
  const unchanged = createRandom(linesOf(mutations)).shuffle(others).slice(0, UNCHANGED);
  return { paths: [...changed, ...unchanged], seen: [...seen] };
}

/** The slices that a crawl has asked for, in all languages. */
function askedSlices({ sent }: MutatingUpstream, languages: readonly Lang[]): Slice[] {
  const asked = [...sent.keys()].flatMap((path) => readRequest(path)?.slice ?? []);
  const slices = asked.flatMap((slice) => languages.map((lang): Slice => ({ ...slice, lang })));
  return [...new Map(slices.map((slice) => [sliceId(slice), slice])).values()];
}

/**
 * Whether a crawl can know what an answer is in its language. What is asked in English alone and is odd there alone, or
 * shows a list that is odd in the other language alone, is found by the proof of languages or not at all.
 */
function isSeen({ dataset, lang }: Slice, mutations: readonly Mutation[]): boolean {
  const { text } = endpointOf(dataset);
  if (text === "all" || lang === "en") return true;
  const lists = text === "none" ? [] : text.map(({ list }) => list);
  return !mutations.some((one) => {
    const of = datasetOf(one);
    return (one.lang === "en" && of === dataset) || (one.lang === lang && lists.includes(of));
  });
}

const datasetOf = ({ at }: Mutation) => (at.startsWith("/") ? readRequest(at)?.slice.dataset : at) ?? "";

/** Whether an order or a filter, or what identifies a record, may read what is odd: the sample goes by what it was. */
const touchesNeeds = (dataset: string, mutations: readonly Mutation[]): boolean =>
  mutations.some((one) => datasetOf(one) === dataset && isNeeded(endpointOf(dataset), one.path));

function questionsOf(slice: Slice, mutations: readonly Mutation[], random: Random): string[] {
  const { dataset } = slice;
  const pages = [toRequest(slice), toRequest(slice, { size: 1 + random.below(3), index: 1 + random.below(3) })];
  const arranged = touchesNeeds(dataset, mutations) ? [] : [...arrangementsOf(slice, mutations), ...rangesOf(slice)];
  return [toRequest(slice, { size: 200, index: 1 }), random.pick([...pages, ...arranged, ...arranged])];
}

/** Other orders and filters of a list. */
function arrangementsOf(slice: Slice, mutations: readonly Mutation[]): string[] {
  const { ordering, parameters, filtersFrom } = endpointOf(slice.dataset);
  const isFiltered = filtersFrom === undefined || !touchesNeeds(filtersFrom, mutations);
  return parameters.flatMap((parameter) => {
    const isOrder = ordering && [ordering.direction, ordering.field].includes(parameter.name);
    const isFilter = parameter.kind === "choices" && isFiltered;
    if (!("values" in parameter) || !(isOrder || isFilter)) return [];
    return parameter.values.map((value) => toRequest(slice, { [parameter.name]: value }));
  });
}

/** Numbers that the records of a list hold ranges of. */
function rangesOf({ dataset, lang }: Slice): string[] {
  const readers = ENDPOINTS.filter(({ from, range }) => from === dataset && range);
  return readers.flatMap(({ path }) =>
    [1, 7, 60, 136, 9999].map((number) => `${path.replace(/\{\w+\}/, String(number))}?lang=${lang}`),
  );
}
