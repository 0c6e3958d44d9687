import { setImmediate } from "node:timers/promises";

/** Gives the event loop a turn, in which signals are heard. Rejects with the reason of `stop` when it is aborted. */
export async function yieldOrAbort(stop?: AbortSignal): Promise<void> {
  await setImmediate();
  stop?.throwIfAborted();
}
