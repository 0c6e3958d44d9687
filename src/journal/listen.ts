import { setImmediate } from "node:timers/promises";

/** A turn of the event loop: without one no signal is heard. Throws when one was. */
export async function listen(stop?: AbortSignal): Promise<void> {
  await setImmediate();
  stop?.throwIfAborted();
}
