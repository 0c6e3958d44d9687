import { type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ApiError } from "../../api/errors.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";

/** For a valid query whose answer is not in the snapshot, as one of these slices is missing; the detail names the first. */
export function notCaptured(snapshot: Snapshot, first: Slice, ...others: Slice[]): ApiError {
  const isToCome = [first, ...others].some((slice) => snapshot.isNotAsked(slice.dataset, sliceKey(slice)));
  return new ApiError("SLICE_NOT_CAPTURED", {
    message: isToCome ? "The answer was not asked yet." : "This snapshot does not hold the answer.",
    hint: isToCome
      ? "One of the next nights asks for it; until then another mirror may have it."
      : "GET /api/ tells which snapshot is served; a whole crawl holds every answer.",
    detail: sliceId(first),
  });
}
