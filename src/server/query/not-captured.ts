import { type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ApiError } from "../../api/errors.ts";
import { isFault } from "../../api/faults.ts";
import { describeClosed, describeFault } from "../../api/parts.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";

/** The error of a valid query whose answer needs slices that are missing; the detail names the first. */
export function notCaptured(snapshot: Snapshot, first: Slice, ...others: Slice[]): ApiError {
  const holes = [first, ...others].map((slice) => snapshot.holeOf(slice.dataset, sliceKey(slice)));
  const missing = holes.find((hole) => isFault(hole?.reason));
  const said = missing ? describeMissing(snapshot, missing.part_id) : describe(holes.map((hole) => hole?.reason));
  return new ApiError("SLICE_NOT_CAPTURED", { ...said, detail: sliceId(first) });
}

function describe(reasons: readonly (string | null | undefined)[]): Said {
  if (reasons.includes("left-out")) return LEFT_OUT;
  if (reasons.includes("unsettled")) return { ...UNKNOWN, hint: TO_COME.hint };
  return reasons.includes("not-asked") ? TO_COME : UNKNOWN;
}

interface Said {
  message: string;
  hint: string;
}

const UNKNOWN: Said = {
  message: "This snapshot does not hold the answer.",
  hint: "GET /api/ tells which snapshot is served; a complete crawl holds every answer.",
};

const TO_COME: Said = {
  message: "The answer has not been asked for yet.",
  hint: "One of the next nights asks for it; until then another mirror may have it.",
};

const LEFT_OUT: Said = {
  message: "This snapshot was made without this endpoint.",
  hint: "Another mirror may have it.",
};

/** Says since when something is missing, and with what answer, as far as the snapshot knows. */
function describeMissing(snapshot: Snapshot, part_id: number | null): Said {
  const part = snapshot.closedParts().find((one) => one.part_id === part_id);
  const hint = part
    ? `It could not be had since ${part.since} (${describeFault(part)}); a mirror that has it from before may still answer.`
    : "It could not be had in the last night; each night asks for it again, and another mirror may have it.";
  return { message: "The upstream did not give this answer.", hint };
}

/** The rows of the table `closed_part`, each with a line for people. */
export const tellClosedParts = (snapshot: Snapshot) =>
  snapshot.closedParts().map((part) => {
    const { since, carried, missing } = part;
    const line = `${describeClosed([part])[0]}, since ${since}; ${carried} slices carried over, ${missing - carried} missing`;
    return { ...part, line };
  });
