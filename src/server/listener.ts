import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { answerDirectly } from "./direct.ts";
import type { Reply } from "./reply.ts";
import type { Shelf } from "./shelf.ts";

/** What answers on a socket: what is finished or plain at once, everything else by the app. */
export function createListener(shelf: Shelf, app: () => Promise<RequestListener>): RequestListener {
  return (request, response) => {
    const reply = isRead(request) ? find(shelf, request) : undefined;
    if (reply === undefined) void app().then((handle) => handle(request, response));
    else if (reply instanceof Promise)
      reply.then(
        (ready) => write(ready, request, response),
        () => response.destroy(),
      );
    // After all requests that have come are understood: whoever waits at the other end is then woken once, not each time.
    else setImmediate(write, reply, request, response);
  };
}

function find(shelf: Shelf, request: IncomingMessage) {
  const { url = "" } = request;
  const asked = toAsked(request);
  return shelf.cache.recall(url, asked) ?? answerDirectly(shelf, url, asked);
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
