import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../../../api/failure.ts";
import type { SourceState } from "../../../network/source-state.ts";
import type { Publication } from "../../../snapshot/published/publish.ts";
import { type PullOptions, pull } from "./pull.ts";
import { type SourceEvent, trackSource } from "./track-source.ts";

export interface FollowSourceOptions extends Omit<PullOptions, "onPoll"> {
  /** The time between two polls of a source that answers. */
  intervalMs: number;
  /** A source that has published nothing newer for so long is frozen. */
  frozenAfterMs: number;
  /** Ends the following. */
  signal: AbortSignal;
  /** Locks the folder against other publishers during a pull. */
  lock: () => Disposable;
  onEvent?: (event: FollowEvent) => void;
  /** Aborts if the next poll shall not wait; asked for anew before each wait. */
  hurry?: () => AbortSignal;
  /** Called after every poll. */
  onState?: (state: SourceState) => void;
}

export type FollowEvent =
  | ({ event: "pulled" } & Pick<Publication, "version" | "unsigned" | "corrupt">)
  | { event: "failed"; message: string; retryMs: number }
  | SourceEvent;

/** After a failure the interval starts at this part of itself and doubles with each further one. */
const FIRST_RETRY_DIVISOR = 16;

/**
 * Pulls again and again until `signal` aborts; failures are told to `onEvent` and never reject. Intervals vary by a tenth,
 * so that mirrors that started together do not poll together; retries back off exponentially with jitter up to the interval.
 */
export async function followSource(source: URL, data: string, options: FollowSourceOptions): Promise<void> {
  const { intervalMs, frozenAfterMs, signal, lock, onEvent = () => {}, onState, hurry, ...pullOptions } = options;
  const refused = new Set<string>();
  const tracker = trackSource(frozenAfterMs, onEvent);
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = intervalMs * (0.9 + 0.1 * Math.random());
    try {
      using _ = lock();
      const { version, changed, unsigned, corrupt } = await pull(source, data, {
        ...pullOptions,
        refused,
        signal,
        onPoll: (pointer, olderThan) => tracker.recordPoll(pointer, options.allowOlder ? undefined : olderThan),
      });
      failures = 0;
      if (changed) {
        tracker.recordPublished();
        onEvent({ event: "pulled", version, ...(unsigned && { unsigned }), ...(corrupt && { corrupt }) });
      }
    } catch (error) {
      // The tracker reports an older snapshot at the source; one that was refused before was reported then.
      const isReported = error instanceof Failure && error.exit === EXIT.unchanged;
      if (!isReported && !signal.aborted) {
        const backoffMs = Math.min(intervalMs, (intervalMs / FIRST_RETRY_DIVISOR) * 2 ** failures);
        waitMs = backoffMs * (0.5 + 0.5 * Math.random());
        failures += 1;
        const message = error instanceof Error ? error.message : String(error);
        tracker.recordFailure(message);
        onEvent({ event: "failed", message, retryMs: waitMs });
      }
    }
    if (signal.aborted) break;
    tracker.checkFrozen();
    onState?.(tracker.state);
    const woken = AbortSignal.any([signal, ...(hurry ? [hurry()] : [])]);
    await sleep(waitMs, undefined, { signal: woken, ref: false }).catch(() => {});
  }
}
