/** The state of the source, as its follower knows it. Times are milliseconds since 1970, null for never. */
export interface SourceState {
  /** The version that the source pointed to when it was last polled. */
  version: string | null;
  /** Its publication number there; null if the source gives none. */
  sequence: number | null;
  /** The time until which it may be taken for the newest, from its pointer; null if that gives none. */
  expires_at: string | null;
  /** The version in hand, if it is newer than the source's. */
  older_than: string | null;
  /** The time when the source last published a version newer than all before. */
  moved_at: number;
  /** The time when the source was last polled successfully. */
  looked_at: number | null;
  /** The time when a version from the source was last published here. */
  changed_at: number | null;
  error: { message: string; at: number } | null;
  frozenAfterMs: number;
}

/** Tells whether the source has had nothing newer for longer than `frozenAfterMs`. */
export const isFrozen = ({ moved_at, frozenAfterMs }: Pick<SourceState, "moved_at" | "frozenAfterMs">): boolean =>
  Date.now() - moved_at > frozenAfterMs;
