import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../../api/failure.ts";
import { type PullOptions, pull } from "./pull.ts";
import { createWatch, type SourceState, type WatchEvent } from "./watch.ts";

export interface FollowOptions extends Omit<PullOptions, "onLook"> {
  /** Milliseconds between two looks at a source that is well. */
  every: number;
  /** Milliseconds after which a source that has nothing newer is frozen. */
  frozenAfter: number;
  signal: AbortSignal;
  /** Nobody else publishes in the folder while it is held. */
  lock: () => Disposable;
  onEvent?: (event: FollowEvent) => void;
  /** Told after every look. */
  onState?: (state: SourceState) => void;
}

export type FollowEvent =
  | { event: "pulled"; version: string }
  | { event: "trouble"; message: string; again: number }
  | WatchEvent;

/**
 * Pulls again and again until it is told to stop. Looks are spread by a tenth, so that a thousand mirrors do not come at
 * once; after trouble it comes back sooner, then less and less often, never more rarely than `every`.
 */
export async function follow(source: URL, data: string, options: FollowOptions) {
  const { every, frozenAfter, signal, lock, onEvent = () => {}, onState, ...pulling } = options;
  const refused = new Set<string>();
  const watch = createWatch(frozenAfter, onEvent);
  let troubles = 0;
  while (!signal.aborted) {
    let wait = every * (0.9 + 0.1 * Math.random());
    try {
      using _ = lock();
      const { version, changed } = await pull(source, data, {
        ...pulling,
        refused,
        signal,
        onLook: (pointer, olderThan) => watch.see(pointer, options.allowOlder ? undefined : olderThan),
      });
      troubles = 0;
      if (changed) {
        watch.take();
        onEvent({ event: "pulled", version });
      }
    } catch (error) {
      // An older snapshot at the source is told by the watch; one that was refused before was told then.
      const quiet = error instanceof Failure && error.exit === EXIT.unchanged;
      if (!quiet && !signal.aborted) {
        wait = Math.min(every, (every / SOONER) * 2 ** troubles) * (0.5 + 0.5 * Math.random());
        troubles += 1;
        const message = error instanceof Error ? error.message : String(error);
        watch.fail(message);
        onEvent({ event: "trouble", message, again: wait });
      }
    }
    if (signal.aborted) break;
    watch.check();
    onState?.(watch.state);
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The first look after trouble comes after this part of the interval. */
const SOONER = 16;
