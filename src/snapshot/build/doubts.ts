import { sliceId, sliceIdOf } from "../../api/endpoint.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SnapshotBase } from "../read/base.ts";
import type { DoubtRow } from "../schema/row-types.ts";
import type { SliceSource } from "./sources.ts";

/** Lists the doubts that stay about answers of the file: about this night's by its journal, about carried ones by the base. */
export function listDoubts(
  journal: Pick<Journal, "getState" | "header">,
  sources: readonly SliceSource[],
  base: Pick<SnapshotBase, "doubts"> | undefined,
): DoubtRow[] {
  const { started_at } = journal.header();
  const now = Map.groupBy(journal.getState("doubts") ?? [], ({ slice }) => slice);
  const before = Map.groupBy(base?.doubts.values() ?? [], sliceIdOf);
  return sources.flatMap(({ id: slice_id, slice, isCarried, bodies }): DoubtRow[] => {
    const id = sliceId(slice);
    if (!bodies) return [];
    if (isCarried)
      return (before.get(id) ?? []).map(({ check_name, seen, why, since }) => ({
        check_name,
        slice_id,
        seen,
        why,
        since,
      }));
    return (now.get(id) ?? []).map(({ check, seen, why }) => ({
      check_name: check,
      slice_id,
      seen,
      why,
      since: base?.doubts.get(`${check} ${id}`)?.since ?? started_at,
    }));
  });
}
