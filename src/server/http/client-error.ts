import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError, type ErrorCode } from "../../api/errors.ts";
import type { MirrorResponse } from "../response/http-response.ts";
import { nextRequestId } from "./exchange.ts";
import { LIMITS } from "./limits.ts";

/** The time for which a client may read the last answer before its connection is cut. */
const LINGER_MS = 1000;

/** Ends a connection, but reads on a little: bytes that arrive at a closed socket cause a reset, and the client loses our response. */
export function lingeringClose(socket: Socket) {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}

/** Ends a connection at once. If it were closed, the system would keep the bytes that the client has not read in its memory for TCP. */
export function cutOff(socket: Socket) {
  // Node would reset it only after all is sent.
  socket.destroySoon = () => socket.destroy();
  socket.resetAndDestroy();
}

export const SEND_HINT = "Send one well-formed HTTP/1.1 request.";

/** An error of Node's HTTP parser. */
export type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** Writes a response to a bare socket, for which Node has made no ServerResponse, and closes the connection. */
export function writeRawResponse(socket: Socket, { status, headers, body }: MirrorResponse, isHead: boolean) {
  const lines = Object.entries({ ...headers, "x-request-id": nextRequestId(), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
  if (!isHead && body) socket.write(body as Uint8Array);
  lingeringClose(socket);
}

export const headersTooLarge = (message: string, detail: string) =>
  new ApiError("HEADERS_TOO_LARGE", {
    message,
    hint: `At most ${LIMITS.headBytes} bytes together with the request line, and ${LIMITS.headers} headers.`,
    detail,
  });

export const badRequest = (message: string, hint: string, detail: string) =>
  new ApiError("BAD_REQUEST", { message, hint, detail });

const PARSER_ERRORS: Record<string, [ErrorCode, string, string]> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    "PAYLOAD_TOO_LARGE",
    "The body carries too many chunk extensions.",
    "Send none: they mean nothing here.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time.", "Send it again, whole."],
};

/** Makes the error for bytes that never reach the app: too large, too slow, or not HTTP at all. */
export function toApiError(
  { code = "", rawPacket }: ParserError,
  refuse: (method: string, pathname: string) => ApiError,
): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge("The request line and the headers are too large.", code);
  const [name, message, hint] = PARSER_ERRORS[code] ?? [];
  if (name && message && hint) return new ApiError(name, { message, hint, detail: code });
  const line = code === "HPE_INVALID_METHOD" ? parseRequestLine(rawPacket) : undefined;
  return line ? refuse(...line) : badRequest("The request is not well-formed HTTP.", SEND_HINT, code || "unknown");
}

/** Guesses whether the request is a HEAD: it may have begun in an earlier packet. */
export const isHeadRequest = (problem: ParserError): boolean => /(?:^|\n)HEAD /.test(lastHead(problem));

/** Returns the part of the packet that belongs to the refused request; an empty line ends each request before it. */
const lastHead = ({ rawPacket, bytesParsed }: ParserError): string =>
  rawPacket?.toString("latin1", 0, bytesParsed).split("\r\n\r\n").at(-1) ?? "";

/** Reads method and path of a request with a method that Node does not know: it gets the same answer as a known one. */
function parseRequestLine(packet: Buffer | undefined): [string, string] | undefined {
  const line = /^([\w!#$%&'*+.^`|~-]+) (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(packet?.toString("latin1") ?? "");
  return line ? [line[1] ?? "", line[2]?.split("?")[0] ?? ""] : undefined;
}
