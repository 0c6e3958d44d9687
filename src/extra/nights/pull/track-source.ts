import { isFrozen, type SourceState } from "../../../network/source-state.ts";
import type { Pointer } from "../../../snapshot/published/pointer.ts";
import { isLater, type Sequenced } from "../../../snapshot/published/sequence.ts";

export type SourceEvent =
  | { event: "older"; version: string; inHand: string }
  | { event: "frozen"; version: string | null; since: string };

/** Keeps the state of a source up to date. Reports each poll that finds it older than what is in hand, and a freeze once. */
export interface SourceTracker {
  readonly state: SourceState;
  /** Notes that a poll read the pointer of the source; `olderThan` is the version in hand if that is newer. */
  recordPoll(pointer: Pointer, olderThan: string | undefined): void;
  /** Notes that the version to which the source points was published here. */
  recordPublished(): void;
  recordFailure(message: string): void;
  /** Reports a freeze; called after every poll, also after one that failed. */
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
      // The publication of the first one was not observed: its crawl began before.
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
