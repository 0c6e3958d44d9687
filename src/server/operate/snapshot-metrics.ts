import { ENDPOINT_STATES } from "../../api/refusals.ts";
import { isSample } from "../../api/sample-data.ts";
import { isFrozen, type SourceState } from "../../nights/pull/source-state.ts";
import { agesAt } from "../../snapshot/read/ages.ts";
import type { ServerStatus } from "../reload/active-snapshot.ts";
import { ageSeconds } from "../response/http-response.ts";
import type { CollectedMetric } from "./prometheus.ts";

const expiresAtMs = (source?: SourceState) => (source?.expires_at ? Date.parse(source.expires_at) : null);

const SOURCE_TIMES: [name: string, what: string, read: (source?: SourceState) => number | null | undefined][] = [
  ["last_look", "the source that is followed was last read", (source) => source?.looked_at],
  ["last_change", "something of the source was last published here", (source) => source?.changed_at],
  ["expires", "the signature of what the source points to expires", expiresAtMs],
  ["last_error", "following the source last failed; /health tells why", (source) => source?.error?.at],
];

const QUANTILES = [
  ["0.5", "p50"],
  ["0.95", "p95"],
  ["1", "oldest"],
] as const;

const agesNow = (served: ServerStatus) => agesAt(served.snapshot.askedTimes(), Date.now());

const ageMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_data_age_seconds",
    help: "Seconds since the crawl began that asked for the answers of an endpoint: so many of 1 are not older.",
    type: "gauge",
    labelNames: ["dataset", "quantile"],
    read: () =>
      agesNow(served).flatMap(({ dataset, ...ages }) =>
        QUANTILES.flatMap(([quantile, name]) => {
          const value = ages[name];
          return value === null ? [] : [{ labels: { dataset, quantile }, value }];
        }),
      ),
  },
  {
    name: "metasnap_data_never_asked",
    help: "Slices of an endpoint that nobody has asked for yet.",
    type: "gauge",
    labelNames: ["dataset"],
    read: () => agesNow(served).map(({ dataset, never_asked }) => ({ labels: { dataset }, value: never_asked })),
  },
  {
    name: "metasnap_data_suspect",
    help: "Answers of an endpoint that may have changed since they were asked.",
    type: "gauge",
    labelNames: ["dataset"],
    read: () => agesNow(served).map(({ dataset, suspect }) => ({ labels: { dataset }, value: suspect })),
  },
  {
    name: "metasnap_snapshot_rolling",
    help: "1 while the snapshot has answers of earlier nights.",
    type: "gauge",
    read: () => served.snapshot.head.rolling ?? 0,
  },
];

const refusalMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_data_refused",
    help: "Slices of an endpoint that the upstream refuses, carried over or missing.",
    type: "gauge",
    labelNames: ["dataset"],
    read: () => agesNow(served).map(({ dataset, refused }) => ({ labels: { dataset }, value: refused })),
  },
  {
    name: "metasnap_data_refused_since_timestamp_seconds",
    help: "When the crawl began since which the upstream refuses a group of slices, in seconds since 1970.",
    type: "gauge",
    labelNames: ["dimension", "value", "dataset"],
    read: () =>
      served.snapshot.refusals().map(({ dimension, value, dataset, since }) => ({
        labels: { dimension, value, dataset },
        value: Math.floor(Date.parse(since) / 1000),
      })),
  },
  {
    name: "metasnap_endpoints",
    help: "Endpoints by state: open, withdrawn by the upstream, or left out by the operator.",
    type: "gauge",
    labelNames: ["state"],
    read() {
      const states = [...served.snapshot.endpointStates().values()];
      return ENDPOINT_STATES.map((state) => ({
        labels: { state },
        value: states.filter((one) => one.state === state).length,
      }));
    },
  },
];

/** Of the snapshot, and of the source that is followed. */
export const snapshotMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_snapshot_age_seconds",
    help: "Seconds since the crawl of the snapshot began.",
    type: "gauge",
    read: () => ageSeconds(served.snapshot.head.started_at),
  },
  ...ageMetrics(served),
  ...refusalMetrics(served),
  {
    name: "metasnap_snapshot_misfits",
    help: "Values of the snapshot that do not fit the analysts' tables; the table misfit names them.",
    type: "gauge",
    read: () => served.snapshot.misfits(),
  },
  {
    name: "metasnap_snapshot_sample",
    help: "1 while the numbers that are served are made up.",
    type: "gauge",
    read: () => (isSample(served.snapshot.head) ? 1 : 0),
  },
  {
    name: "metasnap_snapshot_refused",
    help: "1 while a newer snapshot is refused; /health tells why.",
    type: "gauge",
    read: () => (served.problem === undefined ? 0 : 1),
  },
  {
    name: "metasnap_source_older",
    help: "1 while the source that is followed points to something older than what is in hand.",
    type: "gauge",
    read: () => (served.source?.older_than ? 1 : 0),
  },
  {
    name: "metasnap_source_frozen",
    help: "1 while the source that is followed has had nothing newer for longer than --frozen-after.",
    type: "gauge",
    read: () => (served.source && isFrozen(served.source) ? 1 : 0),
  },
  {
    name: "metasnap_source_sequence",
    help: "Number that the source gives what it points to; 0 where none is followed, or it gives none.",
    type: "gauge",
    read: () => served.source?.sequence ?? 0,
  },
  ...SOURCE_TIMES.map(
    ([name, what, read]): CollectedMetric => ({
      name: `metasnap_source_${name}_timestamp_seconds`,
      help: `When ${what}, in seconds since 1970; 0: never.`,
      type: "gauge",
      read: () => Math.floor((read(served.source) ?? 0) / 1000),
    }),
  ),
];
