import { type Endpoint, keyOf, parameterFor, type Slice, sliceKey } from "../api/endpoint.ts";
import { wrap } from "../api/envelope.ts";
import { ApiError } from "../api/errors.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { parseQuery, type Values } from "../api/parameters.ts";
import type { Rank } from "../api/ranks.ts";
import type { Snapshot } from "../snapshot/read.ts";
import type { Coverage } from "../snapshot/tables.ts";
import { arrange, type Outline, outline } from "./arrange.ts";
import { createIdentifiers, type Identified } from "./identifiers.ts";
import { notCaptured } from "./not-captured.ts";

export type Answers = ReturnType<typeof createAnswers>;

/** Answers queries from one snapshot. An answer is a body of JSON text; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot) {
  const identifiers = createIdentifiers(snapshot);
  const outlines = new Map<string, Outline[]>();

  function answer(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): string {
    const values = validate(endpoint, identifier, query);
    if (endpoint.compute) return endpoint.compute(values);
    const lang = values.lang as Lang;
    const named = identifier === undefined ? {} : identifiers.find(endpoint, identifier, lang);
    if (!snapshot.names.has(lang)) throw notCaptured(keyOf({ dataset: endpoint.dataset, lang }));
    const slice = toSlice(endpoint, values, named);
    const { held, localised } = locate(endpoint, slice);
    const positions = select(endpoint, held, values, named.number);
    const { size = positions.length, index = 1 } = values as { size?: number; index?: number };
    const start = (index - 1) * size;
    const page = positions
      .slice(start, start + size)
      .map((position) => read(endpoint, slice, held, position, localised));
    return wrap(endpoint.wrapping ?? "pages", page, positions.length);
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

  /** The slice as it is asked, or the one in the base language from which it is localised, with its coverage. */
  function locate(endpoint: Endpoint, slice: Slice): { held: Coverage; localised: Lang | undefined } {
    const own = findHeld(slice);
    if (own) return { held: own, localised: undefined };
    const base =
      endpoint.text === "all" || slice.lang === BASE_LANG ? undefined : findHeld({ ...slice, lang: BASE_LANG });
    if (!base) throw notCaptured(keyOf(slice));
    return { held: base, localised: endpoint.text === "none" ? undefined : slice.lang };
  }

  function findHeld(slice: Slice): Coverage | undefined {
    const coverage = snapshot.coverage(slice.dataset, sliceKey(slice));
    return coverage?.status === "captured" || coverage?.status === "empty" ? coverage : undefined;
  }

  function select(endpoint: Endpoint, held: Coverage, values: Values, number: number | undefined): number[] {
    const { dataset, slice, records } = held;
    const { ordering, holds } = endpoint;
    const all = () => Array.from({ length: records }, (_, position) => position);
    if (holds && number !== undefined) {
      const texts = snapshot.records(dataset, slice);
      return all().filter((position) => holds(JSON.parse(texts[position] ?? ""), number));
    }
    if (!ordering) return all();
    const key = `${dataset}?${slice}`;
    const known = outlines.get(key) ?? outline(endpoint, snapshot.records(dataset, slice), filterRecords(endpoint));
    outlines.set(key, known);
    return arrange(endpoint, known, values);
  }

  /** The records that the filters read, where they are not the endpoint's own. */
  function filterRecords({ filtersFrom }: Endpoint): string[] | undefined {
    if (filtersFrom === undefined) return undefined;
    const list: Slice = { dataset: filtersFrom, lang: BASE_LANG };
    const held = findHeld(list);
    if (!held) throw notCaptured(keyOf(list));
    return snapshot.records(held.dataset, held.slice);
  }

  function read(endpoint: Endpoint, asked: Slice, held: Coverage, position: number, lang: Lang | undefined): string {
    const json = snapshot.record(held.dataset, held.slice, position);
    if (json === undefined) throw new Error(`${held.dataset} ${held.slice} has no record ${position}`);
    if (lang === undefined || typeof endpoint.text === "string") return json;
    const localised = snapshot.localise(json, endpoint.text, lang);
    if (localised === undefined) throw notCaptured(keyOf(asked));
    return localised;
  }

  return answer;
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
