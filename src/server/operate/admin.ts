import { ApiError } from "../../api/errors.ts";
import { isSample } from "../../api/sample-data.ts";
import { toSanitizedJson } from "../../api/sanitize.ts";
import { isFrozen, type SourceState } from "../../network/source-state.ts";
import { agesAt, findTooOld } from "../../snapshot/read/ages.ts";
import type { DocumentOf } from "../contract/documents.ts";
import { tellClosedParts } from "../query/not-captured.ts";
import type { ServerStatus } from "../reload/active-snapshot.ts";
import { ageSeconds } from "../response/http-response.ts";
import type { AdminReply, AdminRoutes } from "../routes/route.ts";
import { type CollectedMetric, METRICS_TYPE, renderMetrics } from "./prometheus.ts";
import { createMetrics, type Metrics } from "./requests.ts";

export interface AdminDeps {
  status: ServerStatus;
  /** The maximum age of a snapshot that is ready. */
  maxAgeMs?: number | undefined;
  /** The maximum age of answers of a ready snapshot, by dataset. All must have been asked for, except for those in closed parts. */
  maxAgeOf?: ReadonlyMap<string, number> | undefined;
  /** Tells whether the process is shutting down. */
  isStopping?: () => boolean;
  /** Start of the process, in milliseconds since 1970. */
  startedAtMs?: number;
  requests?: Metrics;
  /** Metrics besides those of requests and process. */
  readings?: readonly CollectedMetric[];
}

/** Makes the routes for the operator. `/ready` throws an ApiError NOT_READY. */
export function createAdminRoutes({ status, maxAgeMs, maxAgeOf, ...rest }: AdminDeps): AdminRoutes {
  const { isStopping = () => false, startedAtMs = Date.now(), requests = createMetrics(), readings = [] } = rest;

  /** Answers 200 as long as the server serves, however old the snapshot is. */
  function health(): AdminReply {
    const { problem = null, loadedAtMs, verified, source } = status;
    const { version, schema_version, started_at, sample, rolling } = status.snapshot.head;
    const age = ageSeconds(started_at);
    const snapshot = {
      version,
      schema_version,
      started_at,
      sample: isSample({ sample }),
      rolling: rolling === 1,
      age,
      ages: agesAt(status.snapshot.askedTimes(), Date.now()),
      closed: tellClosedParts(status.snapshot),
      verified,
      served_for: toSeconds(Date.now() - loadedAtMs),
    };
    return toReply<"Health">({
      status: isStopping() ? "ending" : status.withheld ? "withheld" : "serving",
      snapshot,
      problem: problem && withoutFolders(problem),
      ...(source && { source: describeSource(source) }),
      uptime: toSeconds(Date.now() - startedAtMs),
    });
  }

  function ready(): AdminReply {
    const { version, started_at } = status.snapshot.head;
    const age = ageSeconds(started_at);
    if (status.withheld) throw notReady("The snapshot no longer has its signed bytes.", "Ask another mirror.", version);
    if (isStopping()) throw notReady("The mirror is shutting down.", "Ask another mirror.", version);
    if (maxAgeMs !== undefined && 1000 * age > maxAgeMs)
      throw notReady(
        "The snapshot is older than this mirror allows.",
        "Ask another mirror, or crawl again.",
        `${version} is ${age} seconds old, allowed are ${toSeconds(maxAgeMs)}`,
      );
    const tooOld = maxAgeOf ? findTooOld(status.snapshot.askedTimes(), maxAgeOf, Date.now()) : [];
    if (tooOld.length > 0)
      throw notReady(
        "The snapshot has older answers than this mirror allows.",
        "Ask another mirror, or crawl again.",
        `${version}: ${tooOld.join("; ")}`,
      );
    return toReply<"Ready">({ ready: true, age });
  }

  const metrics = (): AdminReply => ({
    body: renderMetrics(requests, readings),
    headers: { "content-type": METRICS_TYPE },
  });

  return { health, ready, metrics };
}

const describeSource = ({
  version,
  sequence,
  expires_at,
  older_than,
  moved_at,
  looked_at,
  changed_at,
  error,
  ...source
}: SourceState) => ({
  version,
  sequence,
  expires_at,
  older_than,
  moved_at: toIso(moved_at),
  looked_at: toIso(looked_at),
  changed_at: toIso(changed_at),
  error: error && { message: withoutFolders(error.message), at: toIso(error.at) },
  frozen: isFrozen({ moved_at, ...source }),
});

const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Removes folders: clients must not learn those of this machine; the log has them. */
const withoutFolders = (text: string) => text.replaceAll(/[^\s:'"(]*\/([^\s/:'")]*)/g, "$1");

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

const toReply = <Name extends "Health" | "Ready">(data: DocumentOf<Name>["data"]): AdminReply => ({
  body: toSanitizedJson({ code: 0, message: "OK", data }),
});

const notReady = (message: string, hint: string, detail: string) =>
  new ApiError("NOT_READY", { message, hint, detail });
