import type { Snapshot } from "../snapshot/read.ts";

/** What is served now, for whoever reports on it. Read it anew each time: a reload changes it. */
export interface Served {
  readonly snapshot: Snapshot;
  /** When this snapshot began to be served, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** False until every byte of the file was read and compared with its manifest: soon after the start. */
  readonly verified: boolean;
  /** Why the newest published file is not the one that is served. */
  readonly problem: string | undefined;
}
