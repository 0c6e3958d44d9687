import type { Endpoint } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import type { Parameter } from "../../../src/api/request/parameters.ts";
import type { Random } from "../random.ts";
import type { Asked, Conversation } from "./conversation.ts";

export const HOST = "host: x\r\n";
export const LAST = "connection: close\r\n";

/** The bytes of one request. */
export const write = (method: string, path: string, headers = "", body = "") =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
export const get = (path: string, headers = "") => write("GET", path, headers);
export const withBody = (method: string, path: string, body: string, headers = "") =>
  write(method, path, `${headers}content-length: ${Buffer.byteLength(body)}\r\n`, body);

const SENTINEL = get("/health", LAST);
/** Or the rest of an odd one is refused here, when the answer to its head was already out. */
const AFTERWARDS: Asked = { method: "GET", path: "/health", status: [200, 400, 404, 405, 408, 413, 431] };

/**
 * Something odd, and a good request behind it: either the odd one is refused and the connection closed, or both are
 * answered. `more`: what may be taken for requests between the two.
 */
export function odd(name: string, bytes: string, asked: Asked, more: readonly Asked[] = []): Conversation {
  return { name, pieces: [bytes + SENTINEL], asked: [asked, ...more, AFTERWARDS], answers: "closing" };
}

/** Some query of an endpoint that is answered, with few records. */
export function goodPath(random: Random, endpoint: Endpoint = random.pick(ANSWERED)): string {
  const query = endpoint.parameters.map((parameter) => spell(random, parameter)).filter((pair) => pair !== "");
  const path = fill(endpoint.path, random);
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

/** Votes have subjects that only a crawl knows. */
const ANSWERED = ENDPOINTS.filter(({ path }) => !path.includes("{subject}"));

export const fill = (path: string, random: Random) =>
  path.replace("{hero_identifier}", String(1 + random.below(100))).replace("{rank_id}", String(1 + random.below(100)));

function spell(random: Random, parameter: Parameter): string {
  const { name } = parameter;
  if ("examples" in parameter) return `${name}=${random.pick(parameter.examples ?? [])}`;
  if (parameter.kind === "integer") return `${name}=${1 + random.below(5)}`;
  const required = parameter.kind === "choice" && parameter.default === undefined;
  return required || random.below(2) === 0 ? `${name}=${random.pick(parameter.values)}` : "";
}
