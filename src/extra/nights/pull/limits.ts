/** Limits on a download, so that no source can keep it waiting for ever. */
export interface DownloadLimits {
  /** Until a response begins, until a small one ends, and between two chunks of a large one. */
  timeoutMs: number;
  /** For the whole pull; `Infinity` for no limit. */
  totalMs: number;
  /** What the body of a snapshot must bring on average in every period of `timeoutMs`. */
  minBytesPerSecond: number;
  /** How often in a row a download may break off without getting further. */
  maxAttempts: number;
}

/** At the slowest rate, a file of the largest size takes 18 hours. */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  timeoutMs: 30_000,
  totalMs: 86_400_000,
  minBytesPerSecond: 16_384,
  maxAttempts: 5,
};

/** Watches how fast a body comes. The timeout between chunks never ends one that sends a byte now and then. */
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

/** What must come in a period of `timeoutMs`. */
export const minBytesPerPeriod = ({ minBytesPerSecond, timeoutMs }: DownloadLimits): number =>
  (minBytesPerSecond * timeoutMs) / 1000;
