import { createHash } from "node:crypto";

/**
 * A record with its keys in order and its numbers in one form, so that two records have the same text exactly when they
 * hold the same data: the order of keys is not content.
 */
export function canonical(record: unknown): string {
  // The upstream sends nearly all keys in order: looking is much cheaper than sorting.
  return JSON.stringify(isSorted(record) ? record : sortKeys(record));
}

function isSorted(value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last = "";
  for (const [key, child] of Object.entries(value)) {
    if (key < last || !isSorted(child)) return false;
    last = key;
  }
  return true;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  // Object.fromEntries defines own properties, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}

/** sha256 of the canonical records of a slice, one a line. */
export function hashSlice(records: readonly unknown[]): string {
  const hash = createHash("sha256");
  for (const record of records) hash.update(canonical(record)).update("\n");
  return hash.digest("hex");
}

/** sha256 over all slices with their status; it changes exactly when the data does. */
export function hashContent(
  slices: Iterable<{ dataset: string; slice: string; status: string; sha256: string | null }>,
): string {
  const hash = createHash("sha256");
  for (const { dataset, slice, status, sha256 } of slices)
    hash.update(`${dataset}\t${slice}\t${status}\t${sha256 ?? ""}\n`);
  return hash.digest("hex");
}
