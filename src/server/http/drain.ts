import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds in which a request that is under way on an idle connection has arrived. */
const LULL = 1000;

/**
 * Ends a server without failing a request: it accepts no more connections, what is in flight ends, and whoever asks once
 * more on an open connection is answered and told that it was the last time. Bounded: at the end of `grace` milliseconds
 * whatever is left is cut.
 */
export async function drain(server: Server, grace: number): Promise<void> {
  const end = Date.now() + grace;
  // After the poll phase of this turn: connections that wait in the backlog are accepted first, not reset.
  await new Promise(setImmediate);
  const closed = closeListener(server);
  if (await within(closed, Math.min(LULL, grace))) return;
  while (Date.now() < end) {
    server.closeIdleConnections();
    if (await within(closed, Math.min(100, Math.max(1, end - Date.now())))) return;
  }
  server.closeAllConnections();
  await closed;
}

/** `close` of the HTTP server would cut idle connections at once, and with them a request that is just arriving. */
const closeListener = (server: Server) =>
  new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));

const within = (closed: Promise<void>, milliseconds: number): Promise<boolean> =>
  Promise.race([closed.then(() => true), sleep(milliseconds, false)]);
