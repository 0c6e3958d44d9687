import { readPath } from "../../api/body/path.ts";
import { readFilter, readRange, recordKey } from "../../api/body/record-fields.ts";
import { readNumber } from "../../api/body/scalars.ts";
import { type Endpoint, isDefaultOrder, type Ordering } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { ParameterValues } from "../../api/request/parameters.ts";

/** The keys by which one record is sorted and filtered, read once from its JSON. */
export interface SortKeys {
  position: number;
  tieBreaker: number;
  sortFields: Record<string, number>;
  filterValues: Record<string, string[]>;
  /** First and last of the numbers that the record covers, if it covers a range. */
  range: readonly [number, number] | undefined;
}

/** The memory of one record's keys besides the values to filter by, estimated. */
const SORT_KEYS_OVERHEAD_BYTES = 200;

export const sortKeysBytes = (sortKeys: readonly SortKeys[]): number =>
  sortKeys.reduce(
    (bytes, { filterValues }) => bytes + SORT_KEYS_OVERHEAD_BYTES + 50 * Object.values(filterValues).flat().length,
    0,
  );

/** Reads the keys. `filtered` are the records of another list to filter by, if the endpoint's own records lack the fields. */
export function readSortKeys(endpoint: Endpoint, records: readonly string[], filtered?: readonly string[]): SortKeys[] {
  const { ordering, filtersFrom } = endpoint;
  const numberAt = (record: unknown, path: string) => readNumber(readPath(record, path)) ?? 0;
  const reader = filtersFrom === undefined ? endpoint : endpointOf(filtersFrom);
  const others = new Map(filtered?.map(parse).map((record) => [recordKey(reader, record), record]));
  return records.map((json, position) => {
    const record = parse(json);
    const filterable = filtered ? others.get(recordKey(endpoint, record)) : record;
    const fields = Object.entries(ordering?.fields ?? {}).map(([name, path]) => [name, numberAt(record, path)]);
    const filterValues = Object.entries(filtersOf(endpoint)).map(([name, filter]) => [
      name,
      filterable === undefined ? [] : readFilter(filter, filterable),
    ]);
    return {
      position,
      tieBreaker: ordering ? numberAt(record, ordering.tie) : position,
      sortFields: Object.fromEntries(fields),
      filterValues: Object.fromEntries(filterValues),
      range: readRange(endpoint, record),
    };
  });
}

/** Makes one text per order and filter of a list. */
export const orderKey = (endpoint: Endpoint, values: ParameterValues): string =>
  [endpoint.ordering?.field, endpoint.ordering?.direction, ...Object.keys(filtersOf(endpoint))]
    .map((name) => [values[name ?? ""] ?? ""].flat().toSorted().join(","))
    .join(" ");

/** Finds the positions of the records whose range contains a number. */
export const findContaining = (sortKeys: readonly SortKeys[], number: number): number[] =>
  sortKeys.flatMap(({ position, range }) => (range && range[0] <= number && number <= range[1] ? [position] : []));

const filtersOf = ({ filters = {}, filtersFrom }: Endpoint) =>
  filtersFrom === undefined ? filters : (endpointOf(filtersFrom).filters ?? {});

const parse = (json: string): unknown => JSON.parse(json);

/** Returns the positions of the records that a query selects, in its order. The values of one filter are or-ed, filters are and-ed. */
export function sortFilter(endpoint: Endpoint, sortKeys: readonly SortKeys[], values: ParameterValues): number[] {
  const kept = sortKeys.filter(({ filterValues }) =>
    Object.entries(filterValues).every(([name, held]) => {
      const wanted = values[name];
      return !Array.isArray(wanted) || wanted.length === 0 || wanted.some((word) => held.includes(word));
    }),
  );
  const { ordering } = endpoint;
  // The archive has the default order, and only the upstream knows how it breaks ties there.
  if (ordering && !isDefaultOrder(endpoint, values)) kept.sort(compare(ordering, values));
  return kept.map(({ position }) => position);
}

/**
 * Returns the positions in every order that the endpoint knows, unfiltered, by `orderKey`. Sort keys would take a hundred times the memory.
 */
export function sortEveryWay(endpoint: Endpoint, sortKeys: readonly SortKeys[]): Map<string, readonly number[]> {
  const { ordering } = endpoint;
  const [fields, directions] = [ordering?.field, ordering?.direction].map((name) => valuesOf(endpoint, name));
  const orders = fields?.flatMap(
    (field) => directions?.map((direction): ParameterValues => ({ ...field, ...direction })) ?? [],
  );
  return new Map(orders?.map((values) => [orderKey(endpoint, values), sortFilter(endpoint, sortKeys, values)]));
}

const valuesOf = ({ parameters }: Endpoint, name: string | undefined): ParameterValues[] =>
  name === undefined
    ? [{}]
    : parameters.flatMap((parameter) =>
        parameter.name === name && parameter.kind === "choice"
          ? parameter.values.map((value) => ({ [name]: value }))
          : [],
      );

function compare({ fields, field, direction }: Ordering, values: ParameterValues) {
  const by = field ? String(values[field]) : (Object.keys(fields)[0] ?? "");
  const sign = values[direction] === "asc" ? 1 : -1;
  return (a: SortKeys, b: SortKeys) =>
    sign * ((a.sortFields[by] ?? 0) - (b.sortFields[by] ?? 0)) || a.tieBreaker - b.tieBreaker;
}
