import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The requests of one connection that are not answered yet. */
interface Line {
  /** The one that came last. */
  last: ServerResponse;
  /** Bytes that those behind the first one hold; 0: nobody waits. */
  waiting: number;
  /** Somebody has waited here before. */
  watched?: boolean;
  /** Takes the place of an answer to a request that did not come whole. */
  refusal?: () => void;
}

/** Beside its head a waiting request holds about so many bytes. */
const OVERHEAD = 3000;

const sizeOf = ({ url = "", rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((bytes, text) => bytes + text.length, OVERHEAD + url.length);

/**
 * Has one request of a connection answered at a time; the next one begins when the answer before it is sent. While any
 * waits nothing more is read from its connection. A connection whose requests would hold more than all may that wait is cut.
 */
export function createTurns(maxWaiting: number) {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;

  function release(line: Line, bytes: number) {
    line.waiting -= bytes;
    waiting -= bytes;
  }

  function stopReading(socket: Socket, line: Line) {
    socket.pause();
    if (line.watched) return;
    line.watched = true;
    // Node starts to read again after each answer.
    socket.on("resume", () => line.waiting > 0 && socket.pause());
    socket.once("close", () => release(line, line.waiting));
  }

  function wait(line: Line, before: ServerResponse, request: IncomingMessage, begin: () => void) {
    const { socket } = request;
    const bytes = sizeOf(request);
    if (waiting + bytes > maxWaiting) return socket.destroy();
    stopReading(socket, line);
    line.waiting += bytes;
    waiting += bytes;
    return before.once("close", () => {
      if (socket.destroyed) return;
      release(line, bytes);
      if (line.waiting === 0) socket.resume();
      begin();
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
        else lines.set(socket, { last: response, waiting: 0 });
        if (!line || !before || before.writableFinished) return answer(request, response);
        wait(line, before, request, () => {
          if (line.refusal && !request.complete) line.refusal();
          // Without a socket the answer before it was the last one of its connection.
          else if (response.socket) answer(request, response);
        });
      },

    /** Refuses what came after all whole requests of a connection, once those are answered. */
    afterAnswers(socket: Socket, refuse: () => void) {
      const line = lines.get(socket);
      if (!line || line.last.writableFinished) return refuse();
      if (line.last.req.complete) line.last.once("close", () => socket.writable && refuse());
      else if (line.waiting > 0) line.refusal = refuse;
      // Some bytes more would be read as part of the answer that is under way.
      else if (line.last.headersSent) socket.destroy();
      else refuse();
    },
  };
}
