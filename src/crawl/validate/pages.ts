import { hash } from "node:crypto";
import type { RecordsPage } from "../../api/body/envelope.ts";
import { recordKey } from "../../api/body/record-fields.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { readSliceFacts, type SliceFacts } from "../../api/slice-facts.ts";
import { truncate } from "../../base/words.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { MAX_PAGES } from "../../journal/schema.ts";
import type { Run } from "../run.ts";
import { countValues, MAX_FACTS_CHARS, MAX_RECORDS, MAX_SLICE_BYTES, MAX_VALUES } from "../upstream/limits.ts";
import type { UpstreamResponse } from "../upstream/upstream.ts";
import { refuseWords } from "./growth.ts";
import { type Rejected, reject, validateResponse } from "./validate.ts";

/** The most characters of a key that is held as it is. */
const MAX_KEY_CHARS = 64;

/** A page that fits behind those before it, without its records. */
interface FittingPage {
  ok: true;
  /** True if it completes the slice. */
  whole: boolean;
  total: number;
  records: number;
  bytes: number;
  values: number;
  keys: string[];
  /** How many records there are and how many there should be, if nothing follows and these are not the same. */
  miscounted?: string;
}

/** A list that lacks more than this share of its total, and more than one record, or has no record, is cut off, and not miscounted. */
const MOST_MISCOUNTED = 0.1;

/** The pages of one slice, as they come. */
export interface SlicePages {
  count(): number;
  /** Checks a page, possibly not the last yet: returns what is wrong with it, or what it adds. */
  check(page: RecordsPage, body: Buffer): FittingPage | Rejected;
  add(page: FittingPage): void;
}

/**
 * Makes the pages of a slice. It holds only what the next page is checked against, so that a thousand pages cost no more than a thousand
 * times one, and many slices may be in flight.
 */
export function createSlicePages(endpoint: Endpoint): SlicePages {
  const keys = new Set<string>();
  const sum = { pages: 0, records: 0, bytes: 0, values: 0, total: 0 };

  return {
    count: () => sum.pages,

    check({ records, total }, body) {
      if (total > MAX_RECORDS) return reject("oversized", `total says ${total}, allowed are ${MAX_RECORDS} records`);
      const count = sum.records + records.length;
      const isEnd = count > total || (count < total && records.length === 0);
      const whole = count === total || isEnd;
      // Nearly all slices are one page, and then nothing follows.
      const own = sum.pages === 0 && whole ? [] : records.map((record) => keyOf(endpoint, record));
      // Within a page a repetition is the upstream's own; between pages it shows that the list has moved while it was asked.
      const twice = own.find((key) => keys.has(key));
      if (twice !== undefined) return reject("repeated-record", `record ${twice} came twice`);
      if (sum.pages > 0 && total !== sum.total) return reject("wrong-total", "total changed between two pages");
      if (sum.pages >= MAX_PAGES) return reject("wrong-total", `more than ${MAX_PAGES} pages`);
      const miscounted = isEnd ? `${count} records, total says ${total}` : undefined;
      if (miscounted !== undefined && (count === 0 || total - count > Math.max(1, MOST_MISCOUNTED * total)))
        return reject("wrong-total", miscounted);
      const bytes = sum.bytes + body.length;
      if (bytes > MAX_SLICE_BYTES)
        return reject("oversized", `more than ${MAX_SLICE_BYTES} bytes in ${sum.pages + 1} pages`);
      // A page that is the whole slice was counted before if it is long.
      const values = own.length === 0 ? 0 : sum.values + countValues(body);
      if (values > MAX_VALUES) return reject("oversized", `more than ${MAX_VALUES} values in ${sum.pages + 1} pages`);
      const page = { whole, total, records: count, bytes, values, keys: own };
      return { ok: true, ...page, ...(miscounted !== undefined && { miscounted }) };
    },

    add({ keys: own, records, bytes, values, total }) {
      for (const key of own) keys.add(key);
      Object.assign(sum, { pages: sum.pages + 1, records, bytes, values, total });
    },
  };
}

/** Returns the key of a record: its id, or all of it if it has none. */
function keyOf(endpoint: Endpoint, record: unknown): string {
  const key = recordKey(endpoint, record);
  return key.length > MAX_KEY_CHARS ? hash("sha256", key) : key;
}

/** A page to be kept. Its records are not in it: many slices wait for an answer or for the disk at one time. */
export interface AcceptedPage extends FittingPage {
  body: Buffer;
  /** The facts of the slice, with the page that completes it. */
  facts: SliceFacts | undefined;
  factsChars: number;
}

/** Checks a response as the next page of a slice. */
export function validatePage(
  stored: StoredSlice,
  pages: SlicePages,
  response: UpstreamResponse,
  { journal, factsMemory, options }: Run,
): AcceptedPage | Rejected {
  const endpoint = endpointOf(stored.slice.dataset);
  const accepted = validateResponse(endpoint, stored.slice, response);
  if (!accepted.ok) return accepted;
  const tooMany = refuseWords(stored.slice, accepted.records, options);
  if (tooMany) return tooMany;
  const page = pages.check(accepted, response.body);
  if (!page.ok) return page;
  const before = page.whole && pages.count() > 0 ? journal.records(stored) : [];
  const read = page.whole ? readSliceFacts(endpoint, [...before, ...accepted.records]) : undefined;
  const facts = read && accepted.odd !== undefined ? { ...read, odd: truncate(accepted.odd) } : read;
  const factsChars = facts ? JSON.stringify(facts).length : 0;
  if (factsChars > MAX_FACTS_CHARS)
    return reject("oversized", `more than ${MAX_FACTS_CHARS} characters of ids, rates and names`);
  if (factsMemory.used() + factsChars > factsMemory.limit)
    return reject("oversized", `more than ${factsMemory.limit} characters of ids, rates and names in all slices`);
  return { ...page, body: response.body, facts, factsChars };
}
