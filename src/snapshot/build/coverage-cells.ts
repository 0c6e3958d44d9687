import { parseSlice, type Slice, sliceKey } from "../../api/endpoint.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import type { Coverage } from "../schema/row-types.ts";

/** The cells of coverage that name a slice. */
export const cellsOf = ({ id, slice }: NumberedSlice) => ({
  slice_id: id,
  dataset: slice.dataset,
  slice: sliceKey(slice),
  hero_id: slice.hero ?? null,
  subject: slice.subject ?? null,
  lane: slice.lane ?? null,
  rank: slice.rank ?? null,
  days: slice.days === undefined ? null : Number(slice.days),
  lang: slice.lang,
});

/** The slice of a row of coverage, with its number. */
export const toNumbered = (row: Pick<Coverage, "slice_id" | "dataset" | "slice">): NumberedSlice => ({
  id: row.slice_id,
  slice: toSlice(row),
});

/** The slice that a row of coverage names. Other columns that say otherwise differ from the rebuilt ones. */
export const toSlice = ({ dataset, slice }: Pick<Coverage, "dataset" | "slice">): Slice => parseSlice(dataset, slice);
