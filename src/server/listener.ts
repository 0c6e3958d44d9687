import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type H3, toNodeHandler } from "h3";
import type { Reply } from "./reply.ts";
import type { Shelf } from "./shelf.ts";

/** What answers on a socket: finished answers at once, everything else by the app. */
export function createListener(app: H3, { cache }: Shelf): RequestListener {
  const handle = toNodeHandler(app) as RequestListener;
  return (request, response) => {
    const reply = isRead(request) ? cache.recall(request.url ?? "", toAsked(request)) : undefined;
    if (reply) write(reply, request, response);
    else handle(request, response);
  };
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

const toAsked = ({ method = "GET", headers }: IncomingMessage) => ({
  method,
  header: (name: string) => headers[name] as string | undefined,
});

function write({ status, headers, body }: Reply, { method }: IncomingMessage, response: ServerResponse) {
  response.writeHead(status, headers);
  response.end(method === "HEAD" || status === 304 ? undefined : body);
}
