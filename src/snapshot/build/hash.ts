import { hash } from "node:crypto";

/** sha256 over all slices with their status; it changes exactly when the data does. */
export function hashContent(
  slices: Iterable<{ dataset: string; slice: string; status: string; sha256: string | null }>,
): string {
  const lines = Array.from(
    slices,
    ({ dataset, slice, status, sha256 }) => `${dataset}\t${slice}\t${status}\t${sha256 ?? ""}\n`,
  );
  return hash("sha256", lines.join(""));
}
