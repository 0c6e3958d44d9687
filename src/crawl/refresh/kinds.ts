import { isListEndpoint, type Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";

/**
 * How a slice is kept fresh: a `list` in every crawl, as it is small and shows what has changed; a `text` when there is a sign of change,
 * and otherwise now and then; a `turn` with all others of its slice group, which are of one batch.
 */
export type RefreshKind = "list" | "text" | "turn";

export function refreshKindOf({ dataset, lang }: Slice): RefreshKind {
  const endpoint = endpointOf(dataset);
  if (lang === BASE_LANG && isListEndpoint(endpoint)) return "list";
  const { text, moving } = endpoint;
  return text === "all" && !moving ? "text" : "turn";
}

/** Tells whether a slice is of a list that only changes when the game does: it has no rank, no window and no votes. */
export const isSignal = (slice: Slice): boolean =>
  slice.rank === undefined && refreshKindOf(slice) === "list" && endpointOf(slice.dataset).moving !== true;

/** Tells whether a slice is of a batch that its records do not name. */
export function isUnstamped(slice: Slice): boolean {
  const { stamp, moving } = endpointOf(slice.dataset);
  return refreshKindOf(slice) === "turn" && !stamp && moving !== true;
}
