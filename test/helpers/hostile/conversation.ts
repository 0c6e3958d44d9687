import { connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { type Answer, closes, createReader } from "./answers.ts";

/** The request that one answer must be an answer to. */
export interface Asked {
  method: string;
  path: string;
  /** The statuses that it may have; any that the contract knows if none is named. */
  status?: readonly number[];
  /** Records that were asked for. */
  size?: number;
  /** Codings that were asked for. */
  accepts?: string;
  /** Returns any other fault of the answer. */
  check?: (answer: Answer) => string | undefined;
}

/** Bytes for one connection, and what must come of them. */
export interface Conversation {
  name: string;
  /** Written one by one; text as Latin-1. */
  pieces: readonly (string | Buffer)[];
  /** Milliseconds between two pieces; 0: the next turn of the loop. */
  pause?: number;
  asked: readonly Asked[];
  /** `closing`: those after one that says it is the last may be missing. `any`: whole ones, as many as come. */
  answers: "all" | "closing" | "any";
  /** The server may say that it is overloaded. */
  overload?: boolean;
  /** Says that nothing more will come when everything is written. */
  half?: boolean;
  /** Milliseconds between two looks at what has come. */
  sips?: number;
  /** Goes away after so many milliseconds, whether it has read or not. */
  leaves?: number;
  /** The client never reads. */
  deaf?: boolean;
}

export interface Ending {
  count: number;
  /** The last answer said that it was the last. */
  closed: boolean;
  /** We had to say that nothing more comes: the server was waiting for more. */
  hushed: boolean;
  problem?: string | undefined;
}

/** A server that was sent nonsense and sends no byte for so long is waiting for more of it. */
const QUIET = 1000;
/** A server that sends no byte for so long hangs: longer than it may wait for what does not come, on the busiest machine. */
const HANGS = 120_000;

/** Holds the conversation to its end. */
export async function talk(url: string, conversation: Conversation, take: (answer: Answer, number: number) => void) {
  const { asked, answers, half, sips, leaves, deaf } = conversation;
  const ending: Ending = { count: 0, closed: false, hushed: false };
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true, noDelay: true });
  let left = false;
  const fail = (problem: string) => {
    ending.problem ??= problem;
    socket.destroy();
  };
  const hang = () => fail("neither answered nor closed");
  const hush = () => {
    ending.hushed = true;
    socket.setTimeout(HANGS, hang);
    socket.end();
  };
  const reader = createReader(
    (number) => asked[number]?.method,
    (answer) => {
      take(answer, ending.count);
      ending.count += 1;
      ending.closed = closes(answer);
      if (ending.count === asked.length && !half) socket.end();
    },
  );
  socket.on("data", (chunk: Buffer) => {
    try {
      reader.feed(chunk);
    } catch (error) {
      fail((error as Error).message);
    }
    if (sips === undefined || socket.destroyed) return;
    socket.pause();
    setTimeout(() => socket.resume(), sips);
  });
  if (deaf) socket.pause();
  let refused: string | undefined;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (socket.bytesWritten === 0 && ending.count === 0) refused = error.code;
  });
  socket.on("end", () => socket.end());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  if (answers === "closing") socket.setTimeout(QUIET, hush);
  else socket.setTimeout(HANGS, hang);
  if (leaves !== undefined)
    setTimeout(() => {
      left = true;
      socket.destroy();
    }, leaves);

  await Promise.race([write(), closed]);
  await closed;
  if (refused === "ECONNREFUSED") ending.problem ??= "no connection";
  if (!left) ending.problem ??= reader.torn();
  return ending;

  async function write() {
    for (const [number, piece] of conversation.pieces.entries()) {
      if (number > 0 && conversation.pause !== undefined)
        await (conversation.pause === 0 ? turn() : sleep(conversation.pause));
      if (!socket.writable) return;
      const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
      if (!socket.write(bytes)) await new Promise((resolve) => socket.once("drain", resolve));
    }
    if (half) socket.end();
  }
}
