import { ENDPOINT_STATES } from "../../api/parts.ts";
import { isSample } from "../../api/sample-data.ts";
import { isFrozen, type SourceState } from "../../network/source-state.ts";
import type { ServerStatus } from "../reload/active-snapshot.ts";
import type { CollectedMetric } from "./prometheus.ts";

const expiresAtMs = (source?: SourceState) => (source?.expires_at ? Date.parse(source.expires_at) : null);

const toSeconds = (time: string) => Math.floor(Date.parse(time) / 1000);

const SOURCE_TIMES: [name: string, what: string, read: (source?: SourceState) => number | null | undefined][] = [
  ["last_look", "the followed source was last read", (source) => source?.looked_at],
  ["last_change", "a snapshot of the followed source was last published here", (source) => source?.changed_at],
  ["expires", "the signature of the source's latest snapshot expires", expiresAtMs],
  ["last_error", "following the source last failed (/health has the reason)", (source) => source?.error?.at],
];

const SHARES = [
  ["0.5", "p50"],
  ["0.95", "p95"],
  ["1", "oldest"],
] as const;

const answerMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_data_asked_timestamp_seconds",
    help: "Time since which this share of the endpoint's answers was asked for, in seconds since 1970.",
    type: "gauge",
    read: () =>
      served.snapshot.askedTimes().flatMap(({ dataset, ...asked }) =>
        SHARES.flatMap(([share, name]) => {
          const time = asked[name];
          return time === null ? [] : [{ labels: { dataset, share }, value: toSeconds(time) }];
        }),
      ),
  },
  {
    name: "metasnap_data_never_asked_slices",
    help: "Slices of the endpoint that were never asked for.",
    type: "gauge",
    read: () =>
      served.snapshot.askedTimes().map(({ dataset, never_asked }) => ({ labels: { dataset }, value: never_asked })),
  },
  {
    name: "metasnap_data_suspect_slices",
    help: "Slices of the endpoint whose answers may be outdated.",
    type: "gauge",
    read: () => served.snapshot.askedTimes().map(({ dataset, suspect }) => ({ labels: { dataset }, value: suspect })),
  },
];

const closedMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_data_closed_slices",
    help: "Slices of the endpoint that could not be had because they lie in a closed part, carried over or not.",
    type: "gauge",
    read: () => served.snapshot.askedTimes().map(({ dataset, closed }) => ({ labels: { dataset }, value: closed })),
  },
  {
    name: "metasnap_data_closed_since_timestamp_seconds",
    help: "Start of the first crawl that found the part closed, in seconds since 1970.",
    type: "gauge",
    read: () =>
      served.snapshot.closedParts().map(({ dimension, value, dataset, since }) => ({
        labels: { dataset, dimension, value },
        value: toSeconds(since),
      })),
  },
  {
    name: "metasnap_endpoints",
    help: "Number of endpoints by state: open, closed, or left out by the operator.",
    type: "gauge",
    read() {
      const states = [...served.snapshot.endpointStates().values()];
      return ENDPOINT_STATES.map((state) => ({
        labels: { state },
        value: states.filter((endpoint) => endpoint.state === state).length,
      }));
    },
  },
];

/** The metrics of the snapshot and of the followed source. */
export const snapshotMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_snapshot_info",
    help: "Version of the snapshot that is served, as a label.",
    type: "gauge",
    read: () => [{ labels: { version: served.snapshot.head.version }, value: 1 }],
  },
  {
    name: "metasnap_snapshot_started_timestamp_seconds",
    help: "Start of the crawl of the snapshot, in seconds since 1970.",
    type: "gauge",
    read: () => toSeconds(served.snapshot.head.started_at),
  },
  {
    name: "metasnap_snapshot_slices",
    help: "Slices of the snapshot by state: captured by its crawl, carried over from an earlier run, or missing.",
    type: "gauge",
    read: () => Object.entries(served.snapshot.sliceStates()).map(([state, value]) => ({ labels: { state }, value })),
  },
  {
    name: "metasnap_snapshot_rolling",
    help: "1 if the snapshot has answers of earlier nights.",
    type: "gauge",
    read: () => served.snapshot.head.rolling ?? 0,
  },
  ...answerMetrics(served),
  ...closedMetrics(served),
  {
    name: "metasnap_snapshot_misfits",
    help: "Values that do not fit the analysts' tables. The table misfit lists them.",
    type: "gauge",
    read: () => served.snapshot.misfits(),
  },
  {
    name: "metasnap_snapshot_sample",
    help: "1 if the snapshot has made-up numbers.",
    type: "gauge",
    read: () => (isSample(served.snapshot.head) ? 1 : 0),
  },
  {
    name: "metasnap_snapshot_refused",
    help: "1 if the server refuses a newer snapshot. /health has the reason.",
    type: "gauge",
    read: () => (served.problem === undefined ? 0 : 1),
  },
  {
    name: "metasnap_source_older",
    help: "1 if the followed source points to an older snapshot than the one served here.",
    type: "gauge",
    read: () => (served.source?.older_than ? 1 : 0),
  },
  {
    name: "metasnap_source_frozen",
    help: "1 if the followed source has had nothing newer for longer than --frozen-after.",
    type: "gauge",
    read: () => (served.source && isFrozen(served.source) ? 1 : 0),
  },
  {
    name: "metasnap_source_sequence",
    help: "Publication number of the followed source's latest snapshot. 0: no source is followed, or it gives no number.",
    type: "gauge",
    read: () => served.source?.sequence ?? 0,
  },
  ...SOURCE_TIMES.map(
    ([name, what, read]): CollectedMetric => ({
      name: `metasnap_source_${name}_timestamp_seconds`,
      help: `Time when ${what}, in seconds since 1970. 0: never.`,
      type: "gauge",
      read: () => Math.floor((read(served.source) ?? 0) / 1000),
    }),
  ),
];
