import { type RequestListener, STATUS_CODES } from "node:http";
import { H3, type H3Event, type HTTPError, toNodeHandler } from "h3";
import { FastResponse } from "srvx";
import { ApiError } from "../api/errors.ts";
import { addApiRoutes } from "./api-routes.ts";
import type { AuthProxy } from "./auth.ts";
import { createOperation, type Operation } from "./operation.ts";
import { COMMON, type Guard, internalError, type Origin, type Reply, replyError } from "./reply.ts";
import { AUTH_ROUTES, OPERATION_ROUTES, unmatched } from "./routes.ts";
import type { Shelf } from "./shelf.ts";
import { addSnapshotRoutes } from "./snapshot-routes.ts";
import type { Versions } from "./versions.ts";

export interface AppDeps {
  shelf: Shelf;
  /** The published snapshots; without them there is only the one that is served. */
  versions?: Versions;
  auth: AuthProxy;
  operation?: Operation;
  /** Told about faults of our own; the answer never shows them. */
  onFault: (error: unknown, event: H3Event) => void;
}

/** The mirror as an h3 app: every route of the table, the documents, the snapshots and the three auth routes. */
export function createApp({ shelf, versions, auth, onFault, ...deps }: AppDeps): H3 {
  const { operation = createOperation({ served: shelf }) } = deps;
  const explain = (event: H3Event, error: unknown, origin: Origin = shelf.current) => {
    if (!(error instanceof ApiError)) onFault(error, event);
    return send(replyError(error instanceof ApiError ? error : internalError(), origin.about()));
  };

  const guarded: Guard = (event, produce, origin) => {
    try {
      const reply = produce();
      return reply instanceof Promise
        ? reply.then(send, (error: unknown) => explain(event, error, origin))
        : send(reply);
    } catch (error) {
      return explain(event, error, origin);
    }
  };

  const answerUnmatched = (event: H3Event) => {
    const { allowed, error } = unmatched(event.req.method, event.url.pathname);
    if (event.req.method !== "OPTIONS" || allowed.length === 0) return explain(event, error);
    return send(replyOptions(allowed, event, shelf.current));
  };

  const app = new H3({
    silent: true,
    // A broken escape is part of a name that no hero has.
    allowMalformedURL: true,
    // h3 comes here with what no route has taken, and with what a route has thrown.
    onError: (error: HTTPError, event) => {
      return error.unhandled ? explain(event, error.cause ?? error) : answerUnmatched(event);
    },
  });
  addApiRoutes(app, "", () => shelf.current, { cache: shelf.cache, guarded });
  if (versions) addSnapshotRoutes(app, { shelf, versions, guarded });
  for (const path of AUTH_ROUTES) {
    app.post(path, (event) =>
      guarded(event, async () => {
        const { status, body, headers } = await auth(event);
        const about = shelf.current.about();
        return { status, body, headers: { ...COMMON, ...about, ...headers, "cache-control": "no-store" } };
      }),
    );
  }
  for (const path of OPERATION_ROUTES) {
    app.get(path, (event) =>
      guarded(event, async () => {
        const { body, headers } = await operation[path]();
        const about = shelf.current.about();
        return { status: 200, body, headers: { ...COMMON, ...about, ...headers, "cache-control": "no-store" } };
      }),
    );
  }
  return app;
}

export function createHandledApp(deps: AppDeps): { app: H3; handle: RequestListener } {
  const app = createApp(deps);
  return { app, handle: toNodeHandler(app) as RequestListener };
}

// Not h3's own response, which reads every header into an object. It hands streams through, which its type does not say.
const send = ({ status, headers, body }: Reply) =>
  new FastResponse(status === 204 || status === 304 ? null : (body as string), {
    status,
    statusText: STATUS_CODES[status] ?? "",
    headers,
  });

function replyOptions(allowed: readonly string[], event: H3Event, { about }: Origin): Reply {
  const { "content-type": _, ...common } = COMMON;
  const headers = {
    ...common,
    ...about(),
    allow: allowed.join(", "),
    "access-control-allow-methods": allowed.join(", "),
    "access-control-allow-headers": event.req.headers.get("access-control-request-headers") ?? "*",
    "access-control-max-age": "86400",
    "cache-control": "no-store",
    vary: "Access-Control-Request-Headers",
  };
  return { status: 204, headers, body: "" };
}
