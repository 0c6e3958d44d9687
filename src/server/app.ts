import { STATUS_CODES } from "node:http";
import { H3, type H3Event, type HTTPError, HTTPResponse } from "h3";
import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";
import type { AuthProxy } from "./auth.ts";
import type { Edition } from "./edition.ts";
import { finish } from "./page.ts";
import { type Asked, COMMON, internalError, type Reply, replyError } from "./reply.ts";
import { AUTH_ROUTES, INDEX_ROUTE, OPENAPI_ROUTE, pathParameter, unmatched } from "./routes.ts";
import type { Shelf } from "./shelf.ts";

export interface AppDeps {
  shelf: Shelf;
  auth: AuthProxy;
  /** Told about faults of our own; the answer never shows them. */
  onFault: (error: unknown, path: string) => void;
}

/** The mirror as an h3 app: every route of the table, the index, the OpenAPI document and the three auth routes. */
export function createApp({ shelf, auth, onFault }: AppDeps): H3 {
  const { cache } = shelf;
  const send = ({ status, headers, body }: Reply) =>
    new HTTPResponse(body as string, { status, statusText: STATUS_CODES[status] ?? "", headers });

  const explain = (event: H3Event, error: unknown) => {
    if (!(error instanceof ApiError)) onFault(error, event.url.pathname);
    return send(replyError(error instanceof ApiError ? error : internalError(), shelf.current.about()));
  };

  /** Sends what a route makes of a request; synchronous where the route is. */
  const guarded = (event: H3Event, produce: () => Reply | Promise<Reply>) => {
    try {
      const reply = produce();
      return reply instanceof Promise ? reply.then(send, (error: unknown) => explain(event, error)) : send(reply);
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
    return send(replyOptions(allowed, event, shelf.current));
  };

  const answerData = (event: H3Event, edition: Edition, endpoint: Endpoint) => {
    const question = edition.ask(endpoint, pathParameter(event), event.url.searchParams);
    const produce = () => edition.answer(question);
    return cache.answer(edition, question.canonical, produce, toAsked(event), rawUrl(event));
  };

  const answerIndex = (event: H3Event, edition: Edition) =>
    cache.answer(edition, INDEX_ROUTE, edition.index, toAsked(event), rawUrl(event));

  const answerOpenApi = async (event: H3Event, edition: Edition) => {
    // Its schemas take longer to load than all else, and few ask for them.
    const { describeOpenApi } = await import("./openapi.ts");
    const produce = () => {
      const text = JSON.stringify(describeOpenApi());
      return finish(text, text);
    };
    return cache.answer(edition, OPENAPI_ROUTE, produce, toAsked(event), rawUrl(event));
  };

  for (const endpoint of ENDPOINTS) {
    app.get(endpoint.path.replace("{hero_identifier}", ":hero_identifier"), (event) =>
      guarded(event, () => answerData(event, shelf.current, endpoint)),
    );
  }
  app.get(INDEX_ROUTE, (event) => guarded(event, () => answerIndex(event, shelf.current)));
  app.get(OPENAPI_ROUTE, (event) => guarded(event, () => answerOpenApi(event, shelf.current)));
  for (const path of AUTH_ROUTES) {
    app.post(path, (event) =>
      guarded(event, async () => {
        const { status, body, headers } = await auth(event);
        const about = shelf.current.about();
        return { status, body, headers: { ...COMMON, ...about, ...headers, "cache-control": "no-store" } };
      }),
    );
  }
  return app;
}

const toAsked = (event: H3Event): Asked => ({
  method: event.req.method,
  header: (name) => event.req.headers.get(name) ?? undefined,
});

/** As it came over the socket; nothing where there is none. */
const rawUrl = (event: H3Event) => event.runtime?.node?.req.url;

function replyOptions(allowed: readonly string[], event: H3Event, edition: Edition): Reply {
  const { "content-type": _, ...common } = COMMON;
  const headers = {
    ...common,
    ...edition.about(),
    allow: allowed.join(", "),
    "access-control-allow-methods": allowed.join(", "),
    "access-control-allow-headers": event.req.headers.get("access-control-request-headers") ?? "*",
    "access-control-max-age": "86400",
    "cache-control": "no-store",
    vary: "Access-Control-Request-Headers",
  };
  return { status: 204, headers, body: "" };
}
