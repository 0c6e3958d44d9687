import { LRUCache } from "lru-cache";
import { type Chunk, joinChunks, wrap } from "../../api/body/wrapping.ts";
import { type Endpoint, isDefaultOrder, parameterFor, type Slice, sliceKey } from "../../api/endpoint.ts";
import type { Rank } from "../../api/enumerations.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { ApiError } from "../../api/errors.ts";
import { isDefault, isFiltered, type ParameterValues, parseQuery } from "../../api/request/parameters.ts";
import { HERO_IDENTIFIER } from "../../api/request/path-parameter.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { StoredRecord } from "../../snapshot/texts/localiser.ts";
import { notCaptured } from "./not-captured.ts";
import { createPathResolver, type PathTarget } from "./path-target.ts";
import {
  findContaining,
  orderKey,
  readSortKeys,
  type SortKeys,
  sortEveryWay,
  sortFilter,
  sortKeysBytes,
} from "./sort-filter.ts";

/** Answers queries from one snapshot. */
export interface QueryEngine {
  /**
   * Validates a query and selects its records. `identifier` is what the path names, unescaped. Throws an ApiError:
   * VALIDATION_FAILED, RESOURCE_NOT_FOUND or SLICE_NOT_CAPTURED.
   */
  parse(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): ParsedQuery;

  /** The JSON body of the answer, in UTF-8. Throws an ApiError SLICE_NOT_CAPTURED when a translation is missing. */
  execute(query: ParsedQuery): Buffer;

  /** The time when the oldest part of the answer was asked for, ISO 8601 in UTC; undefined if the answer is computed. */
  dataAt(query: ParsedQuery): string | undefined;
}

/** A cache: the value under a key, made if it is not there; `weigh` returns its bytes. */
export type GetOrCreate = <T extends object>(key: string, create: () => T, weigh: (created: T) => number) => T;

interface ParsedQuery {
  endpoint: Endpoint;
  values: ParameterValues;
  /** Undefined if the answer is computed from the values alone. */
  selection: Selection | undefined;
  /** Equal for all queries that have this answer. */
  canonical: string;
}

/** One page of the records of a slice. */
interface Selection {
  slice: Slice;
  /** The language to put in, if the records are in the base language. */
  translateTo: Lang | undefined;
  records: readonly StoredRecord[];
  askedAt: string;
  /** Records that the query selects, over all pages. */
  total: number;
}

interface Paging {
  size?: number;
  index?: number;
}

const orderBytes = ({ length }: readonly number[]) => 8 * length;

/** A whole night has some forty; a file of somebody else may have more. */
const MAX_ORDERED_LISTS = 100;

/** Enough to mend a query by; a client could send thousands. */
const MAX_LISTED_FIELDS = 20;

export function createQueryEngine(snapshot: Snapshot, getOrCreate: GetOrCreate = (_, create) => create()): QueryEngine {
  const paths = createPathResolver(snapshot);
  // A snapshot has few lists: kept apart from what clients may ask for without end, their orders are made once.
  const orders = new LRUCache<string, ReadonlyMap<string, readonly number[]>>({ max: MAX_ORDERED_LISTS });

  function parse(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): ParsedQuery {
    const values = validate(endpoint, identifier, query);
    const lang = values.lang as Lang;
    const target = identifier === undefined ? {} : paths.resolve(endpoint, identifier, lang);
    if (endpoint.compute)
      return { endpoint, values, selection: undefined, canonical: canonicalQuery(endpoint, target, values) };
    if (!snapshot.heldList(HERO_IDENTIFIER.list, lang)?.total)
      throw notCaptured(snapshot, { dataset: endpoint.dataset, lang }, { dataset: HERO_IDENTIFIER.list, lang });
    const selection = selectWithFallback(endpoint, target, values);
    const canonical = canonicalQuery(endpoint, target, clampPaging(values, selection.total));
    return { endpoint, values, selection, canonical };
  }

  function execute({ endpoint, values, selection }: ParsedQuery): Buffer {
    if (endpoint.compute) return Buffer.from(endpoint.compute(values));
    const { records, total } = selection as Selection;
    const localised = records.map((record) => localise(endpoint, selection as Selection, record));
    return joinChunks(wrap(endpoint.wrapping ?? "pages", localised, total));
  }

  function dataAt({ endpoint, values, selection }: ParsedQuery): string | undefined {
    if (!selection) return undefined;
    const { askedAt, translateTo } = selection;
    const { text, filtersFrom } = endpoint;
    const texts =
      translateTo === undefined || typeof text === "string"
        ? []
        : text.map(({ list }) => snapshot.heldList(list, translateTo)?.askedAt);
    const filter =
      filtersFrom !== undefined && isFiltered(values) && snapshot.heldList(filtersFrom, BASE_LANG)?.askedAt;
    return [...texts, filter].reduce<string>((oldest, time) => (time && time < oldest ? time : oldest), askedAt);
  }

  function validate(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): ParameterValues {
    const { values, invalid } = parseQuery(endpoint.parameters, query);
    const fields = identifier === undefined ? invalid : [...paths.validate(endpoint, identifier), ...invalid];
    const [first] = fields;
    if (!first) return values;
    const unlisted = fields.length - MAX_LISTED_FIELDS;
    const more = unlisted > 0 ? `, ${unlisted} of them are not listed` : "";
    throw new ApiError("VALIDATION_FAILED", {
      message:
        fields.length === 1 ? `${first.name} is not valid.` : `${fields.length} parameters are not valid${more}.`,
      hint: `${first.name} must be ${first.allowed}.`,
      detail: first.received || `${first.name} has no value`,
      fields: fields.slice(0, MAX_LISTED_FIELDS),
    });
  }

  /** Selects from the slice in the requested language, or, if the snapshot lacks that slice, from the one in the base language, to be translated. */
  function selectWithFallback(endpoint: Endpoint, target: PathTarget, values: ParameterValues): Selection {
    const slice = toSlice(endpoint, values, target);
    const inLanguage = select(endpoint, target, values, slice);
    if (inLanguage) return { slice, translateTo: undefined, ...inLanguage };
    const isTranslatable = endpoint.text !== "all" && slice.lang !== BASE_LANG;
    const base: Slice = { ...slice, lang: BASE_LANG };
    const inBase = isTranslatable ? select(endpoint, target, values, base) : undefined;
    if (!inBase) throw notCaptured(snapshot, slice, base);
    return { slice: base, translateTo: endpoint.text === "none" ? undefined : slice.lang, ...inBase };
  }

  /** The records of one page; undefined if the snapshot does not hold the slice. */
  function select(endpoint: Endpoint, target: PathTarget, values: ParameterValues, slice: Slice) {
    const { dataset } = slice;
    const { size = Number.MAX_SAFE_INTEGER, index = 1 } = values as Paging;
    const [start, end] = [(index - 1) * size, index * size];
    const key = sliceKey(slice);
    if (!endpoint.range && !isFiltered(values) && isDefaultOrder(endpoint, values))
      return snapshot.page(dataset, key, start, end);
    const held = snapshot.held(dataset, key);
    if (!held) return undefined;
    const positions = positionsOf(endpoint, target, values, slice);
    return { ...held, records: snapshot.at(dataset, held, positions.slice(start, end)), total: positions.length };
  }

  /** Positions of the selected records in the archive, in the order of the query. */
  function positionsOf(
    endpoint: Endpoint,
    { number }: PathTarget,
    values: ParameterValues,
    slice: Slice,
  ): readonly number[] {
    const key = `${endpoint.dataset} ${sliceKey(slice)}`;
    const order = orderKey(endpoint, values);
    if (number === undefined && !isFiltered(values)) {
      // No values to filter by, so that no other list is needed.
      const everyOrder = orders.get(key) ?? sortEveryWay(endpoint, sortKeysOf(endpoint, slice, []));
      orders.set(key, everyOrder);
      return everyOrder.get(order) ?? [];
    }
    const sortKeys = () =>
      getOrCreate(`sort keys ${key}`, () => sortKeysOf(endpoint, slice, recordsToFilterBy(endpoint)), sortKeysBytes);
    if (number !== undefined) return findContaining(sortKeys(), number);
    return getOrCreate(`order ${key} ${order}`, () => sortFilter(endpoint, sortKeys(), values), orderBytes);
  }

  function sortKeysOf(endpoint: Endpoint, slice: Slice, filtered: readonly string[] | undefined): SortKeys[] {
    return readSortKeys(endpoint, snapshot.records(slice.dataset, sliceKey(slice)), filtered);
  }

  /** The records of the list whose fields the endpoint filters by; undefined if those are its own records. */
  function recordsToFilterBy({ filtersFrom }: Endpoint): string[] | undefined {
    if (filtersFrom === undefined) return undefined;
    const list: Slice = { dataset: filtersFrom, lang: BASE_LANG };
    if (!snapshot.heldList(filtersFrom, BASE_LANG)) throw notCaptured(snapshot, list);
    return snapshot.records(filtersFrom, sliceKey(list));
  }

  function localise({ text }: Endpoint, { slice, translateTo }: Selection, record: StoredRecord): readonly Chunk[] {
    if (translateTo === undefined || typeof text === "string") return [record.json];
    const pieces = snapshot.localise(record, text, translateTo);
    if (pieces !== undefined) return pieces;
    const lists = text.map(({ list }): Slice => ({ dataset: list, lang: translateTo }));
    throw notCaptured(snapshot, { ...slice, lang: translateTo }, ...lists);
  }

  return { parse, execute, dataAt };
}

/**
 * The path with ids for names, then the parameters in the endpoint's order: without those that have their default, repeated
 * values sorted and without duplicates.
 */
function canonicalQuery({ path, parameters }: Endpoint, target: PathTarget, values: ParameterValues): string {
  const { hero, subject, number } = target;
  let query = "";
  for (const parameter of parameters) {
    const value = values[parameter.name];
    const list = Array.isArray(value) ? value.toSorted() : isDefault(parameter, value) ? [] : [value];
    for (const given of list) query += `${query ? "&" : "?"}${parameter.name}=${given}`;
  }
  return path.replace(/\{\w+\}/, () => String(hero ?? subject ?? number)) + query;
}

/** All sizes beyond the list mean the whole list, and all pages behind its end the same empty page. */
function clampPaging(values: ParameterValues, total: number): ParameterValues {
  const { size, index = 1 } = values as Paging;
  if (size === undefined) return values;
  const clamped = Math.max(1, Math.min(size, total));
  return { ...values, size: clamped, index: Math.min(index, Math.ceil(total / clamped) + 1) };
}

function toSlice(endpoint: Endpoint, values: ParameterValues, { hero, subject }: PathTarget): Slice {
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
