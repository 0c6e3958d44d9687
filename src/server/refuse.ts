import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError, type ErrorCode } from "../api/errors.ts";
import { LIMITS } from "./limits.ts";
import { unmatched } from "./routes.ts";

/** Milliseconds in which a refused client may read why, before the connection is cut. */
const LINGER = 1000;

const SEND_HINT = "Send one well-formed HTTP/1.1 request.";

type Malformed = NodeJS.ErrnoException & { rawPacket?: Buffer };

/**
 * What Node's parser refuses never reaches the app: too large, too slow, or not HTTP at all. It is answered here, in the one
 * error scheme, and the connection is closed. Tells the status that was sent, nothing when nobody could read it any more.
 */
export function refuse(problem: Malformed, socket: Socket): number | undefined {
  if (problem.code === "ECONNRESET" || !socket.writable || answerOn(socket)?.headersSent) {
    socket.destroy();
    return undefined;
  }
  const error = explain(problem);
  afterAnswers(socket, () => sendRaw(socket, error));
  return error.status;
}

/** A client that wants a tunnel: no route answers that. */
export function refuseTunnel({ url = "" }: IncomingMessage, socket: Socket) {
  socket.on("error", () => socket.destroy());
  sendRaw(socket, unmatched("CONNECT", url).error);
}

/** What the parser lets pass and nobody behind it should have to think about. */
export function malformed({ url = "", httpVersion, rawHeaders }: IncomingMessage): ApiError | undefined {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return badRequest("The request does not have one Host header.", "Send one: HTTP/1.1 requires it.");
  const target = url.startsWith("/") || url === "*" || (/^https?:\/\/./i.test(url) && URL.canParse(url));
  return target ? undefined : badRequest("The request target is neither a path nor an http URL.", SEND_HINT);
}

/** Every request comes along here, so this makes nothing that has to be thrown away. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

export function send(response: ServerResponse, error: ApiError) {
  const body = JSON.stringify(error);
  response.shouldKeepAlive = false;
  response.writeHead(error.status, Object.entries(headersOf(error, body)).flat());
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** The answer that is under way. When its head is out, a few bytes more would be read as part of it. */
const answerOn = (socket: Socket) => (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;

/** Requests that came whole before the nonsense are answered first. */
function afterAnswers(socket: Socket, refuse: () => void) {
  const answer = answerOn(socket);
  if (answer?.req.complete) answer.once("finish", () => afterAnswers(socket, refuse));
  else if (socket.writable) refuse();
}

function sendRaw(socket: Socket, error: ApiError) {
  const body = JSON.stringify(error);
  const headers = Object.entries({ ...headersOf(error, body), connection: "close" });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n${body}`);
  // Cut at once, what is still under way to us would make the client's system throw our answer away unread.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
}

const headersOf = (error: ApiError, body: string) => ({
  "content-type": "application/json; charset=utf-8",
  "content-length": String(Buffer.byteLength(body)),
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  ...error.headers,
});

const badRequest = (message: string, hint: string) => new ApiError("BAD_REQUEST", { message, hint });

function explain({ code = "", rawPacket }: Malformed): ApiError {
  const known: Record<string, [ErrorCode, string, string]> = {
    HPE_HEADER_OVERFLOW: [
      "HEADERS_TOO_LARGE",
      "The request line and the headers are too large.",
      `At most ${LIMITS.head} bytes together.`,
    ],
    HPE_CHUNK_EXTENSIONS_OVERFLOW: [
      "PAYLOAD_TOO_LARGE",
      "The body carries too many chunk extensions.",
      "Send none: they mean nothing here.",
    ],
    ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time.", "Send it again, whole."],
  };
  const [name, message, hint] = known[code] ?? [];
  if (name) return new ApiError(name, { message: message ?? "", hint: hint ?? "" });
  const line = code === "HPE_INVALID_METHOD" ? requestLine(rawPacket) : undefined;
  return line ? unmatched(...line).error : badRequest("The request is not well-formed HTTP.", SEND_HINT);
}

/** A method that Node does not know is refused like one that it knows, when the rest of the line is in order. */
function requestLine(packet: Buffer | undefined): [string, string] | undefined {
  const line = /^([\w!#$%&'*+.^`|~-]+) (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(packet?.toString("latin1") ?? "");
  return line ? [line[1] ?? "", line[2]?.split("?")[0] ?? ""] : undefined;
}
