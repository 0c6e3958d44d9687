import { H3, type H3Event, type HTTPError, HTTPResponse } from "h3";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";
import type { Snapshot } from "../snapshot/read.ts";
import { createAnswers } from "./answers.ts";
import type { AuthProxy } from "./auth.ts";
import { describeIndex } from "./catalogue.ts";
import { describeOpenApi } from "./openapi.ts";
import { AUTH_ROUTES, INDEX_ROUTE, OPENAPI_ROUTE, pathParameter, unmatched } from "./routes.ts";

export interface AppDeps {
  snapshot: Snapshot;
  auth: AuthProxy;
  /** Told about faults of our own; the answer never shows them. */
  onFault: (error: unknown, path: string) => void;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The mirror as an h3 app: every route of the table, the index, the OpenAPI document and the three auth routes. */
export function createApp({ snapshot, auth, onFault }: AppDeps): H3 {
  const answer = createAnswers(snapshot);
  const index = JSON.stringify(describeIndex(snapshot.head));
  const openApi = JSON.stringify(describeOpenApi());
  const startedAt = Date.parse(snapshot.head.started_at);

  const reply = (event: H3Event, status: number, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const origin = event.req.headers.get("origin");
    const all = {
      "content-type": JSON_TYPE,
      "access-control-allow-origin": origin ?? "*",
      "access-control-expose-headers": "*",
      vary: "Origin",
      "x-content-type-options": "nosniff",
      "x-snapshot-version": snapshot.head.version,
      "x-snapshot-age": String(Math.max(0, Math.floor((Date.now() - startedAt) / 1000))),
      ...headers,
    };
    return new HTTPResponse(body, { status, headers: all });
  };

  const explain = (event: H3Event, error: unknown) => {
    if (error instanceof ApiError) return reply(event, error.status, JSON.stringify(error), error.headers);
    onFault(error, event.url.pathname);
    const hint = "Try again; if it stays, tell whoever runs this mirror.";
    return reply(event, 500, JSON.stringify(new ApiError("INTERNAL_ERROR", { message: "The mirror failed.", hint })));
  };

  const guarded = (event: H3Event, produce: () => string) => {
    try {
      return reply(event, 200, produce());
    } catch (error) {
      return explain(event, error);
    }
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

  const answerUnmatched = (event: H3Event) => {
    const { allowed, error } = unmatched(event.req.method, event.url.pathname);
    if (event.req.method !== "OPTIONS" || allowed.length === 0) return explain(event, error);
    return reply(event, 204, "", {
      allow: allowed.join(", "),
      "access-control-allow-methods": allowed.join(", "),
      "access-control-allow-headers": event.req.headers.get("access-control-request-headers") ?? "*",
      "access-control-max-age": "86400",
    });
  };

  for (const endpoint of ENDPOINTS) {
    app.get(endpoint.path.replace(/\{(\w+)\}/, ":$1"), (event) =>
      guarded(event, () => answer(endpoint, pathParameter(event), event.url.searchParams)),
    );
  }
  app.get(INDEX_ROUTE, (event) => guarded(event, () => index));
  app.get(OPENAPI_ROUTE, (event) => guarded(event, () => openApi));
  for (const path of AUTH_ROUTES) {
    app.post(path, async (event) => {
      try {
        const { status, body, headers } = await auth(event);
        return reply(event, status, body, { ...headers, "cache-control": "no-store" });
      } catch (error) {
        return explain(event, error);
      }
    });
  }
  return app;
}
