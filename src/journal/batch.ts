/** More waiting bytes are written at once: large answers that come together are not in memory together. */
const MAX_BATCH_BYTES = 4 * 2 ** 20;

/**
 * Writes what comes in one turn of the event loop in one go: a commit costs the same for one item as for ten. Each
 * promise is kept when its item is written, and rejects with the fault that kept it from being so.
 */
export function createBatch<T extends { body: Buffer }>(write: (items: T[]) => void): (item: T) => Promise<void> {
  let bytes = 0;
  let waiting: { item: T; done: () => void; failed: (fault: unknown) => void }[] = [];

  function flush() {
    const batch = waiting;
    waiting = [];
    bytes = 0;
    if (batch.length === 0) return;
    try {
      write(batch.map(({ item }) => item));
      for (const { done } of batch) done();
    } catch (fault) {
      for (const { failed } of batch) failed(fault);
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ item, done, failed });
      bytes += item.body.length;
      if (bytes > MAX_BATCH_BYTES) flush();
    });
}
