import { joinPieces, type Piece } from "../../api/body/pieces.ts";
import { wrap } from "../../api/body/wrapping.ts";
import { type Endpoint, keyOf, parameterFor, type Slice, sliceKey } from "../../api/endpoint.ts";
import type { Rank } from "../../api/enumerations.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { ApiError } from "../../api/errors.ts";
import { parseQuery, type Values } from "../../api/request/parameters.ts";
import type { Snapshot } from "../../snapshot/read.ts";
import type { StoredRecord } from "../../snapshot/texts/localiser.ts";
import {
  arrange,
  arrangeAll,
  bytesOf,
  findHolders,
  isArchived,
  isFiltered,
  type Outline,
  orderOf,
  outline,
} from "./arrange.ts";
import { canonicalQuery } from "./canonical.ts";
import { createIdentifiers, type Identified, notCaptured } from "./identifiers.ts";

export type Answers = ReturnType<typeof createAnswers>;

/** Keeps what was made under a key as long as there is room; `weigh` tells its bytes. */
export type Keep = <T extends object>(key: string, make: () => T, weigh: (made: T) => number) => T;

/** A valid query of one endpoint, and the records of the snapshot that answer it. */
export interface Question {
  endpoint: Endpoint;
  values: Values;
  /** Nothing where the answer follows from the values. */
  page: Page | undefined;
  /** One text for all queries that have this answer. */
  canonical: string;
}

/** Some of the records of a slice, and how many the query selects. */
interface Page {
  slice: Slice;
  /** The language to put in, where the records are in the base language. */
  localised: Lang | undefined;
  records: readonly StoredRecord[];
  total: number;
}

interface Paging {
  size?: number;
  index?: number;
}

const weighOrder = ({ length }: readonly number[]) => 8 * length;

const weighOrders = (orders: ReadonlyMap<string, readonly number[]>) =>
  [...orders.values()].reduce((bytes, order) => bytes + 100 + weighOrder(order), 0);

/** So many invalid parameters are listed: enough to mend a query by. */
const MOST_FIELDS = 20;

/** Answers queries from one snapshot. An answer is a body of JSON; whatever is not an answer is an ApiError. */
export function createAnswers(snapshot: Snapshot, keep: Keep = (_, make) => make()) {
  const identifiers = createIdentifiers(snapshot);

  /** Understands a query. */
  function ask(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Question {
    const values = validate(endpoint, identifier, query);
    const lang = values.lang as Lang;
    const named = identifier === undefined ? {} : identifiers.find(endpoint, identifier, lang);
    if (endpoint.compute)
      return { endpoint, values, page: undefined, canonical: canonicalQuery(endpoint, named, values) };
    if (!snapshot.names.has(lang)) throw notCaptured(keyOf({ dataset: endpoint.dataset, lang }));
    const page = find(endpoint, named, values);
    return { endpoint, values, page, canonical: canonicalQuery(endpoint, named, withinList(values, page.total)) };
  }

  function answer({ endpoint, values, page }: Question): Buffer {
    if (endpoint.compute) return Buffer.from(endpoint.compute(values));
    const { records, total } = page as Page;
    const localised = records.map((record) => localise(endpoint, page as Page, record));
    return joinPieces(wrap(endpoint.wrapping ?? "pages", localised, total));
  }

  function validate(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Values {
    const { values, invalid } = parseQuery(endpoint.parameters, query);
    const fields = identifier === undefined ? invalid : [...identifiers.invalid(endpoint, identifier), ...invalid];
    const [first] = fields;
    if (!first) return values;
    const unlisted = fields.length - MOST_FIELDS;
    const more = unlisted > 0 ? `, ${unlisted} of them are not listed` : "";
    throw new ApiError("VALIDATION_FAILED", {
      message:
        fields.length === 1 ? `${first.name} is not valid.` : `${fields.length} parameters are not valid${more}.`,
      hint: `${first.name} must be ${first.allowed}.`,
      detail: first.received.slice(0, 200) || `${first.name} has no value`,
      fields: fields.slice(0, MOST_FIELDS).map((field) => ({ ...field, received: field.received.slice(0, 200) })),
    });
  }

  /** The page of the slice that is asked for, or of the one in the base language from which it is localised. */
  function find(endpoint: Endpoint, named: Identified, values: Values): Page {
    const slice = toSlice(endpoint, values, named);
    const own = select(endpoint, named, values, slice);
    if (own) return { slice, localised: undefined, ...own };
    const translated = endpoint.text !== "all" && slice.lang !== BASE_LANG;
    const base: Slice = { ...slice, lang: BASE_LANG };
    const found = translated ? select(endpoint, named, values, base) : undefined;
    if (!found) throw notCaptured(keyOf(slice));
    return { slice: base, localised: endpoint.text === "none" ? undefined : slice.lang, ...found };
  }

  /** The records of one page; nothing where the snapshot does not hold the slice. */
  function select(endpoint: Endpoint, named: Identified, values: Values, slice: Slice) {
    const { dataset } = slice;
    // Most languages have no slices of their own to look for.
    if (!snapshot.datasetsIn(slice.lang).has(dataset)) return undefined;
    const { size = Number.MAX_SAFE_INTEGER, index = 1 } = values as Paging;
    const [start, end] = [(index - 1) * size, index * size];
    const key = sliceKey(slice);
    if (isArchived(endpoint, values)) return snapshot.page(dataset, key, start, end);
    if (snapshot.total(dataset, key) === undefined) return undefined;
    const positions = positionsOf(endpoint, named, values, slice);
    return { records: snapshot.at(dataset, key, positions.slice(start, end)), total: positions.length };
  }

  /** Where the records lie that a query selects, in its order. */
  function positionsOf(endpoint: Endpoint, { number }: Identified, values: Values, slice: Slice): readonly number[] {
    const key = `${endpoint.dataset} ${sliceKey(slice)}`;
    const order = orderOf(endpoint, values);
    if (number === undefined && !isFiltered(endpoint, values)) {
      const arranged = () => arrangeAll(endpoint, outlineAll(endpoint, slice));
      return keep(`orders ${key}`, arranged, weighOrders).get(order) ?? [];
    }
    const outlines = () => keep(`outlines ${key}`, () => outlineAll(endpoint, slice), bytesOf);
    if (number !== undefined) return findHolders(outlines(), number);
    return keep(`order ${key} ${order}`, () => arrange(endpoint, outlines(), values), weighOrder);
  }

  function outlineAll(endpoint: Endpoint, slice: Slice): Outline[] {
    return outline(endpoint, snapshot.records(slice.dataset, sliceKey(slice)), filterRecords(endpoint));
  }

  /** The records that the filters read, where they are not the endpoint's own. */
  function filterRecords({ filtersFrom }: Endpoint): string[] | undefined {
    if (filtersFrom === undefined) return undefined;
    const list: Slice = { dataset: filtersFrom, lang: BASE_LANG };
    if (snapshot.total(filtersFrom, sliceKey(list)) === undefined) throw notCaptured(keyOf(list));
    return snapshot.records(filtersFrom, sliceKey(list));
  }

  function localise({ text }: Endpoint, { slice, localised }: Page, record: StoredRecord): readonly Piece[] {
    if (localised === undefined || typeof text === "string") return [record.json];
    const pieces = snapshot.localise(record, text, localised);
    if (pieces === undefined) throw notCaptured(keyOf({ ...slice, lang: localised }));
    return pieces;
  }

  return { ask, answer };
}

/**
 * All sizes beyond the list are the whole list, and all pages behind its end one empty page. What has no pages is one page.
 */
function withinList(values: Values, total: number): Values {
  const { size, index = 1 } = values as Paging;
  if (size === undefined) return values;
  const whole = Math.max(1, Math.min(size, total));
  return { ...values, size: whole, index: Math.min(index, Math.ceil(total / whole) + 1) };
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
