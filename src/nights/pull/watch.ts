import type { Pointer } from "../../snapshot/published/pointer.ts";
import { isLater, type Place } from "../../snapshot/published/sequence.ts";

/** How the source of a follower stands to what is in hand. */
export interface SourceState {
  /** What it pointed to when it was last read. */
  version: string | null;
  /** Number of its publication there; null where the source gives none. */
  sequence: number | null;
  /** What is in hand, where that is newer. */
  older_than: string | null;
  /** When it last came to something newer than all before, in milliseconds since 1970. */
  moved_at: number;
  /** When it was last read, when something of it was last published here, and what went wrong last; null: not yet. */
  looked_at: number | null;
  changed_at: number | null;
  error: { message: string; at: number } | null;
  /** Milliseconds after which a source that does not move is frozen. */
  bound: number;
}

export type WatchEvent =
  | { event: "older"; version: string; inHand: string }
  | { event: "frozen"; version: string | null; since: string };

export const isFrozen = ({ moved_at, bound }: Pick<SourceState, "moved_at" | "bound">): boolean =>
  Date.now() - moved_at > bound;

/** Keeps what the looks at a source have shown, and tells what its order gives away: every look that is older, a freeze once. */
export function createWatch(bound: number, onEvent: (event: WatchEvent) => void) {
  let state: SourceState = {
    version: null,
    sequence: null,
    older_than: null,
    moved_at: Date.now(),
    looked_at: null,
    changed_at: null,
    error: null,
    bound,
  };
  let newest: Place | undefined;
  let told = false;

  return {
    get state() {
      return state;
    },
    see(pointer: Pointer, olderThan: string | undefined) {
      const { version, started_at } = pointer;
      // Going back and forth between old ones is no movement. Of the first one nobody saw when it came.
      const moved = newest === undefined || isLater(pointer, newest);
      const now = Date.now();
      const came = newest === undefined ? Math.min(now, Date.parse(started_at)) : now;
      const { sequence = null } = pointer;
      const moved_at = moved ? came : state.moved_at;
      state = { ...state, version, sequence, older_than: olderThan ?? null, moved_at, looked_at: now };
      if (moved) {
        newest = pointer;
        // Said again also where it freezes before it was fetched.
        told = false;
      }
      if (olderThan !== undefined) onEvent({ event: "older", version, inHand: olderThan });
    },
    /** What it pointed to was published here. */
    take() {
      state = { ...state, changed_at: Date.now() };
    },
    fail(message: string) {
      state = { ...state, error: { message, at: Date.now() } };
    },
    /** To be asked after every look, also one that did not reach the source. */
    check() {
      const frozen = isFrozen(state);
      const since = new Date(state.moved_at).toISOString();
      if (frozen && !told) onEvent({ event: "frozen", version: state.version, since });
      told = frozen;
    },
  };
}
