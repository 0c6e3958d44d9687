import type { DownloadLimits } from "./limits.ts";

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
