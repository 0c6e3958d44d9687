import { type ClosedPart, isInPart } from "../../api/parts.ts";
import type { Conclusion } from "../../journal/conclusion/conclusion.ts";
import type { Journal } from "../../journal/journal.ts";
import { nameVersion } from "../published/folder.ts";
import type { ClosedPartRow, Coverage } from "../schema/row-types.ts";
import { toSlice } from "./coverage-cells.ts";
import { hashContent } from "./hashes.ts";

type NamedPart = Omit<ClosedPart, "since_version"> & { since_version: string };

/** The closed parts of a conclusion: one that is new is closed since the night that is being built. */
export function nameParts(
  journal: Pick<Journal, "header">,
  { parts }: Conclusion,
  coverage: readonly Coverage[],
): NamedPart[] {
  const version = nameVersion(journal.header().started_at, hashContent(coverage));
  return parts.map(({ isNew: _, since_version, ...part }) => ({ ...part, since_version: since_version ?? version }));
}

/** Counts the slices that each part has, and lacks. A slice counts for the part that explains it. */
export function countParts(parts: readonly NamedPart[], coverage: readonly Coverage[]): ClosedPartRow[] {
  const slices = parts.length > 0 ? coverage.map((row) => ({ row, slice: toSlice(row) })) : [];
  return parts.map(
    ({ dataset, dimension, value, since, since_version, reason, status, code }, index): ClosedPartRow => {
      const part_id = index + 1;
      const explained = slices.filter(({ row }) => row.part_id === part_id);
      return {
        part_id,
        dataset,
        dimension,
        value,
        since,
        since_version,
        reason,
        status,
        code,
        // An English list that names others is in no part, and missing with its endpoint.
        planned: slices.filter(
          ({ row, slice }) => row.part_id === part_id || isInPart({ dataset, dimension, value }, slice),
        ).length,
        missing: explained.length,
        carried: explained.filter(({ row }) => row.status !== "failed").length,
      };
    },
  );
}
