import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { cutOff, lingeringClose } from "./client-error.ts";
import type { Exchange } from "./exchange.ts";
import { LIMITS } from "./limits.ts";

/** A request that is not answered yet. */
interface OpenRequest {
  response: Exchange;
  weight: number;
  begin: () => void;
}

interface Connection {
  socket: Socket;
  /**
   * Open requests in the order of their arrival. The first one is being answered; the others wait for it (HTTP pipelining, RFC 9112,
   * 9.3.2).
   */
  open: OpenRequest[];
  /** The time until which its first request may be on its way. */
  arrivesBy: number;
  /** The weight of its heads, also of a request that was answered before it arrived completely. */
  weight: number;
}

export interface ConnectionLimits {
  connections: number;
  /** The limit of the weight of the heads of all open requests. */
  openHeadBytes: number;
  /** The limit of open requests of one connection. */
  openRequests: number;
}

/** All connections of a server, within one budget for their number and one for the heads of their requests. */
export interface Connections {
  /** Counts a connection until it closes. */
  add(socket: Socket): void;
  /**
   * Calls `begin` once the request is the first of its connection that is not answered, or `refuse` if there is no memory left for its
   * head.
   */
  take(request: IncomingMessage, response: Exchange, begin: () => void, refuse: () => void): void;
  /** Tells whether a connection may have no further request: it was cut, or has as many as may be open. */
  isSpent(socket: Socket): boolean;
  /**
   * Closes a connection that no more is read from after the answers to its requests, as RFC 9112 (9.6) allows: a client sends the rest again
   * on another one. If no answer is due, it calls `refuse` at once.
   */
  finish(socket: Socket, refuse: () => void): void;
  /**
   * Calls `refuse` for bytes that are no request, after the requests before them are answered; with the request to whose body they belong.
   */
  afterResponses(socket: Socket, refuse: (request?: IncomingMessage) => void): void;
}

/**
 * The order in which connections are cut if a budget is used up: first those that keep us waiting for a request or its rest, then those that
 * wait for a file (one that is cut while it is sent has the next opened, and megabytes copied, for each client that comes), then those that
 * keep us waiting for room to send, then those that ask for several things at once, which they may ask for again, then those that wait for
 * an answer. A new client, whose request is on its way, is the last.
 */
const VICTIMS: readonly ((connection: Connection) => boolean)[] = [
  ({ open, arrivesBy }) =>
    (open.length === 0 && arrivesBy < performance.now()) || open.some(({ response }) => !response.req.complete),
  ({ open }) => open[0]?.response.waitsFor === "file",
  ({ open }) => open[0]?.response.headersSent === true,
  ({ open }) => open.length > 1,
  ({ open }) => open[0]?.response.waitsFor === "api",
  ({ open }) => open.length === 0,
];

/** Memory of a request besides the text of its head, and of a header besides its text; measured, and rounded up. */
const REQUEST_BYTES = 4096;
const HEADER_BYTES = 100;

const weigh = ({ url = "", rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((bytes, text) => bytes + text.length + HEADER_BYTES / 2, REQUEST_BYTES + url.length);

let cameAt = 0;

/** The time at which the last connection was accepted, of all servers of this process. */
export const lastArrival = (): number => cameAt;

export function createConnections({ connections: most, openHeadBytes, openRequests }: ConnectionLimits): Connections {
  /** Connections; the first is the one that has been idle longest, without a request begun or ended. */
  const connections = new Map<Socket, Connection>();
  let total = 0;

  function forget(connection: Connection) {
    if (connections.delete(connection.socket)) total -= connection.weight;
  }

  function destroy(connection: Connection) {
    forget(connection);
    cutOff(connection.socket);
  }

  /** Cuts the first one that may be cut; false if there is none. */
  function cut(mayCut: (connection: Connection) => boolean): boolean {
    for (const isVictim of VICTIMS)
      for (const connection of connections.values())
        if (mayCut(connection) && isVictim(connection)) {
          destroy(connection);
          return true;
        }
    return false;
  }

  function settle(connection: Connection, { response, weight }: OpenRequest) {
    const { socket, open } = connection;
    if (!connections.delete(socket)) return;
    connections.set(socket, connection);
    open.shift();
    // The parser holds a head as long as it waits for the rest of the request.
    if (response.req.complete) {
      connection.weight -= weight;
      total -= weight;
    }
    const [next] = open;
    // Other connections have a turn first. A response without a socket comes after the last one of its connection.
    if (next) setImmediate(() => next.response.socket && next.begin());
  }

  return {
    add(socket) {
      cameAt = performance.now();
      if (connections.size >= most && !cut(() => true)) return void socket.destroy();
      const connection: Connection = { socket, open: [], arrivesBy: performance.now() + LIMITS.arrivalMs, weight: 0 };
      connections.set(socket, connection);
      socket.once("close", () => forget(connection));
      // Node calls this to close a connection. A client that still sends would lose the answer.
      socket.destroySoon = () => lingeringClose(socket);
    },

    take(request, response, begin, refuse) {
      const connection = connections.get(request.socket);
      if (!connection) return;
      const { open } = connection;
      const weight = weigh(request);
      connection.arrivesBy = 0;
      connection.weight += weight;
      total += weight;
      while (total > openHeadBytes && cut((other) => other !== connection && other.weight > 0));
      const hasRoom = total <= openHeadBytes;
      if (!hasRoom && open.length > 0) return destroy(connection);
      const taken = { response, weight, begin: hasRoom ? begin : refuse };
      open.push(taken);
      response.once("close", () => settle(connection, taken));
      if (open.length === 1) taken.begin();
    },

    isSpent(socket) {
      const connection = connections.get(socket);
      return !connection || connection.open.length >= openRequests;
    },

    finish(socket, refuse) {
      const open = connections.get(socket)?.open ?? [];
      // Node has removed its own listeners with the parser.
      socket.on("drain", () => open[0]?.response.emit("drain"));
      socket.on("timeout", () => cutOff(socket));
      socket.on("error", () => socket.destroy());
      const last = open.at(-1)?.response;
      if (!last) return refuse();
      last.shouldKeepAlive = false;
    },

    afterResponses(socket, refuse) {
      const open = connections.get(socket)?.open ?? [];
      const last = open.at(-1)?.response;
      if (!last) return refuse();
      const isOfBody = !last.req.complete;
      // More bytes would be read as part of the response that is under way.
      if (isOfBody && last.headersSent) return void socket.destroy();
      if (isOfBody && open.length === 1) return refuse(last.req);
      const before = isOfBody ? open.at(-2)?.response : last;
      if (isOfBody) open.pop();
      return void before?.once("close", () => socket.writable && refuse(isOfBody ? last.req : undefined));
    },
  };
}
