import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError, type ErrorCode } from "../../api/errors.ts";
import type { Reply } from "../response/reply.ts";
import { unmatched } from "../routes/routes.ts";
import { nextId } from "./exchange.ts";
import { LIMITS } from "./limits.ts";

/** Milliseconds in which a refused client may read why, before the connection is cut. */
export const LINGER = 1000;

/** Ends a connection. Cut at once, what is still under way to us would make the client's system throw our answer away unread. */
export function endSoon(socket: Socket) {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER).unref();
}

const SEND_HINT = "Send one well-formed HTTP/1.1 request.";

/** What Node's parser refuses. */
export type Malformed = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** What the parser lets pass and nobody behind it should have to think about. */
export function malformed({ url = "", httpVersion, rawHeaders }: IncomingMessage): ApiError | undefined {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return badRequest(
      "The request does not have one Host header.",
      "Send one: HTTP/1.1 requires it.",
      `${hosts} of them`,
    );
  const target = url.startsWith("/") || url === "*" || (/^https?:\/\/./i.test(url) && URL.canParse(url));
  return target
    ? undefined
    : badRequest("The request target is neither a path nor an http URL.", SEND_HINT, url.slice(0, 200) || "no target");
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

/** Writes an answer where Node has none to write with, and closes the connection. */
export function sendRaw(socket: Socket, { status, headers, body }: Reply, isHead: boolean) {
  const lines = Object.entries({ ...headers, "x-request-id": nextId(), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
  if (!isHead && body) socket.write(body as Uint8Array);
  socket.resume();
  endSoon(socket);
}

const badRequest = (message: string, hint: string, detail: string) =>
  new ApiError("BAD_REQUEST", { message, hint, detail });

const KNOWN: Record<string, [ErrorCode, string, string]> = {
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

/** What Node's parser refuses never reaches the app: too large, too slow, or not HTTP at all. */
export function explain({ code = "", rawPacket }: Malformed): ApiError {
  const [name, message, hint] = KNOWN[code] ?? [];
  if (name && message && hint) return new ApiError(name, { message, hint, detail: code });
  const line = code === "HPE_INVALID_METHOD" ? requestLine(rawPacket) : undefined;
  return line
    ? unmatched(...line).error
    : badRequest("The request is not well-formed HTTP.", SEND_HINT, code || "unknown");
}

/** As far as it can be told: it may have begun in a packet before this one. */
export const isHeadRequest = (problem: Malformed): boolean => /(?:^|\n)HEAD /.test(headOf(problem));

/** What was read of the request that is refused; those before it ended with an empty line. */
const headOf = ({ rawPacket, bytesParsed }: Malformed): string =>
  rawPacket?.toString("latin1", 0, bytesParsed).split("\r\n\r\n").at(-1) ?? "";

/** A method that Node does not know is refused like one that it knows, when the rest of the line is in order. */
function requestLine(packet: Buffer | undefined): [string, string] | undefined {
  const line = /^([\w!#$%&'*+.^`|~-]+) (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(packet?.toString("latin1") ?? "");
  return line ? [line[1] ?? "", line[2]?.split("?")[0] ?? ""] : undefined;
}
