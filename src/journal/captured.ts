import { sliceId } from "../api/endpoint.ts";
import type { Journal, StoredSlice } from "./journal.ts";
import type { Purpose } from "./schema.ts";

/** What a crawl has a whole answer for. */
export const capturedSlices = (journal: Journal, purpose: Purpose = "answer"): StoredSlice[] =>
  journal.slices(purpose).filter(({ state }) => state === "captured");

/** The same by `sliceId`; of what was asked for two purposes the last one named counts. */
export const capturedById = (
  journal: Journal,
  purposes: readonly Purpose[] = ["answer"],
): ReadonlyMap<string, StoredSlice> =>
  new Map(
    purposes.flatMap((purpose) => capturedSlices(journal, purpose)).map((stored) => [sliceId(stored.slice), stored]),
  );
