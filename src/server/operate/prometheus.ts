import type { Metric } from "prom-client";
import { BUCKETS_SECONDS, type Metrics, type Series } from "./requests.ts";

/** A number that another part of the server keeps, read at each scrape. */
export interface CollectedMetric {
  name: string;
  help: string;
  type: "counter" | "gauge";
  labelNames?: readonly string[];
  /** One for each set of labels, where it has any. */
  read: () => number | readonly { labels: Readonly<Record<string, string>>; value: number }[];
}

/** Renders all metrics, and those of the process, in the text format of Prometheus; `type` is its media type. */
export function createMetricsRenderer(metrics: Metrics, readings: readonly CollectedMetric[]) {
  let made: ReturnType<typeof createRegistry> | undefined;
  return async (): Promise<{ body: string; type: string }> => {
    made ??= createRegistry(metrics, readings);
    const registry = await made;
    return { body: await registry.metrics(), type: registry.contentType };
  };
}

/** Imports the library at the first scrape: a start is faster without. */
async function createRegistry(metrics: Metrics, readings: readonly CollectedMetric[]) {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import("prom-client")).default;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(durationHistogram(metrics) as unknown as Metric);
  new Gauge({
    name: "metasnap_http_requests_in_flight",
    help: "Requests that are being answered.",
    registers,
    collect() {
      this.set(metrics.inFlight);
    },
  });
  new Counter({
    name: "metasnap_http_refused_total",
    help: "Connections refused before there was a request: malformed, too large, too slow.",
    labelNames: ["status"],
    registers,
    collect() {
      this.reset();
      for (const [status, count] of metrics.refused) this.inc({ status }, count);
    },
  });
  for (const { name, help, type, labelNames = [], read } of readings) {
    const collect = (metric: { reset(): void; inc(labels: Readonly<Record<string, string>>, value: number): void }) => {
      const found = read();
      metric.reset();
      for (const { labels, value } of typeof found === "number" ? [{ labels: {}, value: found }] : found)
        metric.inc(labels, value);
    };
    const Kind = type === "counter" ? Counter : Gauge;
    new Kind({
      name,
      help,
      labelNames,
      registers,
      collect() {
        collect(this);
      },
    });
  }
  return registry;
}

/** The library's own histogram only takes single observations; this one returns what requests.ts has counted. */
const durationHistogram = (metrics: Metrics) => ({
  name: "metasnap_http_request_duration_seconds",
  help: "Time from the request to the last byte of its answer.",
  type: "histogram",
  aggregator: "sum",
  reset() {},
  get() {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: metrics.series().flatMap((series) => samplesOf(name, series)) };
  },
});

function samplesOf(name: string, { route, method, status, count, sumSeconds, buckets }: Series) {
  const labels = { route, method, status };
  let below = 0;
  const cumulative = [...buckets].map((here, at) => {
    below += here;
    return { metricName: `${name}_bucket`, labels: { le: BUCKETS_SECONDS[at] ?? "+Inf", ...labels }, value: below };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
