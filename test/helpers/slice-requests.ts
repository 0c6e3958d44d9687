import { parameterFor, type Slice } from "../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../src/api/endpoints.ts";
import type { Lang } from "../../src/api/enumerations.ts";

/** Words before names: `/api/heroes/rank` is no hero. */
const ROUTES = ENDPOINTS.toSorted((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{"))).map(
  (endpoint) => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/, "([^/]+)")}$`) }),
);

/** The slice that the records of an answer are of. Heroes are named by their ids. */
export function sliceOfRequest(url: string): Slice | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const route = ROUTES.find(({ pattern }) => pattern.test(pathname));
  if (!route) return undefined;
  const { endpoint, pattern } = route;
  const named = decodeURIComponent(pattern.exec(pathname)?.[1] ?? "");
  const chosen = (["lane", "rank", "days"] as const).flatMap((dimension) => {
    const parameter = parameterFor(endpoint, dimension);
    const value = parameter && (searchParams.get(parameter.name) ?? ("default" in parameter && parameter.default));
    return value ? [[dimension, String(value)]] : [];
  });
  return {
    dataset: endpoint.from ?? endpoint.dataset,
    ...(endpoint.identifier?.kind === "hero" && { hero: Number(named) }),
    ...(endpoint.identifier?.kind === "word" && { subject: named }),
    ...Object.fromEntries(chosen),
    lang: (searchParams.get("lang") ?? "en") as Lang,
  };
}

/** The request for a slice. */
export function toRequest(slice: Slice, more: Record<string, string | number> = {}): string {
  const endpoint = endpointOf(slice.dataset);
  const query = new URLSearchParams();
  for (const dimension of ["lane", "rank", "days"] as const) {
    const parameter = parameterFor(endpoint, dimension);
    const value = slice[dimension];
    if (parameter && value !== undefined) query.set(parameter.name, value);
  }
  query.set("lang", slice.lang);
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  return `${endpoint.path.replace(/\{\w+\}/, encodeURIComponent(slice.hero ?? slice.subject ?? ""))}?${query}`;
}
