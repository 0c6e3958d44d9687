import { sliceId } from "../../api/endpoint.ts";
import type { Journal, StoredSlice } from "../journal.ts";
import { sliceGroup } from "../slice-group.ts";
import type { BaseFacts } from "./base-facts.ts";

/** An endpoint with so many empty slices and no others is not plausible, whatever it had before. */
const ENOUGH_EMPTY = 20;

/**
 * Empty answers that are rejected because an endpoint, or a table that had records in the base, would have none at all. A table is an
 * endpoint with one rank, window, lane and language.
 */
export function findEmptied(
  journal: Pick<Journal, "slices" | "countTables">,
  base: Pick<BaseFacts, "rows"> | undefined,
): StoredSlice[] {
  // In nearly all nights every table has a record, and nothing is read.
  if (journal.countTables().every(({ filled, empty }) => filled > 0 || empty === 0)) return [];
  const hadRecords = ({ slice }: StoredSlice) => base?.rows.get(sliceId(slice))?.status === "captured";
  const answered = journal.slices("answer").filter(({ state }) => state === "captured");
  const stays = journal.slices("keep").filter(hadRecords);
  const hasRecords = ({ facts }: StoredSlice) => facts.records > 0;
  const find = (groupOf: (stored: StoredSlice) => string, isTooMany: (slices: readonly StoredSlice[]) => boolean) => {
    const filled = new Set([...answered.filter(hasRecords), ...stays].map(groupOf));
    const empty = Map.groupBy(
      answered.filter((stored) => !hasRecords(stored) && !filled.has(groupOf(stored))),
      groupOf,
    );
    return [...empty.values()].filter(isTooMany).flat();
  };
  const endpoints = find(
    ({ slice }) => slice.dataset,
    (slices) => slices.length >= ENOUGH_EMPTY || slices.some(hadRecords),
  );
  const tables = find(sliceGroup, (slices) => slices.some(hadRecords));
  return [...new Set([...endpoints, ...tables])];
}
