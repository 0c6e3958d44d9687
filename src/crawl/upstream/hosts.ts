import { faultOf, type Reason } from "../../api/faults.ts";
import type { CrawlLog } from "../progress.ts";
import type { TransportError, Upstream, UpstreamResponse } from "./upstream.ts";

/** The configured hosts of the upstream, of which one is active. */
export interface Hosts {
  active(): Upstream;
  /** To be told about every reply that is not kept; true when another host takes over, so that asking again costs nothing. */
  recordFailure(reply: UpstreamResponse | TransportError, reason: Reason): boolean;
  recordSuccess(host: string): void;
  close(): Promise<void>;
}

/** So many failures in a row, and the next host is asked. */
const MAX_CONSECUTIVE_FAILURES = 4;

/**
 * Which host is asked next follows from the fault (api/faults.ts). A host that an answer names, by redirect or
 * `alternative_endpoint`, is moved to only when it is configured.
 */
export function createHosts(upstreams: readonly Upstream[], log: CrawlLog): Hosts {
  let index = 0;
  let failures = 0;
  const active = () => upstreams[index] as Upstream;

  function moveTo(next: number, why: string): boolean {
    if (next < 0 || next === index) return false;
    log("failover", { from: active().host, to: upstreams[next]?.host, why });
    index = next;
    failures = 0;
    return true;
  }

  return {
    active,
    recordSuccess(host) {
      if (host === active().host) failures = 0;
    },
    recordFailure(reply, reason) {
      // An answer that was on its way when another host took over says nothing about that one.
      if (reply.host !== active().host) return true;
      const { failover } = faultOf(reason);
      if (failover === undefined) return false;
      const named = "body" in reply ? upstreams.findIndex(({ host }) => namesHost(reply, host)) : -1;
      if (named >= 0) return moveTo(named, reason);
      if (failover === "named") return false;
      failures += 1;
      if (failover === "repeated" && failures < MAX_CONSECUTIVE_FAILURES) return false;
      return moveTo((index + 1) % upstreams.length, reason);
    },
    close: async () => {
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}

/** Whether a reply sends us to this host, by `Location` or by the body of a 503. */
function namesHost({ status, headers, body }: UpstreamResponse, host: string): boolean {
  if (status >= 300 && status < 400) return startsWith(String(headers.location ?? ""), host);
  try {
    const { details } = JSON.parse(body.toString("utf8")) as { details?: { alternative_endpoint?: unknown } };
    return startsWith(String(details?.alternative_endpoint ?? ""), host);
  } catch {
    return false;
  }
}

const startsWith = (url: string, host: string) => url === host || url.startsWith(`${host}/`);
