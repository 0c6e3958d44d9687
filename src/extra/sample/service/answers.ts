import { LANG_CODES, type Lang } from "../../../api/enumerations.ts";
import { hashText } from "../numbers/hash.ts";
import { createRates } from "../numbers/rates.ts";
import { HEROES, type Hero, heroName } from "../roster.ts";
import { isDeprecated } from "../troubles/troubles.ts";
import { ACADEMY_HERO_ENDPOINTS, ACADEMY_LISTS } from "./academy.ts";
import { type Data, type Endpoint, HERO_ENDPOINTS, LIST_ENDPOINTS } from "./endpoints.ts";
import { invalid, notFound, type Problem, type Reply } from "./failures.ts";
import { describeApi, INDEX } from "./openapi.ts";
import { OTHER_ENDPOINTS, type OtherEndpoint } from "./other-endpoints.ts";
import { parseQuery, type Query } from "./query.ts";
import { type Slice, sliceOf } from "./slice.ts";
import type { State } from "./state.ts";

/** A route for GET requests. `named` is the value in the path. */
export type Route =
  | { kind: "fixed"; body: (state: State) => object }
  | { kind: "list"; endpoint: Endpoint<[]>; named: "" }
  | { kind: "hero"; endpoint: Endpoint<[Hero]>; named: string }
  | { kind: "other"; endpoint: OtherEndpoint; named: string };

const describeNow = ({ troubles, day }: State) => describeApi((path) => isDeprecated(troubles, day, path));

const ALL_LISTS = [...LIST_ENDPOINTS, ...ACADEMY_LISTS];
const HERO_ROUTES = [...HERO_ENDPOINTS, ...ACADEMY_HERO_ENDPOINTS];

// Decoded segment by segment, so that "%2F" never becomes a separator.
function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The GET route of a path, which is still percent-encoded; `undefined` when there is none. */
export function findRoute(path: string): Route | undefined {
  const segments = decodeSegments(path);
  if (!segments || segments.some((segment) => segment.includes("/"))) return undefined;
  const decoded = segments.join("/");
  if (decoded === "/api" || decoded === "/api/") return { kind: "fixed", body: () => INDEX };
  if (decoded === "/api/openapi.json") return { kind: "fixed", body: describeNow };
  const list = ALL_LISTS.find(({ path }) => path === decoded);
  if (list) return { kind: "list", endpoint: list, named: "" };
  for (const endpoint of OTHER_ENDPOINTS) {
    const named = matchPath(endpoint.path, segments);
    if (named !== undefined) return { kind: "other", endpoint, named };
  }
  for (const endpoint of HERO_ROUTES) {
    const named = matchPath(endpoint.path, segments);
    if (named) return { kind: "hero", endpoint, named };
  }
  return undefined;
}

/** Value of the path parameter when the path matches the template: "" when it has none, `undefined` for no match. */
function matchPath(path: string, segments: readonly string[]): string | undefined {
  const template = path.split("/");
  if (template.length !== segments.length) return undefined;
  if (!template.every((part, i) => part.startsWith("{") || part === segments[i])) return undefined;
  const index = template.findIndex((part) => part.startsWith("{"));
  return index < 0 ? "" : segments[index] || undefined;
}

// As at the upstream: some answers carry an empty traceID, some none.
function envelope(path: string, data: object): object {
  const plain = { code: 0, message: "OK", data };
  return hashText(path) % 4 === 0 ? { ...plain, traceID: null } : plain;
}

/** A request to an endpoint, as it is understood. */
interface Question {
  route: Exclude<Route, { kind: "fixed" }>;
  path: string;
  query: Query;
  problems: readonly Problem[];
  hero: Found | undefined;
  /** Undefined if a parameter has no valid value. */
  slice: Slice | undefined;
}

/** Answers GET requests in one state. */
export function createAnswers({ seed, day, heroes, unresolved }: State) {
  const world = { seed, day, heroes: heroes - unresolved };
  const data: Data = { world, listed: { ...world, heroes }, rates: createRates(world) };

  function read(route: Question["route"], path: string, search: string): Question {
    const { query, problems } = parseQuery(search, route.endpoint.parameters);
    const hero = route.kind === "hero" ? findHero(route.named, query.lang, world.heroes) : undefined;
    const named = typeof hero === "object" ? String(hero.id) : route.named;
    const slice = problems.length === 0 ? sliceOf(route.endpoint, query, named) : undefined;
    if (hero === "out of range") {
      const allowed = `a hero's name, or an id from 1 to ${world.heroes}`;
      problems.push({ name: "hero_identifier", in: "path", received: route.named, allowed });
    }
    return { route, path, query, problems, hero, slice };
  }

  /** The right answer. */
  function answer({ route, path, query, problems, hero }: Question): Reply {
    if (problems.length > 0) return invalid(problems);
    if (route.kind === "other") return route.endpoint.reply(data, query, route.named);
    if (route.kind === "list") return { status: 200, body: envelope(path, route.endpoint.answer(data, query)) };
    if (typeof hero !== "object") return notFound(`hero ${route.named}`, "GET /api/heroes lists the heroes.");
    return { status: 200, body: envelope(path, route.endpoint.answer(data, query, hero)) };
  }

  return { read, answer };
}

const WHOLE_NUMBER = /^[ \t\n\r\f\v]*[+-]?\d+[ \t\n\r\f\v]*$/;

/** Letters and digits of any script, lower-cased. */
function plainName(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const BY_NAME = new Map(
  LANG_CODES.map((lang) => [lang, new Map(HEROES.map((hero) => [plainName(heroName(hero, lang)), hero]))]),
);

type Found = Hero | "out of range" | "unknown";

/** Finds a hero of the first `heroes` by id, by its name in `lang`, or by its English name. */
function findHero(identifier: string, lang: Lang, heroes: number): Found {
  if (WHOLE_NUMBER.test(identifier)) {
    const id = Number(identifier);
    if (id < 1 || id > heroes) return "out of range";
    return HEROES[id - 1] ?? "unknown";
  }
  const name = plainName(identifier);
  for (const names of [BY_NAME.get(lang), BY_NAME.get("en")]) {
    const hero = names?.get(name);
    if (hero && hero.id <= heroes) return hero;
  }
  return "unknown";
}
