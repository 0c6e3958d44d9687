import { ApiError } from "../../api/errors.ts";
import { toJson } from "../../api/harmless.ts";
import { isFrozen, type SourceState } from "../../nights/pull/source-state.ts";
import type { ServerStatus } from "../reload/active-snapshot.ts";
import { ageSeconds } from "../response/http-response.ts";
import type { OPERATION_ROUTES } from "../routes/routes.ts";
import { createMetrics } from "./metrics.ts";
import { createExposition, type Reading } from "./prometheus.ts";

export interface OperationDeps {
  served: ServerStatus;
  /** Milliseconds; an older snapshot is not ready. */
  maxAge?: number | undefined;
  /** The process is about to end. */
  ending?: () => boolean;
  /** Of the process, in milliseconds since 1970. */
  startedAt?: number;
  exposition?: () => Promise<{ body: string; type: string }>;
}

export interface OperationAnswer {
  body: string;
  headers?: Record<string, string>;
}

export type Operation = Record<(typeof OPERATION_ROUTES)[number], () => OperationAnswer | Promise<OperationAnswer>>;

/** The routes for whoever runs the mirror. */
export function createOperation({ served, maxAge, ...rest }: OperationDeps): Operation {
  const { ending = () => false, startedAt = Date.now(), exposition = createExposition(createMetrics(), []) } = rest;

  /** 200 as long as it serves, however old the snapshot is. */
  function health(): OperationAnswer {
    const { problem = null, loadedAtMs, verified, source } = served;
    const { version, schema_version, started_at } = served.snapshot.head;
    const age = ageSeconds(started_at);
    const snapshot = {
      version,
      schema_version,
      started_at,
      age,
      verified,
      served_for: seconds(Date.now() - loadedAtMs),
    };
    return wrap({
      status: ending() ? "ending" : "serving",
      snapshot,
      problem: problem && withoutFolders(problem),
      ...(source && { source: describeSource(source) }),
      uptime: seconds(Date.now() - startedAt),
    });
  }

  function ready(): OperationAnswer {
    const { version, started_at } = served.snapshot.head;
    const age = ageSeconds(started_at);
    if (ending()) throw notReady("The mirror is shutting down.", "Ask another.", version);
    if (maxAge !== undefined && 1000 * age > maxAge)
      throw notReady(
        "The snapshot is older than this mirror allows.",
        "Ask another mirror, or crawl again.",
        `${version} is ${age} seconds old, allowed are ${seconds(maxAge)}`,
      );
    return wrap({ ready: true, age });
  }

  async function metrics(): Promise<OperationAnswer> {
    const { body, type } = await exposition();
    return { body, headers: { "content-type": type } };
  }

  return { "/health": health, "/ready": ready, "/metrics": metrics };
}

const TIMES: [name: string, what: string, read: (source?: SourceState) => number | null | undefined][] = [
  ["last_look", "the source that is followed was last read", (source) => source?.looked_at],
  ["last_change", "something of the source was last published here", (source) => source?.changed_at],
  ["last_error", "following the source last failed; /health tells why", (source) => source?.error?.at],
];

/** What `/metrics` tells of the snapshot and of the source that is followed. */
export const snapshotReadings = (served: ServerStatus): Reading[] => [
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
  ...TIMES.map(
    ([name, what, read]): Reading => ({
      name: `metasnap_source_${name}_timestamp_seconds`,
      help: `When ${what}, in seconds since 1970; 0: never.`,
      type: "gauge",
      read: () => seconds(read(served.source) ?? 0),
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
  moved_at: toTime(moved_at),
  looked_at: toTime(looked_at),
  changed_at: toTime(changed_at),
  error: error && { message: withoutFolders(error.message), at: toTime(error.at) },
  frozen: isFrozen({ moved_at, ...source }),
});

const toTime = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Where files lie on this machine is nobody's business but the operator's, whose log has it. */
const withoutFolders = (text: string) => text.replaceAll(/[^\s:'"(]*\/([^\s/:'")]*)/g, "$1");

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

const wrap = (data: object): OperationAnswer => ({ body: toJson({ code: 0, message: "OK", data }) });

const notReady = (message: string, hint: string, detail: string) =>
  new ApiError("NOT_READY", { message, hint, detail });
