import { type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ApiError } from "../../api/errors.ts";
import { describeGroups, describeRefusal, isInPart, isRefused, NOT_ASKED } from "../../api/refusals.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { CountedGroup } from "../../snapshot/read/standing.ts";

/** The error of a valid query whose answer needs slices that are missing; the detail names the first. */
export function notCaptured(snapshot: Snapshot, first: Slice, ...others: Slice[]): ApiError {
  const slices = [first, ...others];
  const reasons = slices.map((slice) => snapshot.holeOf(slice.dataset, sliceKey(slice)));
  const refused = slices.find((_, index) => isRefused(reasons[index]));
  const said = refused ? describeRefused(snapshot, refused) : describe(snapshot, reasons);
  return new ApiError("SLICE_NOT_CAPTURED", { ...said, detail: sliceId(first) });
}

function describe({ head }: Snapshot, reasons: readonly (string | undefined)[]): Said {
  if (reasons.includes("left-out")) return LEFT_OUT;
  if (head.rolling !== 1) return UNKNOWN;
  if (reasons.includes(NOT_ASKED)) return TO_COME;
  return reasons.some((reason) => reason !== undefined) ? { ...UNKNOWN, hint: TO_COME.hint } : UNKNOWN;
}

interface Said {
  message: string;
  hint: string;
}

const UNKNOWN: Said = {
  message: "This snapshot does not hold the answer.",
  hint: "GET /api/ tells which snapshot is served; a whole crawl holds every answer.",
};

const TO_COME: Said = {
  message: "The answer has not been asked for yet.",
  hint: "One of the next nights asks for it; until then another mirror may have it.",
};

const LEFT_OUT: Said = {
  message: "This snapshot was made without this endpoint.",
  hint: "Another mirror may have it.",
};

/** Since when, and with what words, as far as the snapshot knows. */
function describeRefused(snapshot: Snapshot, slice: Slice): Said {
  const group = snapshot.refusals().find((part) => isInPart(part, slice));
  const since = group ? ` since ${group.since}` : "";
  const how = group ? ` (${describeRefusal(group)})` : "";
  return {
    message: "The upstream no longer gives this answer.",
    hint: `The upstream refuses it${since}${how}; a mirror that has it from before may still answer.`,
  };
}

/** The rows of the table `refusal`, each with a line for people. */
export const tellRefusals = (snapshot: Snapshot) =>
  snapshot.refusals().map((group) => ({ ...group, line: describeGroup(group) }));

function describeGroup(group: CountedGroup): string {
  const { since, slices_carried, slices_missing } = group;
  return `${describeGroups([group])[0]}, since ${since}; ${slices_carried} slices carried over, ${slices_missing} missing`;
}
