import { performance } from "node:perf_hooks";
import { SCHEMA_VERSION } from "../../snapshot/schema/version.ts";
import { PROGRAM_VERSION } from "../query/snapshot-handle.ts";
import { BUCKETS_SECONDS, type Metrics } from "./requests.ts";

type Labels = Readonly<Record<string, string>>;

/** A number that another part of the server keeps, read at each scrape. */
export interface CollectedMetric {
  name: string;
  help: string;
  type: "counter" | "gauge";
  /** One value for each set of labels, if it has any. */
  read: () => number | readonly { labels: Labels; value: number }[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All metrics, in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export function renderMetrics(requests: Metrics, readings: readonly CollectedMetric[]): string {
  const collected = [BUILD, ...PROCESS, ...requestMetrics(requests), ...readings].flatMap(
    ({ name, help, type, read }) => {
      const reading = read();
      const values = typeof reading === "number" ? [{ labels: {}, value: reading }] : reading;
      return [...headOf(name, help, type), ...values.map(({ labels, value }) => sampleOf(name, labels, value))];
    },
  );
  return `${[...collected, ...durations(requests)].join("\n")}\n`;
}

const headOf = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

function sampleOf(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

const escapeLabel = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

const BUILD: CollectedMetric = {
  name: "metasnap_build_info",
  help: "Versions of the program, of the schema that it writes, and of Node, as labels.",
  type: "gauge",
  read: () => [{ labels: { version: PROGRAM_VERSION, schema: SCHEMA_VERSION, node: process.versions.node }, value: 1 }],
};

/** The metrics of the process, under the names that client libraries of Prometheus give them. */
const PROCESS: readonly CollectedMetric[] = [
  {
    name: "process_cpu_seconds_total",
    help: "Processor time of the process, user and system, in seconds.",
    type: "counter",
    read() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970.",
    type: "gauge",
    read: () => performance.timeOrigin / 1000,
  },
  {
    name: "process_resident_memory_bytes",
    help: "Resident memory of the process.",
    type: "gauge",
    read: () => process.memoryUsage.rss(),
  },
  {
    name: "nodejs_heap_size_used_bytes",
    help: "Memory in use on the heap of V8.",
    type: "gauge",
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: "nodejs_eventloop_active_seconds_total",
    help: "Time in which the event loop was busy; near 1 a second, the process is at its limit.",
    type: "counter",
    read: () => performance.eventLoopUtilization().active / 1000,
  },
];

const requestMetrics = (metrics: Metrics): CollectedMetric[] => [
  {
    name: "metasnap_http_requests_in_flight",
    help: "Requests in progress.",
    type: "gauge",
    read: () => metrics.inFlight,
  },
  {
    name: "metasnap_http_refused_connections_total",
    help: "Connections that were refused before a complete request: malformed, too large or too slow.",
    type: "counter",
    read: () => [...metrics.refused].map(([status, value]) => ({ labels: { status: String(status) }, value })),
  },
];

function durations(metrics: Metrics): string[] {
  const name = "metasnap_http_request_duration_seconds";
  const samples = metrics.series().flatMap(({ route, method, status, count, sumSeconds, buckets }) => {
    const labels = { route, method, status };
    let below = 0;
    const cumulative = [...buckets].map((here, bucket) => {
      below += here;
      return sampleOf(`${name}_bucket`, { le: String(BUCKETS_SECONDS[bucket] ?? "+Inf"), ...labels }, below);
    });
    return [...cumulative, sampleOf(`${name}_sum`, labels, sumSeconds), sampleOf(`${name}_count`, labels, count)];
  });
  return [...headOf(name, "Time from the request to the last byte of its answer.", "histogram"), ...samples];
}
