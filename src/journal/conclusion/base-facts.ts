import type { ClosedPart, EndpointState } from "../../api/parts.ts";

/** Facts of the snapshot that a crawl builds on, for a conclusion. */
export interface BaseFacts {
  /** The status of each slice, by `sliceId`. */
  rows: ReadonlyMap<string, { status: string; reason: string | null }>;
  closed: readonly ClosedPart[];
  endpoints: readonly EndpointState[];
}
