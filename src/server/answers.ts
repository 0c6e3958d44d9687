import { type Endpoint, isHeroEndpoint, parameterFor, type Slice, sliceKey } from "../api/endpoint.ts";
import { ApiError } from "../api/errors.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { parseQuery, type Values } from "../api/parameters.ts";
import type { Rank } from "../api/ranks.ts";
import type { Snapshot } from "../snapshot/read.ts";
import type { Coverage } from "../snapshot/tables.ts";
import { arrange, type Outline, outline } from "./arrange.ts";
import { createHeroes } from "./heroes.ts";

export type Answers = ReturnType<typeof createAnswers>;

/** Answers queries from one snapshot. An answer is a body of JSON text; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot) {
  const heroes = createHeroes(snapshot.names);
  const outlines = new Map<string, Outline[]>();

  function answer(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): string {
    const values = validate(endpoint, identifier, query);
    const lang = values.lang as Lang;
    const hero = identifier === undefined ? undefined : heroes.find(identifier, lang);
    if (!snapshot.names.has(lang)) throw notCaptured({ dataset: endpoint.dataset, lang });
    const slice = toSlice(endpoint, values, hero);
    const { held, localised } = locate(endpoint, slice);
    const positions = select(endpoint, held, values);
    const size = values.size as number;
    const start = ((values.index as number) - 1) * size;
    const page = positions
      .slice(start, start + size)
      .map((position) => read(endpoint, slice, held, position, localised));
    return `{"code":0,"message":"OK","data":{"records":[${page.join(",")}],"total":${positions.length}}}`;
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

  function select(endpoint: Endpoint, { dataset, slice, records }: Coverage, values: Values): number[] {
    if (!endpoint.ordering) return Array.from({ length: records }, (_, position) => position);
    const key = `${dataset}?${slice}`;
    const known = outlines.get(key) ?? outline(endpoint, snapshot.records(dataset, slice));
    outlines.set(key, known);
    return arrange(endpoint, known, values);
  }

  function read(endpoint: Endpoint, asked: Slice, held: Coverage, position: number, lang: Lang | undefined): string {
    const json = snapshot.record(held.dataset, held.slice, position);
    if (json === undefined) throw new Error(`${held.dataset} ${held.slice} has no record ${position}`);
    if (lang === undefined || typeof endpoint.text === "string") return json;
    const localised = snapshot.localise(json, endpoint.text, lang);
    if (localised === undefined) throw notCaptured(asked);
    return localised;
  }

  return answer;
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
