import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import type { Asked, Reply } from "./reply.ts";
import { decodeIdentifier, toPattern } from "./routes.ts";
import type { Shelf } from "./shelf.ts";

const ROUTES = ENDPOINTS.map((endpoint) => ({ endpoint, pattern: toPattern(endpoint.path) }));

/**
 * Answers a plain query of the table without the app, and leaves all else to it, errors included. A server so answers
 * before its framework is loaded, and a query that was not asked before comes cheaper.
 */
export function answerDirectly(
  { current, cache }: Shelf,
  url: string,
  asked: Asked,
): Reply | Promise<Reply> | undefined {
  const [path = "", search = ""] = split(url);
  const route = find(path);
  if (!route) return undefined;
  try {
    const question = current.ask(route.endpoint, route.identifier, new URLSearchParams(search));
    return cache.answer(current, question.canonical, () => current.answer(question), asked, url);
  } catch {
    return undefined;
  }
}

function split(url: string): [string, string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)];
}

function find(path: string): { endpoint: Endpoint; identifier: string | undefined } | undefined {
  // What a browser would resolve is left to the app, which does.
  if (path.includes("/.") || path.includes("//") || path.includes("\\")) return undefined;
  for (const { endpoint, pattern } of ROUTES) {
    const match = pattern.exec(path);
    if (match) return { endpoint, identifier: match[1] === undefined ? undefined : decodeIdentifier(match[1]) };
  }
  return undefined;
}
