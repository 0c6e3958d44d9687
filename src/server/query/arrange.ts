import { readPath } from "../../api/body/path.ts";
import { readFilter, readRange, recordKey } from "../../api/body/read-record.ts";
import { readNumber } from "../../api/body/reading.ts";
import type { Endpoint, Ordering } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { Values } from "../../api/request/parameters.ts";

/** What a list is ordered and filtered by, read once from its records. */
export interface Outline {
  position: number;
  tie: number;
  fields: Record<string, number>;
  words: Record<string, string[]>;
  /** The numbers that it is about, first and last, where it is about a range of them. */
  range: readonly [number, number] | undefined;
}

/** About so many bytes an outline takes, beside its words. */
const OVERHEAD = 200;

export const bytesOf = (outlines: readonly Outline[]): number =>
  outlines.reduce((bytes, { words }) => bytes + OVERHEAD + 50 * Object.values(words).flat().length, 0);

/** `filtered` are the records that the filters read where the endpoint's own do not know the words. */
export function outline(endpoint: Endpoint, records: readonly string[], filtered?: readonly string[]): Outline[] {
  const { ordering, filtersFrom } = endpoint;
  const numberAt = (record: unknown, path: string) => readNumber(readPath(record, path)) ?? 0;
  const reader = filtersFrom === undefined ? endpoint : endpointOf(filtersFrom);
  const others = new Map(filtered?.map(parse).map((record) => [recordKey(reader, record), record]));
  return records.map((json, position) => {
    const record = parse(json);
    const filterable = filtered ? others.get(recordKey(endpoint, record)) : record;
    const fields = Object.entries(ordering?.fields ?? {}).map(([name, path]) => [name, numberAt(record, path)]);
    const words = Object.entries(filtersOf(endpoint)).map(([name, filter]) => [
      name,
      filterable === undefined ? [] : readFilter(filter, filterable),
    ]);
    return {
      position,
      tie: ordering ? numberAt(record, ordering.tie) : position,
      fields: Object.fromEntries(fields),
      words: Object.fromEntries(words),
      range: readRange(endpoint, record),
    };
  });
}

/** Whether a query asks for the records as they lie in the archive. */
export const isArchived = (endpoint: Endpoint, values: Values): boolean =>
  !endpoint.range &&
  !isFiltered(endpoint, values) &&
  (!endpoint.ordering || isDefaultOrder(endpoint, endpoint.ordering, values));

/** What tells one order and filter of a list from another. */
export const orderOf = (endpoint: Endpoint, values: Values): string =>
  [endpoint.ordering?.field, endpoint.ordering?.direction, ...Object.keys(filtersOf(endpoint))]
    .map((name) => [values[name ?? ""] ?? ""].flat().toSorted().join(","))
    .join(" ");

/** Positions of the records that hold a number. */
export const findHolders = (outlines: readonly Outline[], number: number): number[] =>
  outlines.flatMap(({ position, range }) => (range && range[0] <= number && number <= range[1] ? [position] : []));

export const isFiltered = (endpoint: Endpoint, values: Values): boolean =>
  Object.keys(filtersOf(endpoint)).some((name) => isFilter(values[name]));

const filtersOf = ({ filters = {}, filtersFrom }: Endpoint) =>
  filtersFrom === undefined ? filters : (endpointOf(filtersFrom).filters ?? {});

const parse = (json: string): unknown => JSON.parse(json);

const isFilter = (wanted: Values[string] | undefined) => Array.isArray(wanted) && wanted.length > 0;

/** Positions of the records that a query selects, in its order. Words of one filter are or-ed, filters are and-ed. */
export function arrange(endpoint: Endpoint, outlines: readonly Outline[], values: Values): number[] {
  const kept = outlines.filter(({ words }) =>
    Object.entries(words).every(([name, own]) => {
      const wanted = values[name];
      return !Array.isArray(wanted) || wanted.length === 0 || wanted.some((word) => own.includes(word));
    }),
  );
  const { ordering } = endpoint;
  if (ordering && !isDefaultOrder(endpoint, ordering, values)) kept.sort(compare(ordering, values));
  return kept.map(({ position }) => position);
}

/**
 * The same for every order that a list can be asked in, unfiltered, by what tells them apart: a few numbers for each
 * record, where the outlines take a hundred times as much.
 */
export function arrangeAll(endpoint: Endpoint, outlines: readonly Outline[]): Map<string, readonly number[]> {
  const { ordering } = endpoint;
  const [fields, directions] = [ordering?.field, ordering?.direction].map((name) => choicesOf(endpoint, name));
  const asked = fields?.flatMap((field) => directions?.map((direction): Values => ({ ...field, ...direction })) ?? []);
  return new Map(asked?.map((values) => [orderOf(endpoint, values), arrange(endpoint, outlines, values)]));
}

const choicesOf = ({ parameters }: Endpoint, name: string | undefined): Values[] =>
  name === undefined
    ? [{}]
    : parameters.flatMap((parameter) =>
        parameter.name === name && parameter.kind === "choice"
          ? parameter.values.map((value) => ({ [name]: value }))
          : [],
      );

/** The records lie in the upstream's own default order, which is the authority on ties. */
function isDefaultOrder({ parameters }: Endpoint, { field, direction }: Ordering, values: Values): boolean {
  return parameters
    .filter(({ name }) => name === field || name === direction)
    .every((parameter) => "default" in parameter && values[parameter.name] === parameter.default);
}

function compare({ fields, field, direction }: Ordering, values: Values) {
  const by = field ? String(values[field]) : (Object.keys(fields)[0] ?? "");
  const sign = values[direction] === "asc" ? 1 : -1;
  return (a: Outline, b: Outline) => sign * ((a.fields[by] ?? 0) - (b.fields[by] ?? 0)) || a.tie - b.tie;
}
