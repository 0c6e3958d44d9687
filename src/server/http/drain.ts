import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Within this time a request that was just sent on an idle connection has arrived. */
const ARRIVAL_MS = 1000;

/**
 * Ends a server without failing a request: no new connections; requests in flight end, and one more request on an open
 * connection is answered with `Connection: close`. Resolves when all connections are closed, cut after `graceMs` at the latest.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs;
  // Lets this turn of the event loop accept the connections that wait in the backlog: closing would reset them.
  await new Promise(setImmediate);
  const closed = closeListener(server);
  if (await settlesWithin(closed, Math.min(ARRIVAL_MS, graceMs))) return;
  while (Date.now() < deadline) {
    server.closeIdleConnections();
    if (await settlesWithin(closed, Math.min(100, Math.max(1, deadline - Date.now())))) return;
  }
  server.closeAllConnections();
  await closed;
}

/** `close` of `http.Server` would cut idle connections at once, and with them a request that is just arriving. */
const closeListener = (server: Server) =>
  new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));

const settlesWithin = (closed: Promise<void>, milliseconds: number): Promise<boolean> =>
  Promise.race([closed.then(() => true), sleep(milliseconds, false)]);
