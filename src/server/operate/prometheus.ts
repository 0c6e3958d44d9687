import type { Metric } from "prom-client";
import { BUCKETS, type Metrics, type Series } from "./metrics.ts";

/** A number that another part of the server keeps, read when it is asked for. */
export interface Reading {
  name: string;
  help: string;
  type: "counter" | "gauge";
  read: () => number;
}

/** Writes the metrics in the text format of Prometheus, with those of the process beside them. */
export function createExposition(metrics: Metrics, readings: readonly Reading[]) {
  let made: ReturnType<typeof createRegistry> | undefined;
  return async (): Promise<{ body: string; type: string }> => {
    made ??= createRegistry(metrics, readings);
    const registry = await made;
    return { body: await registry.metrics(), type: registry.contentType };
  };
}

/** Imported by the first that asks: most starts are faster without. */
async function createRegistry(metrics: Metrics, readings: readonly Reading[]) {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import("prom-client")).default;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(durations(metrics) as unknown as Metric);
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
  for (const { name, help, type, read } of readings) {
    const collect = (metric: { reset(): void; inc(value: number): void }) => {
      metric.reset();
      metric.inc(read());
    };
    const Kind = type === "counter" ? Counter : Gauge;
    new Kind({
      name,
      help,
      registers,
      collect() {
        collect(this);
      },
    });
  }
  return registry;
}

/** The library's own histogram can only be fed value by value; this one hands over what was counted. */
const durations = (metrics: Metrics) => ({
  name: "metasnap_http_request_duration_seconds",
  help: "Time from the request to the last byte of its answer.",
  type: "histogram",
  aggregator: "sum",
  reset() {},
  get() {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: metrics.series().flatMap((series) => valuesOf(name, series)) };
  },
});

function valuesOf(name: string, { route, method, status, count, sum, buckets }: Series) {
  const labels = { route, method, status };
  let below = 0;
  const cumulative = [...buckets].map((here, at) => {
    below += here;
    return { metricName: `${name}_bucket`, labels: { le: BUCKETS[at] ?? "+Inf", ...labels }, value: below };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
