import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../../api/failure.ts";
import { type PullOptions, pull } from "./pull.ts";

export interface FollowOptions extends PullOptions {
  /** Milliseconds between two looks at a source that is well. */
  every: number;
  signal: AbortSignal;
  /** Nobody else publishes in the folder while it is held. */
  lock: () => Disposable;
  onEvent?: (event: FollowEvent) => void;
}

export type FollowEvent = { event: "pulled"; version: string } | { event: "trouble"; message: string; again: number };

/**
 * Pulls again and again until it is told to stop. Looks are spread by a tenth, so that a thousand mirrors do not come at
 * once; after trouble it comes back sooner, then less and less often, never more rarely than `every`.
 */
export async function follow(source: URL, data: string, { every, signal, lock, onEvent, ...options }: FollowOptions) {
  const refused = new Set<string>();
  let troubles = 0;
  while (!signal.aborted) {
    let wait = every * (0.9 + 0.1 * Math.random());
    try {
      using _ = lock();
      const { version, changed } = await pull(source, data, { ...options, refused, signal });
      troubles = 0;
      if (changed) onEvent?.({ event: "pulled", version });
    } catch (error) {
      // An older snapshot at the source is no trouble, nor one that was refused before: nothing is new.
      const quiet = error instanceof Failure && error.exit === EXIT.unchanged;
      if (!quiet && !signal.aborted) {
        wait = Math.min(every, (every / SOONER) * 2 ** troubles) * (0.5 + 0.5 * Math.random());
        troubles += 1;
        onEvent?.({ event: "trouble", message: error instanceof Error ? error.message : String(error), again: wait });
      }
    }
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The first look after trouble comes after this part of the interval. */
const SOONER = 16;
