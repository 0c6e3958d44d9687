import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What came over the wire, before any client had an opinion about it. */
export interface Raw {
  bytes: Buffer;
  /** Status line. */
  line: string;
  status: number;
  /** Names in lower case, in the order sent. */
  headers: [string, string][];
  header(name: string): string | undefined;
  /** Still framed, where it is chunked. */
  body: Buffer;
  /** How the connection ended, when not by an orderly close. */
  error: string | undefined;
}

export interface Call {
  socket: Socket;
  received(): Buffer;
  /** Resolves when there is more, or at the end. */
  more(): Promise<void>;
  done: Promise<Raw>;
}

/** Sends one request and closes after its answer, unless `lines` say something else. */
export function call(base: string, path: string, method = "GET", lines = ["connection: close"], body = ""): Call {
  const { hostname, port } = new URL(base);
  const chunks: Buffer[] = [];
  let error: string | undefined;
  const socket = connect(Number(port), hostname);
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", (cause: NodeJS.ErrnoException) => {
    error = cause.code;
  });
  socket.write([`${method} ${path} HTTP/1.1`, "host: upstream", ...lines, "", body].join("\r\n"));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return {
    socket,
    received: () => Buffer.concat(chunks),
    more: () => Promise.race([once(socket, "data").then(() => {}), closed]),
    done: closed.then(() => parse(Buffer.concat(chunks), error)),
  };
}

export const ask = (...request: Parameters<typeof call>) => call(...request).done;

function parse(bytes: Buffer, error: string | undefined): Raw {
  const end = bytes.indexOf("\r\n\r\n");
  const [line = "", ...fields] = bytes.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  return {
    bytes,
    line,
    status: Number(line.split(" ")[1]),
    headers,
    header: (name) => headers.find(([own]) => own === name)?.[1],
    body: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4),
    error,
  };
}

/** The content of a body in chunks; throws where the framing is broken. */
export function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf("\r\n", at);
    const digits = body.subarray(at, end).toString();
    if (end < 0 || !/^[0-9a-f]+$/i.test(digits)) throw new Error(`no chunk size: ${digits.slice(0, 20)}`);
    const size = Number.parseInt(digits, 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
