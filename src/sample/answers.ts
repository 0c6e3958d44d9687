import type { World } from "./calendar.ts";
import { type Data, type Endpoint, HERO_ENDPOINTS, LIST_ENDPOINTS } from "./endpoints.ts";
import { invalid, notFound, type Reply } from "./failures.ts";
import { hashText } from "./hash.ts";
import { findHero } from "./identifier.ts";
import { INDEX, OPENAPI } from "./openapi.ts";
import { parseQuery } from "./query.ts";
import { createRates } from "./rates.ts";
import type { Hero } from "./roster.ts";

const LIST_ROUTES = new Map(LIST_ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));
const HERO_ROUTES = new Map(HERO_ENDPOINTS.map((endpoint) => [endpoint.path.split("/")[4] ?? "", endpoint]));

export type Route =
  | { kind: "fixed"; body: object }
  | { kind: "list"; endpoint: Endpoint<[]> }
  | { kind: "hero"; endpoint: Endpoint<[Hero]>; identifier: string };

// Decoded segment by segment, so that "%2F" never becomes a separator.
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The GET route of a path as it came, still percent-encoded. */
export function findRoute(path: string): Route | undefined {
  const segments = segmentsOf(path);
  if (!segments || segments.some((segment) => segment.includes("/"))) return undefined;
  const decoded = segments.join("/");
  if (decoded === "/api" || decoded === "/api/") return { kind: "fixed", body: INDEX };
  if (decoded === "/api/openapi.json") return { kind: "fixed", body: OPENAPI };
  const list = LIST_ROUTES.get(decoded);
  if (list) return { kind: "list", endpoint: list };
  const [, api, heroes, identifier, rest, ...more] = segments;
  if (api !== "api" || heroes !== "heroes" || !identifier || rest === "" || more.length > 0) return undefined;
  const endpoint = HERO_ROUTES.get(rest ?? "");
  return endpoint && { kind: "hero", endpoint, identifier };
}

// Some answers of the service carry an empty trace, some none.
function envelope(path: string, data: object): object {
  const plain = { code: 0, message: "OK", data };
  return hashText(path) % 4 === 0 ? { ...plain, traceID: null } : plain;
}

/** Answers GET requests from one state of the world. */
export function createAnswers(world: World): (route: Route, path: string, search: string) => Reply {
  const data: Data = { world, rates: createRates(world) };
  return (route, path, search) => {
    if (route.kind === "fixed") return { status: 200, body: route.body };
    const { query, problems } = parseQuery(search, route.endpoint.parameters);
    const found = route.kind === "hero" ? findHero(route.identifier, query.lang, world.heroes) : undefined;
    if (route.kind === "hero" && found === "out of range") {
      const allowed = `a hero's name, or an id from 1 to ${world.heroes}`;
      problems.push({ name: "hero_identifier", in: "path", received: route.identifier, allowed });
    }
    if (problems.length > 0) return invalid(problems);
    if (route.kind === "list") return { status: 200, body: envelope(path, route.endpoint.answer(data, query)) };
    if (typeof found !== "object") return notFound(`hero ${route.identifier}`, "GET /api/heroes lists the heroes.");
    return { status: 200, body: envelope(path, route.endpoint.answer(data, query, found)) };
  };
}
