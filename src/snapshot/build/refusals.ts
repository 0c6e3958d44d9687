import type { Slice } from "../../api/endpoint.ts";
import { isInPart, isRefused, type RefusedGroup } from "../../api/refusals.ts";
import type { Journal } from "../../journal/journal.ts";
import { nameVersion } from "../published/folder.ts";
import type { Coverage, RefusalRow } from "../schema/row-types.ts";
import { hashContent } from "./hashes.ts";

type NamedGroup = Omit<RefusalRow, "slices_carried" | "slices_missing">;

/** The refused groups of a journal: a group that is new is refused since the night that is being built. */
export function nameNights(journal: Journal, coverage: readonly Coverage[]): NamedGroup[] {
  const version = nameVersion(journal.header().started_at, hashContent(coverage));
  return (journal.getState("refusals") ?? []).map(({ message: _, since_version, ...group }) => ({
    ...group,
    since_version: since_version ?? version,
  }));
}

/** With how many slices of each were carried over, and how many are missing. A slice counts for the first group that it is of. */
export function countRefusals(groups: readonly NamedGroup[], coverage: readonly Coverage[]): RefusalRow[] {
  const rows = groups.map(
    ({ dimension, value, dataset, since, since_version, status, code }): RefusalRow => ({
      dimension,
      value,
      dataset,
      since,
      since_version,
      status,
      code,
      slices_carried: 0,
      slices_missing: 0,
    }),
  );
  for (const row of coverage) {
    if (!isRefused(row.reason)) continue;
    const group = rows.find((part) => isInPart(part as RefusedGroup, toSlice(row)));
    if (group && row.status === "failed") group.slices_missing += 1;
    else if (group) group.slices_carried += 1;
  }
  return rows;
}

const toSlice = ({ dataset, hero_id, lane, rank, days, lang }: Coverage) =>
  ({
    dataset,
    ...(hero_id !== null && { hero: hero_id }),
    ...(lane !== null && { lane }),
    ...(rank !== null && { rank }),
    ...(days !== null && { days: String(days) }),
    lang,
  }) as Slice;
