import type { Asked, Conversation } from "./conversation.ts";

export const HOST = "host: x\r\n";

/** The bytes of one request. */
export const write = (method: string, path: string, headers = "", body = "") =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
export const get = (path: string, headers = "") => write("GET", path, headers);
export const withBody = (method: string, path: string, body: string, headers = "") =>
  write(method, path, `${headers}content-length: ${Buffer.byteLength(body)}\r\n`, body);
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

export const CHUNKED = "transfer-encoding: chunked\r\n";
export const LOGIN = "/api/user/auth/login";

export const many = (count: number, text: string) => text.repeat(count);
export const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

const SENTINEL = get("/health", "connection: close\r\n");
/**
 * The answer to the sentinel. It may be a refusal: the rest of an odd request is refused here when the answer to its head was already out.
 */
const AFTERWARDS: Asked = { method: "GET", path: "/health", status: [200, 400, 404, 405, 408, 413, 431] };

/**
 * Something odd, and a good request behind it: either the odd one is refused and the connection closed, or both are
 * answered. `more`: what may be taken for requests between the two.
 */
export function odd(name: string, bytes: string, asked: Asked, more: readonly Asked[] = []): Conversation {
  return { name, pieces: [bytes + SENTINEL], asked: [asked, ...more, AFTERWARDS], answers: "closing" };
}

/** The largest pages there are, each under another address. */
export function largePages(count: number, from = 1000): Pick<Conversation, "pieces" | "asked"> {
  const path = "/api/academy/equipment/expanded";
  const sizes = times(count, (at) => from + at);
  return {
    pieces: [sizes.map((size) => get(`${path}?size=${size}`)).join("")],
    asked: sizes.map((size) => ({ method: "GET", path, status: [200], size })),
  };
}
