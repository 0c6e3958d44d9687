/** What a follower knows about its source. Times are milliseconds since 1970, null for never. */
export interface SourceState {
  /** What the source pointed to when it was last polled. */
  version: string | null;
  /** Its publication number there; null where the source gives none. */
  sequence: number | null;
  /** Until when it shall be believed to be the newest, as its pointer says; null where it does not. */
  expires_at: string | null;
  /** The version in hand, if it is newer than the source's. */
  older_than: string | null;
  /** When the source last published something newer than all before. */
  moved_at: number;
  /** When the source was last polled successfully. */
  looked_at: number | null;
  /** When something from the source was last published here. */
  changed_at: number | null;
  error: { message: string; at: number } | null;
  frozenAfterMs: number;
}

/** Whether the source has had nothing newer for longer than `frozenAfterMs`. */
export const isFrozen = ({ moved_at, frozenAfterMs }: Pick<SourceState, "moved_at" | "frozenAfterMs">): boolean =>
  Date.now() - moved_at > frozenAfterMs;
