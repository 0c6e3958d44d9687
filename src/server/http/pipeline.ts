import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { endSoon } from "./client-error.ts";

/** The requests of one connection that are not answered yet. */
interface Line {
  /** The one that came last. */
  last: ServerResponse;
  /** Bytes that those behind the first one hold; 0: nobody waits. */
  waiting: number;
  /** Bytes of those that will not be answered any more. */
  dropped: number;
  /** Somebody has waited here before. */
  watched?: boolean;
  /** Takes the place of an answer to a request that did not come whole. */
  refusal?: Refusal;
}

/** Told the request that it is about, where it came so far. */
type Refusal = (request?: IncomingMessage) => void;

/** Beside its head a waiting request holds about so many bytes. */
const OVERHEAD = 3000;

const sizeOf = ({ url = "", rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((bytes, text) => bytes + text.length, OVERHEAD + url.length);

/**
 * Has one request of a connection answered at a time; the next one begins when the answer before it is sent, and everybody
 * else had a turn. While any waits nothing more is read from its connection. A connection whose requests would hold more than
 * all may that wait gets the answer that is under way, and is cut.
 */
export function createTurns(maxWaiting: number, maxDropped: number) {
  const lines = new WeakMap<Socket, Line>();
  let [waiting, dropped] = [0, 0];

  function release(line: Line, bytes: number) {
    line.waiting -= bytes;
    waiting -= bytes;
  }

  function stopReading(socket: Socket, line: Line) {
    socket.pause();
    if (line.watched) return;
    line.watched = true;
    // Node starts to read again after each answer.
    socket.on("resume", () => (line.waiting > 0 || line.dropped > 0) && socket.pause());
    socket.once("close", () => {
      release(line, line.waiting);
      dropped -= line.dropped;
    });
  }

  function drop(line: Line, socket: Socket, bytes: number) {
    dropped += line.waiting + bytes;
    line.dropped += line.waiting + bytes;
    release(line, line.waiting);
    // They stay with their connection: beyond this it is better to tear an answer than to run out of memory.
    if (dropped > maxDropped) socket.destroy();
  }

  function wait(line: Line, before: ServerResponse, request: IncomingMessage, begin: () => void) {
    const { socket } = request;
    const bytes = sizeOf(request);
    stopReading(socket, line);
    if (line.dropped > 0 || waiting + bytes > maxWaiting) drop(line, socket, bytes);
    else {
      line.waiting += bytes;
      waiting += bytes;
    }
    before.once("close", () => {
      if (socket.destroyed) return;
      if (line.dropped > 0) return endSoon(socket);
      release(line, bytes);
      setImmediate(() => {
        if (line.waiting === 0) socket.resume();
        begin();
      });
    });
  }

  return {
    inTurn:
      (answer: RequestListener): RequestListener =>
      (request, response) => {
        const { socket } = request;
        const line = lines.get(socket);
        const before = line?.last;
        if (line) line.last = response;
        else lines.set(socket, { last: response, waiting: 0, dropped: 0 });
        if (!line || !before || before.destroyed) return answer(request, response);
        wait(line, before, request, () => {
          if (line.refusal && !request.complete) line.refusal(request);
          // Without a socket the answer before it was the last one of its connection.
          else if (response.socket) answer(request, response);
        });
      },

    /** Refuses what came after all whole requests of a connection, once those are answered. */
    afterAnswers(socket: Socket, refuse: Refusal) {
      const line = lines.get(socket);
      const { last } = line ?? {};
      if (!line || !last) refuse();
      else if (!last.req.complete) {
        if (line.waiting > 0) line.refusal = refuse;
        // Some bytes more would be read as part of the answer that it has.
        else if (last.headersSent) socket.destroy();
        else refuse(last.req);
      } else if (last.destroyed) refuse();
      else last.once("close", () => socket.writable && refuse());
    },
  };
}
