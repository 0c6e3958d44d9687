import { LRUCache } from "lru-cache";
import { type Endpoint, isHeroEndpoint, parameterFor, type Slice, sliceKey } from "../api/endpoint.ts";
import { ApiError } from "../api/errors.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { parseQuery, type Values } from "../api/parameters.ts";
import type { Rank } from "../api/ranks.ts";
import type { Snapshot } from "../snapshot/read.ts";
import { arrange, isArchived, type Outline, orderOf, outline } from "./arrange.ts";
import { canonicalQuery } from "./canonical.ts";
import { createHeroes } from "./heroes.ts";

export type Answers = ReturnType<typeof createAnswers>;

/** A valid query of one endpoint. */
export interface Question {
  endpoint: Endpoint;
  values: Values;
  slice: Slice;
  /** One text for all spellings of the query. */
  canonical: string;
}

interface Page {
  records: string[];
  total: number;
}

/** Lists that are kept sorted and filtered, of a few hundred bytes each. */
const ORDERS = 2000;

/** Answers queries from one snapshot. An answer is a body of JSON text; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot) {
  const heroes = createHeroes(snapshot.names);
  const outlines = new Map<string, Outline[]>();
  const orders = new LRUCache<string, readonly number[]>({ max: ORDERS });

  /** Understands a query. */
  function ask(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Question {
    const values = validate(endpoint, identifier, query);
    const lang = values.lang as Lang;
    const hero = identifier === undefined ? undefined : heroes.find(identifier, lang);
    if (!snapshot.names.has(lang)) throw notCaptured({ dataset: endpoint.dataset, lang });
    return {
      endpoint,
      values,
      slice: toSlice(endpoint, values, hero),
      canonical: canonicalQuery(endpoint, hero, values),
    };
  }

  function answer({ endpoint, values, slice }: Question): string {
    const { page, localised } = locate(endpoint, slice, values);
    const { records, total } = page;
    const texts = localised === undefined ? records : records.map((json) => localise(endpoint, slice, json, localised));
    return `{"code":0,"message":"OK","data":{"records":[${texts.join(",")}],"total":${total}}}`;
  }

  function validate(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Values {
    const { values, invalid } = parseQuery(endpoint.parameters, query);
    const fields = identifier === undefined ? invalid : [...heroes.invalid(identifier), ...invalid];
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
  function locate(endpoint: Endpoint, slice: Slice, values: Values): { page: Page; localised: Lang | undefined } {
    const own = select(endpoint, slice, values);
    if (own) return { page: own, localised: undefined };
    const translated = endpoint.text !== "all" && slice.lang !== BASE_LANG;
    const base = translated ? select(endpoint, { ...slice, lang: BASE_LANG }, values) : undefined;
    if (!base) throw notCaptured(slice);
    return { page: base, localised: endpoint.text === "none" ? undefined : slice.lang };
  }

  /** One page of a list in the order that is asked for; nothing when the snapshot does not hold the list. */
  function select(endpoint: Endpoint, asked: Slice, values: Values): Page | undefined {
    const { dataset } = asked;
    const slice = sliceKey(asked);
    const size = values.size as number;
    const start = ((values.index as number) - 1) * size;
    if (isArchived(endpoint, values)) {
      const records = snapshot.page(dataset, slice, start, start + size);
      // A page that is neither empty nor full is the end of its list: most answers need no second look.
      if (records.length > 0 && records.length < size) return { records, total: start + records.length };
      const total = totalOf(dataset, slice);
      return total === undefined ? undefined : { records, total };
    }
    const total = totalOf(dataset, slice);
    if (total === undefined) return undefined;
    const positions = positionsOf(endpoint, dataset, slice, values);
    const page = positions.slice(start, start + size);
    return { records: snapshot.some(dataset, slice, page), total: positions.length };
  }

  /** How many records a slice has, where the snapshot holds it. */
  function totalOf(dataset: string, slice: string): number | undefined {
    const coverage = snapshot.coverage(dataset, slice);
    return coverage?.status === "captured" || coverage?.status === "empty" ? coverage.records : undefined;
  }

  function positionsOf(endpoint: Endpoint, dataset: string, slice: string, values: Values): readonly number[] {
    const key = `${dataset}?${slice}`;
    const order = `${key} ${orderOf(endpoint, values)}`;
    const known = orders.get(order);
    if (known) return known;
    const lines = outlines.get(key) ?? outline(endpoint, snapshot.records(dataset, slice));
    outlines.set(key, lines);
    const positions = arrange(endpoint, lines, values);
    orders.set(order, positions);
    return positions;
  }

  function localise(endpoint: Endpoint, asked: Slice, json: string, lang: Lang): string {
    if (typeof endpoint.text === "string") return json;
    const localised = snapshot.localise(json, endpoint.text, lang);
    if (localised === undefined) throw notCaptured(asked);
    return localised;
  }

  return { ask, answer };
}

function toSlice(endpoint: Endpoint, values: Values, hero: number | undefined): Slice {
  const rank = parameterFor(endpoint, "rank");
  const days = parameterFor(endpoint, "days");
  return {
    dataset: endpoint.dataset,
    ...(isHeroEndpoint(endpoint) && hero !== undefined && { hero }),
    ...(rank && { rank: values[rank.name] as Rank }),
    ...(days && { days: String(values[days.name]) }),
    lang: values.lang as Lang,
  };
}

function notCaptured(slice: Slice): ApiError {
  return new ApiError("SLICE_NOT_CAPTURED", {
    message: "This snapshot does not hold the answer.",
    hint: "GET /api/ tells which snapshot is served; a whole crawl holds every answer.",
    detail: `${slice.dataset} ${sliceKey(slice)}`,
  });
}
