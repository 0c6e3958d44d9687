import type SQLite from "better-sqlite3";
import type { SliceFacts } from "../api/slice-facts.ts";
import { readSlice } from "./check.ts";
import type { StoredSlice } from "./journal.ts";
import { PAGE_SLOTS, type Purpose } from "./schema.ts";

type Row = Omit<StoredSlice, "slice" | "state" | "facts" | "vouched"> & {
  vouched: number;
  dataset: string;
  key: string;
  json: string;
  facts: string | null;
};

const NO_FACTS: SliceFacts = { records: 0 };

/**
 * The plan as the file has it. A crawl looks at it many times between two changes: it is read again only after something has changed,
 * or if it had to go because the memory was needed while nobody looked.
 */
export interface PlanReader {
  slices(purpose: Purpose): readonly StoredSlice[];
  /** Forgets what was read; called with every change. */
  forget(): void;
}

export function createPlanReader(db: SQLite.Database, file: string): PlanReader {
  const selectSlices = db.prepare<[Purpose], Row>(
    `SELECT slice_id AS id, dataset, slice AS key, json, purpose, reason, vouched, tried_at AS triedAt, count(answer_key) AS pages, max(facts) AS facts
     FROM slice LEFT JOIN answer ON answer_key BETWEEN slice_id * ${PAGE_SLOTS} AND slice_id * ${PAGE_SLOTS} + ${PAGE_SLOTS - 1}
     WHERE purpose = ? GROUP BY slice_id ORDER BY slice_id`,
  );
  const views = new Map<Purpose, WeakRef<StoredSlice[]>>();

  // Row by row: all rows beside all slices would be the most that a crawl has in memory.
  function read(purpose: Purpose): StoredSlice[] {
    const parseFacts = createFactsParser();
    return Array.from(
      selectSlices.iterate(purpose),
      ({ dataset, key, json, facts, reason, vouched, ...row }): StoredSlice => ({
        ...row,
        // The same string for all slices, not an equal one for each.
        purpose,
        slice: readSlice(file, { dataset, slice: key, json }),
        state: facts !== null ? "captured" : reason !== null ? "failed" : "pending",
        reason: facts === null ? reason : null,
        vouched: vouched === 1,
        facts: facts === null ? NO_FACTS : parseFacts(facts),
      }),
    );
  }

  return {
    slices(purpose) {
      const held = views.get(purpose)?.deref();
      if (held) return held;
      const view = read(purpose);
      views.set(purpose, new WeakRef(view));
      return view;
    },
    forget: () => views.clear(),
  };
}

/** Facts that are alike are one value: of three slices of a plan two have the same as another one. */
function createFactsParser(): (json: string) => SliceFacts {
  const parsed = new Map<string, SliceFacts>();
  return (json) => {
    const facts = parsed.get(json) ?? (JSON.parse(json) as SliceFacts);
    parsed.set(json, facts);
    return facts;
  };
}
