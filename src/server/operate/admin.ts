import { ApiError } from "../../api/errors.ts";
import { isSample } from "../../api/sample-data.ts";
import { toSanitizedJson } from "../../api/sanitize.ts";
import { isFrozen, type SourceState } from "../../nights/pull/source-state.ts";
import type { ServerStatus } from "../reload/active-snapshot.ts";
import { ageSeconds } from "../response/http-response.ts";
import type { AdminAnswer, AdminRoutes } from "../routes/document.ts";
import { type CollectedMetric, createMetricsRenderer } from "./prometheus.ts";
import { createMetrics } from "./requests.ts";

export interface AdminDeps {
  status: ServerStatus;
  /** An older snapshot is not ready. */
  maxAgeMs?: number | undefined;
  /** Whether the process is shutting down. */
  isStopping?: () => boolean;
  /** Of the process, since 1970. */
  startedAtMs?: number;
  renderMetrics?: () => Promise<{ body: string; type: string }>;
}

/** The routes for the operator. `/ready` throws an ApiError NOT_READY. */
export function createAdminRoutes({ status, maxAgeMs, ...rest }: AdminDeps): AdminRoutes {
  const {
    isStopping = () => false,
    startedAtMs = Date.now(),
    renderMetrics = createMetricsRenderer(createMetrics(), []),
  } = rest;

  /** 200 as long as it serves, however old the snapshot is. */
  function health(): AdminAnswer {
    const { problem = null, loadedAtMs, verified, source } = status;
    const { version, schema_version, started_at, sample } = status.snapshot.head;
    const age = ageSeconds(started_at);
    const snapshot = {
      version,
      schema_version,
      started_at,
      sample: isSample({ sample }),
      age,
      verified,
      served_for: toSeconds(Date.now() - loadedAtMs),
    };
    return toAnswer({
      status: isStopping() ? "ending" : "serving",
      snapshot,
      problem: problem && withoutFolders(problem),
      ...(source && { source: describeSource(source) }),
      uptime: toSeconds(Date.now() - startedAtMs),
    });
  }

  function ready(): AdminAnswer {
    const { version, started_at } = status.snapshot.head;
    const age = ageSeconds(started_at);
    if (isStopping()) throw notReady("The mirror is shutting down.", "Ask another.", version);
    if (maxAgeMs !== undefined && 1000 * age > maxAgeMs)
      throw notReady(
        "The snapshot is older than this mirror allows.",
        "Ask another mirror, or crawl again.",
        `${version} is ${age} seconds old, allowed are ${toSeconds(maxAgeMs)}`,
      );
    return toAnswer({ ready: true, age });
  }

  async function metrics(): Promise<AdminAnswer> {
    const { body, type } = await renderMetrics();
    return { body, headers: { "content-type": type } };
  }

  return { health, ready, metrics };
}

const SOURCE_TIMES: [name: string, what: string, read: (source?: SourceState) => number | null | undefined][] = [
  ["last_look", "the source that is followed was last read", (source) => source?.looked_at],
  ["last_change", "something of the source was last published here", (source) => source?.changed_at],
  ["last_error", "following the source last failed; /health tells why", (source) => source?.error?.at],
];

/** Of the snapshot, and of the source that is followed. */
export const snapshotMetrics = (served: ServerStatus): CollectedMetric[] => [
  {
    name: "metasnap_snapshot_age_seconds",
    help: "Seconds since the crawl of the snapshot began.",
    type: "gauge",
    read: () => ageSeconds(served.snapshot.head.started_at),
  },
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
      read: () => toSeconds(read(served.source) ?? 0),
    }),
  ),
];

const describeSource = ({
  version,
  sequence,
  older_than,
  moved_at,
  looked_at,
  changed_at,
  error,
  ...source
}: SourceState) => ({
  version,
  sequence,
  older_than,
  moved_at: toIso(moved_at),
  looked_at: toIso(looked_at),
  changed_at: toIso(changed_at),
  error: error && { message: withoutFolders(error.message), at: toIso(error.at) },
  frozen: isFrozen({ moved_at, ...source }),
});

const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Clients must not learn the folders of this machine; the log has them. */
const withoutFolders = (text: string) => text.replaceAll(/[^\s:'"(]*\/([^\s/:'")]*)/g, "$1");

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

const toAnswer = (data: object): AdminAnswer => ({ body: toSanitizedJson({ code: 0, message: "OK", data }) });

const notReady = (message: string, hint: string, detail: string) =>
  new ApiError("NOT_READY", { message, hint, detail });
