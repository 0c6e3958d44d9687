/** Milliseconds in which what is over ends by itself. */
const LINGER = 200;

/**
 * Runs something with a signal that the first Ctrl-C or SIGTERM aborts. A second one ends the process at once, as the
 * system does.
 */
export async function stoppable<T>(action: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const forget = () => void process.off("SIGINT", hear).off("SIGTERM", hear);
  function hear() {
    forget();
    stop.abort();
  }
  process.on("SIGINT", hear).on("SIGTERM", hear);
  try {
    return await action(stop.signal);
  } finally {
    forget();
    // A name that is still being looked up would hold the process for many seconds.
    if (stop.signal.aborted) setTimeout(() => process.exit(), LINGER).unref();
  }
}
