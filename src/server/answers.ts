import { LRUCache } from "lru-cache";
import { type Endpoint, keyOf, parameterFor, type Slice, sliceKey } from "../api/endpoint.ts";
import { ApiError } from "../api/errors.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { parseQuery, type Values } from "../api/parameters.ts";
import type { Rank } from "../api/ranks.ts";
import { wrap } from "../api/wrapping.ts";
import type { Snapshot } from "../snapshot/read.ts";
import { arrange, findHolders, isArchived, type Outline, orderOf, outline } from "./arrange.ts";
import { canonicalQuery } from "./canonical.ts";
import { createIdentifiers, type Identified } from "./identifiers.ts";
import { createLists } from "./lists.ts";
import { notCaptured } from "./not-captured.ts";

export type Answers = ReturnType<typeof createAnswers>;

/** A valid query of one endpoint. */
export interface Question {
  endpoint: Endpoint;
  named: Identified;
  values: Values;
  /** One text for all spellings of the query. */
  canonical: string;
}

interface Page {
  records: readonly string[];
  total: number;
}

/** Lists that are kept sorted and filtered, of a few hundred bytes each. */
const ORDERS = 2000;

/** Answers queries from one snapshot. An answer is a body of JSON text; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot) {
  const identifiers = createIdentifiers(snapshot);
  const listOf = createLists(snapshot);
  const outlines = new Map<string, Outline[]>();
  const orders = new LRUCache<string, readonly number[]>({ max: ORDERS });

  /** Understands a query. */
  function ask(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Question {
    const values = validate(endpoint, identifier, query);
    const lang = values.lang as Lang;
    const named = identifier === undefined ? {} : identifiers.find(endpoint, identifier, lang);
    if (!endpoint.compute && !snapshot.names.has(lang)) throw notCaptured(keyOf({ dataset: endpoint.dataset, lang }));
    return { endpoint, named, values, canonical: canonicalQuery(endpoint, named, values) };
  }

  function answer(question: Question): string {
    const { endpoint, named, values } = question;
    if (endpoint.compute) return endpoint.compute(values);
    const slice = toSlice(endpoint, values, named);
    const { page, localised } = locate(question, slice);
    const { records, total } = page;
    const texts = localised === undefined ? records : records.map((json) => localise(endpoint, slice, json, localised));
    return wrap(endpoint.wrapping ?? "pages", texts, total);
  }

  function validate(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Values {
    const { values, invalid } = parseQuery(endpoint.parameters, query);
    const fields = identifier === undefined ? invalid : [...identifiers.invalid(endpoint, identifier), ...invalid];
    const [first] = fields;
    if (!first) return values;
    throw new ApiError("VALIDATION_FAILED", {
      message: fields.length === 1 ? `${first.name} is not valid.` : `${fields.length} parameters are not valid.`,
      hint: `${first.name} must be ${first.allowed}.`,
      detail: first.received.slice(0, 200),
      fields: fields.map((field) => ({ ...field, received: field.received.slice(0, 200) })),
    });
  }

  /** The page of the slice as it is asked, or of the one in the base language from which it is localised. */
  function locate(question: Question, slice: Slice): { page: Page; localised: Lang | undefined } {
    const { text } = question.endpoint;
    const own = select(question, slice);
    if (own) return { page: own, localised: undefined };
    const translated = text !== "all" && slice.lang !== BASE_LANG;
    const base = translated ? select(question, { ...slice, lang: BASE_LANG }) : undefined;
    if (!base) throw notCaptured(keyOf(slice));
    return { page: base, localised: text === "none" ? undefined : slice.lang };
  }

  /** One page of a list in the order that is asked for; nothing when the snapshot does not hold the list. */
  function select(question: Question, asked: Slice): Page | undefined {
    const { endpoint, values } = question;
    const { dataset } = asked;
    const slice = sliceKey(asked);
    // What has no pages is one page.
    const { size = Number.MAX_SAFE_INTEGER, index = 1 } = values as { size?: number; index?: number };
    const start = (index - 1) * size;
    if (!endpoint.ordering && isArchived(endpoint, values)) {
      const records = snapshot.page(dataset, slice, start, start + size);
      // A page that is neither empty nor full is the end of its list: most answers need no second look.
      if (records.length > 0 && records.length < size) return { records, total: start + records.length };
      const total = totalOf(dataset, slice);
      return total === undefined ? undefined : { records, total };
    }
    if (totalOf(dataset, slice) === undefined) return undefined;
    const records = listOf(dataset, slice);
    if (isArchived(endpoint, values)) return { records: records.slice(start, start + size), total: records.length };
    const positions = positionsOf(question, dataset, slice);
    const page = positions.slice(start, start + size);
    return { records: page.map((position) => records[position] as string), total: positions.length };
  }

  /** How many records a slice has, where the snapshot holds it. */
  function totalOf(dataset: string, slice: string): number | undefined {
    const coverage = snapshot.coverage(dataset, slice);
    return coverage?.status === "captured" || coverage?.status === "empty" ? coverage.records : undefined;
  }

  function positionsOf({ endpoint, named, values }: Question, dataset: string, slice: string): readonly number[] {
    const { number } = named;
    const key = `${endpoint.dataset} ${slice}`;
    const order = `${key} ${number} ${orderOf(endpoint, values)}`;
    const known = orders.get(order);
    if (known) return known;
    const records = () => listOf(dataset, slice);
    const outlined = () => outlines.get(key) ?? outline(endpoint, records(), filterRecords(endpoint));
    if (number === undefined) outlines.set(key, outlined());
    const positions =
      number === undefined ? arrange(endpoint, outlined(), values) : findHolders(endpoint, records(), number);
    orders.set(order, positions);
    return positions;
  }

  /** The records that the filters read, where they are not the endpoint's own. */
  function filterRecords({ filtersFrom }: Endpoint): string[] | undefined {
    if (filtersFrom === undefined) return undefined;
    const list: Slice = { dataset: filtersFrom, lang: BASE_LANG };
    const slice = sliceKey(list);
    if (totalOf(filtersFrom, slice) === undefined) throw notCaptured(keyOf(list));
    return snapshot.records(filtersFrom, slice);
  }

  function localise(endpoint: Endpoint, asked: Slice, json: string, lang: Lang): string {
    if (typeof endpoint.text === "string") return json;
    const localised = snapshot.localise(json, endpoint.text, lang);
    if (localised === undefined) throw notCaptured(keyOf(asked));
    return localised;
  }

  return { ask, answer };
}

function toSlice(endpoint: Endpoint, values: Values, { hero, subject }: Identified): Slice {
  const lane = parameterFor(endpoint, "lane");
  const rank = parameterFor(endpoint, "rank");
  const days = parameterFor(endpoint, "days");
  return {
    dataset: endpoint.from ?? endpoint.dataset,
    ...(hero !== undefined && { hero }),
    ...(subject !== undefined && { subject }),
    ...(lane && { lane: String(values[lane.name]) }),
    ...(rank && { rank: values[rank.name] as Rank }),
    ...(days && { days: String(values[days.name]) }),
    lang: values.lang as Lang,
  };
}
