import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { lingeringClose } from "./client-error.ts";

/** The requests of one connection that are not answered yet (HTTP pipelining, RFC 9112, 9.3.2). */
interface Pipeline {
  /** The response to the request that came last. */
  last: ServerResponse;
  /** Held by the requests behind the first one; 0: none waits. */
  waitingBytes: number;
  /** Held by requests that will not be answered any more. */
  droppedBytes: number;
  /** The socket's listeners are set. */
  watched?: boolean;
  /** Answers a request that did not arrive whole. */
  refusal?: Refusal;
}

/** Refuses a malformed request; gets it if its head was parsed. */
type Refusal = (request?: IncomingMessage) => void;

/** Memory of a waiting request besides its head, estimated. */
const OVERHEAD_BYTES = 3000;

const sizeOf = ({ url = "", rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((bytes, text) => bytes + text.length, OVERHEAD_BYTES + url.length);

export interface Pipelines {
  /**
   * Makes the handler see one request of a connection at a time: the next one when the response before it is sent and other
   * connections had a turn. While requests wait, nothing more is read from their connection.
   */
  serialize(handler: RequestListener): RequestListener;
  /** Calls `refuse` for bytes that are no request, once the whole requests before them are answered. */
  afterResponses(socket: Socket, refuse: Refusal): void;
}

/** A connection whose waiting requests exceed the memory for all that wait gets the response under way, and is closed. */
export function createPipelines(maxWaitingBytes: number, maxDroppedBytes: number): Pipelines {
  const pipelines = new WeakMap<Socket, Pipeline>();
  let [waiting, dropped] = [0, 0];

  function release(pipeline: Pipeline, bytes: number) {
    pipeline.waitingBytes -= bytes;
    waiting -= bytes;
  }

  function stopReading(socket: Socket, pipeline: Pipeline) {
    socket.pause();
    if (pipeline.watched) return;
    pipeline.watched = true;
    // Node resumes reading after each response.
    socket.on("resume", () => (pipeline.waitingBytes > 0 || pipeline.droppedBytes > 0) && socket.pause());
    socket.once("close", () => {
      release(pipeline, pipeline.waitingBytes);
      dropped -= pipeline.droppedBytes;
    });
  }

  function drop(pipeline: Pipeline, socket: Socket, bytes: number) {
    dropped += pipeline.waitingBytes + bytes;
    pipeline.droppedBytes += pipeline.waitingBytes + bytes;
    release(pipeline, pipeline.waitingBytes);
    // Their memory is freed only with the connection: beyond the limit, a torn response is better than running out of memory.
    if (dropped > maxDroppedBytes) socket.destroy();
  }

  function wait(pipeline: Pipeline, before: ServerResponse, request: IncomingMessage, begin: () => void) {
    const { socket } = request;
    const bytes = sizeOf(request);
    stopReading(socket, pipeline);
    if (pipeline.droppedBytes > 0 || waiting + bytes > maxWaitingBytes) drop(pipeline, socket, bytes);
    else {
      pipeline.waitingBytes += bytes;
      waiting += bytes;
    }
    before.once("close", () => {
      if (socket.destroyed) return;
      if (pipeline.droppedBytes > 0) return lingeringClose(socket);
      release(pipeline, bytes);
      setImmediate(() => {
        if (pipeline.waitingBytes === 0) socket.resume();
        begin();
      });
    });
  }

  return {
    serialize: (handler) => (request, response) => {
      const { socket } = request;
      const pipeline = pipelines.get(socket);
      const before = pipeline?.last;
      if (pipeline) pipeline.last = response;
      else pipelines.set(socket, { last: response, waitingBytes: 0, droppedBytes: 0 });
      if (!pipeline || !before || before.destroyed) return handler(request, response);
      wait(pipeline, before, request, () => {
        if (pipeline.refusal && !request.complete) pipeline.refusal(request);
        // Without a socket the response before was the last one of its connection.
        else if (response.socket) handler(request, response);
      });
    },

    afterResponses(socket, refuse) {
      const pipeline = pipelines.get(socket);
      const { last } = pipeline ?? {};
      if (!pipeline || !last) refuse();
      else if (!last.req.complete) {
        if (pipeline.waitingBytes > 0) pipeline.refusal = refuse;
        // More bytes would be read as part of the response that is under way.
        else if (last.headersSent) socket.destroy();
        else refuse(last.req);
      } else if (last.destroyed) refuse();
      else last.once("close", () => socket.writable && refuse());
    },
  };
}
