import { faultOf, type Reason, reasonOfStatus } from "../../api/faults.ts";
import type { CrawlLog } from "../progress.ts";
import type { TransportError, Upstream, UpstreamResponse } from "./upstream.ts";

type Reply = UpstreamResponse | TransportError;

/** The configured hosts of the upstream, of which one is active. */
export interface Hosts {
  active(): Upstream;
  /** Returns another configured host that an answer sends this one request to, by a redirect or as its `alternative_endpoint`. */
  namedBy(reply: Reply): { upstream: Upstream; why: Reason } | undefined;
  /** Takes every reply that is not kept; true if another host takes over, so that asking again costs nothing. */
  recordFailure(reply: Reply, reason: Reason, dataset: string): boolean;
  recordSuccess(host: string): void;
  /** Returns the first host, if it is time to look whether it is back. */
  toLookBackAt(): Upstream | undefined;
  comeBack(): void;
  close(): Promise<void>;
}

/** After so many failures in a row the next host is asked. */
const MAX_CONSECUTIVE_FAILURES = 4;
/** Failures that are not of the connection count against the host only if they are of so many endpoints. */
const LEAST_ENDPOINTS = 2;
/** A host that was left is looked at again after this time: pages of the upstream that say it is away return after it, too. */
const LOOK_BACK_MS = 5 * 60_000;

/**
 * Makes the hosts. One failure is no reason to fail over: the run goes to the next host after several in a row, and comes back to the
 * first. `now`: milliseconds of a clock that nobody sets.
 */
export function createHosts(upstreams: readonly Upstream[], log: CrawlLog, now = () => performance.now()): Hosts {
  let index = 0;
  let lookAt = 0;
  let failures: { dataset: string; isConnection: boolean }[] = [];
  const active = () => upstreams[index] as Upstream;

  function moveTo(next: number, why: string): boolean {
    if (next === index) return false;
    log("failover", { from: active().host, to: upstreams[next]?.host, why });
    index = next;
    lookAt = now() + LOOK_BACK_MS;
    failures = [];
    return true;
  }

  return {
    active,
    namedBy(reply) {
      if (!("body" in reply)) return undefined;
      const upstream = upstreams.find(({ host }) => host !== reply.host && namesHost(reply, host));
      return upstream && { upstream, why: reasonOfStatus(reply.status, false) };
    },
    recordSuccess(host) {
      if (host === active().host) failures = [];
    },
    toLookBackAt() {
      if (index === 0 || now() < lookAt) return undefined;
      lookAt = now() + LOOK_BACK_MS;
      return upstreams[0];
    },
    comeBack: () => void moveTo(0, "it is back"),
    recordFailure(reply, reason, dataset) {
      // An answer that was on its way when another host took over says nothing about that one.
      if (reply.host !== active().host) return true;
      const { failover } = faultOf(reason);
      if (failover === undefined) return false;
      const next = (index + 1) % upstreams.length;
      if (failover === "next") return moveTo(next, reason);
      failures.push({ dataset, isConnection: failover === "connection" });
      if (failures.length < MAX_CONSECUTIVE_FAILURES) return false;
      const isOfHost =
        failures.every(({ isConnection }) => isConnection) ||
        new Set(failures.map((failure) => failure.dataset)).size >= LEAST_ENDPOINTS;
      return isOfHost && moveTo(next, reason);
    },
    close: async () => {
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}

/** Tells whether a reply sends the request to this host, by `Location` or by the body of a 503. */
function namesHost({ status, headers, body }: UpstreamResponse, host: string): boolean {
  if (status >= 300 && status < 400) return startsWith(String(headers.location ?? ""), host);
  if (status !== 503) return false;
  try {
    const { details } = JSON.parse(body.toString("utf8")) as { details?: { alternative_endpoint?: unknown } };
    return startsWith(String(details?.alternative_endpoint ?? ""), host);
  } catch {
    return false;
  }
}

const startsWith = (url: string, host: string) => url === host || url.startsWith(`${host}/`);
