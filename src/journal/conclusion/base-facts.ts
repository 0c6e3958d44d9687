import type { ClosedPart, EndpointState } from "../../api/parts.ts";

/** What a conclusion needs of the snapshot that a crawl goes on from. */
export interface BaseFacts {
  /** By `sliceId`. */
  rows: ReadonlyMap<string, { status: string; reason: string | null }>;
  closed: readonly ClosedPart[];
  endpoints: readonly EndpointState[];
}
