import { parseSliceId, type Slice, sliceKey } from "../../api/endpoint.ts";
import { NOT_ASKED } from "../../api/faults.ts";
import type { Journal } from "../../journal/journal.ts";
import { batchName, findStale } from "../../journal/stale.ts";
import { answeredIn, type Base } from "../read/base.ts";
import type { Coverage } from "../schema/row-types.ts";
import { sortBySlice } from "./slice-order.ts";

/** A slice of the file to be, asked by the journal's crawl or carried over from its base. */
export interface SliceSource {
  slice: Slice;
  /** What does not follow from its records. */
  told: Pick<Coverage, "reason" | "batch" | "stale" | "asked_at" | "suspect">;
  /** Undefined where it is missing. */
  bodies: (() => Buffer[]) | undefined;
}

/** All slices, in the order of the archive. Throws a Failure where the journal is damaged. */
export function listSources(journal: Journal, base: Base | undefined): SliceSource[] {
  const asked = journal.slices();
  const stale = new Set(findStale(asked).flatMap((batch) => batch.slices));
  const { started_at } = journal.header();
  const suspects = new Set(journal.getState("suspect"));
  const own = asked.map((stored): SliceSource => {
    const { id, slice, state, reason, facts } = stored;
    const isThere = state === "captured";
    const told = {
      reason: isThere ? null : (reason ?? NOT_ASKED),
      batch: batchName(stored),
      stale: Number(stale.has(stored)),
      asked_at: isThere ? (facts.asked_at ?? started_at) : null,
      suspect: 0,
    };
    return { slice, told, bodies: isThere ? () => journal.pages(id) : undefined };
  });
  const carried = (journal.getState("carried") ?? []).map((id) => carry(base, id, suspects.has(id)));
  return sortBySlice([...own, ...carried], ({ slice }) => slice);
}

function carry(base: Base | undefined, id: string, isSuspect: boolean): SliceSource {
  const slice = parseSliceId(id);
  const row = answeredIn(base, slice);
  if (!base || !row) {
    const told = { reason: NOT_ASKED, batch: null, stale: 0, asked_at: null, suspect: 0 };
    return { slice, told, bodies: undefined };
  }
  const { batch, stale, asked_at } = row;
  const told = { reason: null, batch, stale, asked_at, suspect: Number(isSuspect) };
  return { slice, told, bodies: () => [base.body(slice)] };
}

/** The cells of coverage that name a slice. */
export const cellsOf = (slice: Slice) => ({
  dataset: slice.dataset,
  slice: sliceKey(slice),
  hero_id: slice.hero ?? null,
  subject: slice.subject ?? null,
  lane: slice.lane ?? null,
  rank: slice.rank ?? null,
  days: slice.days === undefined ? null : Number(slice.days),
  lang: slice.lang,
});

/** Whether a snapshot has slices that its own crawl did not ask for. */
export const isRolling = (journal: Journal): boolean => (journal.getState("carried") ?? []).length > 0;
