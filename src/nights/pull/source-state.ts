import type { Pointer } from "../../snapshot/published/pointer.ts";
import { isLater, type Sequenced } from "../../snapshot/published/sequence.ts";

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

export type SourceEvent =
  | { event: "older"; version: string; inHand: string }
  | { event: "frozen"; version: string | null; since: string };

/** Whether the source has had nothing newer for longer than `frozenAfterMs`. */
export const isFrozen = ({ moved_at, frozenAfterMs }: Pick<SourceState, "moved_at" | "frozenAfterMs">): boolean =>
  Date.now() - moved_at > frozenAfterMs;

/** Keeps the state of a source up to date. Reports each poll that finds it older than what is in hand, and a freeze once. */
export interface SourceTracker {
  readonly state: SourceState;
  /** A poll read the pointer of the source; `olderThan` is the version in hand if that is newer. */
  recordPoll(pointer: Pointer, olderThan: string | undefined): void;
  /** What the source points to was published here. */
  recordPublished(): void;
  recordFailure(message: string): void;
  /** To be called after every poll, also after one that failed. */
  checkFrozen(): void;
}

export function trackSource(frozenAfterMs: number, onEvent: (event: SourceEvent) => void): SourceTracker {
  let state: SourceState = {
    version: null,
    sequence: null,
    expires_at: null,
    older_than: null,
    moved_at: Date.now(),
    looked_at: null,
    changed_at: null,
    error: null,
    frozenAfterMs,
  };
  let newest: Sequenced | undefined;
  let frozenReported = false;

  return {
    get state() {
      return state;
    },
    recordPoll(pointer, olderThan) {
      const { version, started_at, sequence = null, expires_at = null } = pointer;
      // Going back and forth between old versions is no movement.
      const moved = newest === undefined || isLater(pointer, newest);
      const now = Date.now();
      // Nobody saw when the first one was published: its crawl began before.
      const publishedAt = newest === undefined ? Math.min(now, Date.parse(started_at)) : now;
      const moved_at = moved ? publishedAt : state.moved_at;
      state = { ...state, version, sequence, expires_at, older_than: olderThan ?? null, moved_at, looked_at: now };
      if (moved) {
        newest = pointer;
        // A source may freeze again before this version was fetched.
        frozenReported = false;
      }
      if (olderThan !== undefined) onEvent({ event: "older", version, inHand: olderThan });
    },
    recordPublished() {
      state = { ...state, changed_at: Date.now() };
    },
    recordFailure(message) {
      state = { ...state, error: { message, at: Date.now() } };
    },
    checkFrozen() {
      const frozen = isFrozen(state);
      const since = new Date(state.moved_at).toISOString();
      if (frozen && !frozenReported) onEvent({ event: "frozen", version: state.version, since });
      frozenReported = frozen;
    },
  };
}
