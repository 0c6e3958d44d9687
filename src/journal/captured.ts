import { sliceId } from "../api/endpoint.ts";
import { isExcused } from "../api/refusals.ts";
import type { Journal, StoredSlice } from "./journal.ts";
import type { Purpose } from "./schema.ts";

/** What a crawl has a whole answer for. */
export const capturedSlices = (journal: Pick<Journal, "slices">, purpose: Purpose = "answer"): StoredSlice[] =>
  journal.slices(purpose).filter(({ state }) => state === "captured");

/** Whether it has no answer, for a reason that a further request may change. */
export const isMissing = ({ state, reason }: Pick<StoredSlice, "state" | "reason">): boolean =>
  state !== "captured" && !isExcused(reason);

/** What a crawl has in its plan, by `sliceId`. */
export const plannedIds = (journal: Pick<Journal, "slices">): ReadonlySet<string> =>
  new Set(journal.slices().map(({ slice }) => sliceId(slice)));

/** What a crawl has a whole answer for, by `sliceId`; of what was asked for two purposes the last one named counts. */
export const capturedById = (
  journal: Pick<Journal, "slices">,
  purposes: readonly Purpose[] = ["answer"],
): ReadonlyMap<string, StoredSlice> =>
  new Map(
    purposes.flatMap((purpose) => capturedSlices(journal, purpose)).map((stored) => [sliceId(stored.slice), stored]),
  );
