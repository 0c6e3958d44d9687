import type { IncomingMessage, ServerResponse } from "node:http";
import { createClientOf, type Trust } from "./client.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { routeOf } from "./routes.ts";
import type { Traced } from "./traced.ts";

type Reply = ServerResponse<IncomingMessage> & Traced;

/** Counts each request when its answer has ended, and writes its line where lines of requests are wanted; debug says more. */
export function createObserver(metrics: Metrics, log: Log, trust?: Trust) {
  const clientOf = createClientOf(trust);

  function ended(this: Reply) {
    const { method = "", url = "" } = this.req;
    const milliseconds = performance.now() - this.startedAt;
    metrics.end(method, url, this.writableFinished ? this.statusCode : 0, milliseconds / 1000);
    if (!log.info) return;
    const { remoteAddress } = this.req.socket;
    const client = log.debug && clientOf(remoteAddress, String(this.req.headers["x-forwarded-for"] ?? ""));
    log.info("request", describe(this, milliseconds, client));
  }
  return (_: IncomingMessage, response: ServerResponse) => {
    metrics.begin();
    response.on("close", ended);
  };
}

/**
 * The line of a request. Login calls are named by their route alone, whatever stands behind it in the address, and so is
 * everything else below it: a code typed at the wrong place is still a code.
 */
function describe({ req, id, statusCode, writableFinished }: Reply, milliseconds: number, client: string | undefined) {
  const [path = "", query] = (req.url ?? "").split("?", 2);
  const route = routeOf(path) ?? "other";
  const secret = /user/i.test(path) || !path.startsWith("/");
  return {
    id,
    method: req.method,
    route,
    ...(!secret && { path: path.slice(0, 200) }),
    status: statusCode,
    ms: Math.round(milliseconds * 100) / 100,
    ...(!writableFinished && { gone: true }),
    ...(client && !secret && query !== undefined && { query: query.slice(0, 500) }),
    ...(client && { client, agent: req.headers["user-agent"]?.slice(0, 200) }),
  };
}
