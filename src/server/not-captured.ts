import { ApiError } from "../api/errors.ts";

/** A valid query whose answer is not in the snapshot; the detail names the slice. */
export function notCaptured(detail: string): ApiError {
  return new ApiError("SLICE_NOT_CAPTURED", {
    message: "This snapshot does not hold the answer.",
    hint: "GET /api/ tells which snapshot is served; a whole crawl holds every answer.",
    detail,
  });
}
