/**
 * Writes what comes in one turn of the event loop in one go: a commit costs the same for one item as for ten. Each
 * promise is kept when its item is written, and rejects with the fault that kept it from being so.
 */
export function createBatch<T>(write: (items: T[]) => void): (item: T) => Promise<void> {
  let waiting: { item: T; done: () => void; failed: (fault: unknown) => void }[] = [];

  function flush() {
    const batch = waiting;
    waiting = [];
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
    });
}
