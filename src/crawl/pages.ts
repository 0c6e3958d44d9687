import { hash } from "node:crypto";
import type { Page } from "../api/body/envelope.ts";
import { recordKey } from "../api/body/read-record.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { countValues, MAX_RECORDS, MAX_SLICE_BYTES, MAX_VALUES } from "./upstream/limits.ts";
import { doubt, type Objection, refuse } from "./validate/validate.ts";

/** A list that goes on and on is no list of the service. */
const MAX_PAGES = 1000;
/** Characters of a key that is held as it is. */
const MAX_KEY = 64;

/** A page that fits behind those before it, without its records. */
export interface Step {
  taken: true;
  /** With it the slice is. */
  whole: boolean;
  total: number;
  records: number;
  bytes: number;
  values: number;
  keys: string[];
}

export type Pages = ReturnType<typeof createPages>;

/**
 * The pages of one slice, as they come. Of each only what the next is judged by is held, so that a thousand cost no more
 * than a thousand times one, and many slices may be under way.
 */
export function createPages(endpoint: Endpoint) {
  const keys = new Set<string>();
  const sum = { pages: 0, records: 0, bytes: 0, values: 0, total: 0 };

  return {
    count: () => sum.pages,

    /** What is wrong with a page, possibly not the last yet, or what it adds. */
    judge({ records, total }: Page, body: Buffer): Step | Objection {
      if (total > MAX_RECORDS) return refuse("oversized", `total says ${total}, allowed are ${MAX_RECORDS} records`);
      const count = sum.records + records.length;
      const whole = count === total;
      // Nearly all slices are one page, and then nothing follows.
      const own = sum.pages === 0 && whole ? [] : records.map((record) => keyOf(endpoint, record));
      // Within a page a repetition is the upstream's own; between pages the list has moved while it was asked.
      const twice = own.find((key) => keys.has(key));
      if (twice !== undefined) return doubt("repeated-record", `record ${twice} came twice`);
      if (sum.pages > 0 && total !== sum.total) return doubt("wrong-total", "total changed between two pages");
      if (sum.pages >= MAX_PAGES) return doubt("wrong-total", `more than ${MAX_PAGES} pages`);
      const cutOff = count < total && records.length === 0;
      if (count > total || cutOff) return doubt("wrong-total", `${count} records, total says ${total}`);
      const bytes = sum.bytes + body.length;
      if (bytes > MAX_SLICE_BYTES)
        return refuse("oversized", `more than ${MAX_SLICE_BYTES} bytes in ${sum.pages + 1} pages`);
      // A page that is all was counted where it is long.
      const values = own.length === 0 ? 0 : sum.values + countValues(body);
      if (values > MAX_VALUES) return refuse("oversized", `more than ${MAX_VALUES} values in ${sum.pages + 1} pages`);
      return { taken: true, whole, total, records: count, bytes, values, keys: own };
    },

    take(step: Step) {
      for (const key of step.keys) keys.add(key);
      Object.assign(sum, { pages: sum.pages + 1, records: step.records, bytes: step.bytes });
      Object.assign(sum, { values: step.values, total: step.total });
    },
  };
}

/** Where records have no ids, the key is all that they hold. */
function keyOf(endpoint: Endpoint, record: unknown): string {
  const key = recordKey(endpoint, record);
  return key.length > MAX_KEY ? hash("sha256", key) : key;
}
