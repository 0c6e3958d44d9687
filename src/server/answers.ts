import { type Endpoint, isHeroEndpoint, parameterFor, type Slice, sliceKey } from "../api/endpoint.ts";
import { ApiError } from "../api/errors.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { parseQuery, type Values } from "../api/parameters.ts";
import type { Rank } from "../api/ranks.ts";
import type { Snapshot } from "../snapshot/read.ts";
import type { Coverage } from "../snapshot/tables.ts";
import { arrange, isArchived, type Outline, outline } from "./arrange.ts";
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

/** Answers queries from one snapshot. An answer is a body of JSON text; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot) {
  const heroes = createHeroes(snapshot.names);
  const outlines = new Map<string, Outline[]>();

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
    const { held, localised } = locate(endpoint, slice);
    const size = values.size as number;
    const start = ((values.index as number) - 1) * size;
    const { records, total } = select(endpoint, held, values, start, start + size);
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

  /** The slice as it is asked, or the one in the base language from which it is localised, with its coverage. */
  function locate(endpoint: Endpoint, slice: Slice): { held: Coverage; localised: Lang | undefined } {
    const own = findHeld(slice);
    if (own) return { held: own, localised: undefined };
    const base =
      endpoint.text === "all" || slice.lang === BASE_LANG ? undefined : findHeld({ ...slice, lang: BASE_LANG });
    if (!base) throw notCaptured(slice);
    return { held: base, localised: endpoint.text === "none" ? undefined : slice.lang };
  }

  function findHeld(slice: Slice): Coverage | undefined {
    const coverage = snapshot.coverage(slice.dataset, sliceKey(slice));
    return coverage?.status === "captured" || coverage?.status === "empty" ? coverage : undefined;
  }

  /** One page of a list in the order that is asked for. */
  function select(endpoint: Endpoint, held: Coverage, values: Values, start: number, end: number) {
    const { dataset, slice, records: total } = held;
    const read = (from: number, to: number) => readWhole(held, from, to);
    if (isArchived(endpoint, values)) return { records: read(start, Math.min(end, total)), total };
    const key = `${dataset}?${slice}`;
    const known = outlines.get(key) ?? outline(endpoint, snapshot.records(dataset, slice));
    outlines.set(key, known);
    const positions = arrange(endpoint, known, values);
    const page = positions.slice(start, end);
    return { records: page.flatMap((position) => read(position, position + 1)), total: positions.length };
  }

  /** A record that is missing must never be a shorter list. */
  function readWhole({ dataset, slice }: Coverage, start: number, end: number): string[] {
    if (end <= start) return [];
    const records = snapshot.page(dataset, slice, start, end);
    if (records.length === end - start) return records;
    throw new Error(`${dataset} ${slice} has ${records.length} records from ${start} to ${end}`);
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
