import { hash } from "node:crypto";

/**
 * A record with its keys in order and its numbers in one form, so that two records have the same text exactly when they
 * hold the same data: the order of keys is not content.
 */
export const canonical = (record: unknown): string => JSON.stringify(sortKeys(record));

// JSON.stringify writes Infinity (as 1e400 is read) as null. `JSON.rawJSON` writes a number; TypeScript does not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const [INFINITE, NEGATIVE_INFINITE] = [rawJSON("1e999"), rawJSON("-1e999")];

/**
 * Sorts the keys at all depths. Nearly all come in order, and checking is much cheaper than sorting: a sorted value is returned as it is.
 */
function sortKeys(value: unknown): unknown {
  if (isSorted(value)) return value;
  if (typeof value === "number") return value > 0 ? INFINITE : NEGATIVE_INFINITE;
  if (Array.isArray(value)) return value.map(sortKeys);
  const keys = Object.keys(value as object).sort();
  // Object.fromEntries defines own properties, so that a key named __proto__ stays a key.
  return Object.fromEntries(keys.map((key) => [key, sortKeys((value as Record<string, unknown>)[key])]));
}

function isSorted(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last = "";
  for (const key in value) {
    if (key < last || !isSorted((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

/** Returns the sha256 of the canonical records of a slice, one a line. */
export function hashSlice(records: readonly unknown[]): string {
  return hash("sha256", records.map((record) => `${canonical(record)}\n`).join(""));
}
