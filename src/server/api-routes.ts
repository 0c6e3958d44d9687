import type { H3, H3Event } from "h3";
import { ENDPOINTS } from "../api/endpoints.ts";
import type { Cache } from "./cache.ts";
import type { Edition } from "./edition.ts";
import { finish } from "./page.ts";
import type { Asked, Guard, Reply } from "./reply.ts";
import { INDEX_ROUTE, OPENAPI_ROUTE, pathParameter } from "./routes.ts";

export interface RouteTools {
  cache: Cache;
  guarded: Guard;
}

type Answer = (event: H3Event, edition: Edition) => Reply | Promise<Reply>;

/** Every route of the table, the index and the OpenAPI document, answered from the edition that a request means. */
export function addApiRoutes(
  app: H3,
  prefix: string,
  editionOf: (event: H3Event) => Edition | Promise<Edition>,
  { cache, guarded }: RouteTools,
) {
  const add = (path: string, answer: Answer) =>
    app.get(prefix + path.replace(/\{(\w+)\}/, ":$1"), (event) => {
      let edition: Edition | Promise<Edition>;
      try {
        edition = editionOf(event);
      } catch (error) {
        return guarded(event, () => Promise.reject(error));
      }
      if (!(edition instanceof Promise)) return guarded(event, () => answer(event, edition as Edition), edition);
      return edition.then(
        (opened) => guarded(event, () => answer(event, opened), opened),
        (error: unknown) => guarded(event, () => Promise.reject(error)),
      );
    });

  for (const endpoint of ENDPOINTS) {
    add(endpoint.path, (event, edition) => {
      const question = edition.ask(endpoint, pathParameter(event), event.url.searchParams);
      const produce = () => edition.answer(question);
      return cache.answer(edition, question.canonical, produce, toAsked(event), rawUrl(event));
    });
  }
  add(INDEX_ROUTE, (event, edition) =>
    cache.answer(edition, INDEX_ROUTE, edition.index, toAsked(event), rawUrl(event)),
  );
  add(OPENAPI_ROUTE, async (event, edition) => {
    // Its schemas take longer to load than all else, and few ask for them.
    const { describeOpenApi } = await import("./openapi.ts");
    const produce = () => {
      const text = JSON.stringify(describeOpenApi(edition.version));
      return finish(text, text);
    };
    return cache.answer(edition, OPENAPI_ROUTE, produce, toAsked(event), rawUrl(event));
  });
}

export const toAsked = (event: H3Event): Asked => ({
  method: event.req.method,
  header: (name) => event.req.headers.get(name) ?? undefined,
});

/** As it came over the socket; nothing where there is none. */
export const rawUrl = (event: H3Event) => event.runtime?.node?.req.url;
