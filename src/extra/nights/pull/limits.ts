/** Limits on a download, so that no source can keep it waiting for ever. */
export interface DownloadLimits {
  /** The timeout until a response begins, until a small one ends, and between two chunks of a large one. */
  timeoutMs: number;
  /** The time for the whole pull; `Infinity` for no limit. */
  totalMs: number;
  /** The least rate of a snapshot's body, on average in every period of `timeoutMs`. */
  minBytesPerSecond: number;
  /** How often in a row a download may break off without progress. */
  maxAttempts: number;
}

/** Default limits. At the slowest rate, a file of the largest size takes 18 hours. */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  timeoutMs: 30_000,
  totalMs: 86_400_000,
  minBytesPerSecond: 16_384,
  maxAttempts: 5,
};

/** Monitors the rate of a body. The timeout between chunks never ends one that sends a byte now and then. */
export interface ThroughputMonitor extends Disposable {
  /** Aborted when a period of `timeoutMs` brought too few bytes. */
  signal: AbortSignal;
  count(bytes: number): void;
}

export function monitorThroughput(limits: DownloadLimits): ThroughputMonitor {
  const controller = new AbortController();
  let received = 0;
  const timer = setInterval(() => {
    if (received < minBytesPerPeriod(limits)) controller.abort();
    received = 0;
  }, limits.timeoutMs);
  return {
    signal: controller.signal,
    count(bytes) {
      received += bytes;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Returns the least bytes in a period of `timeoutMs`. */
export const minBytesPerPeriod = ({ minBytesPerSecond, timeoutMs }: DownloadLimits): number =>
  (minBytesPerSecond * timeoutMs) / 1000;
