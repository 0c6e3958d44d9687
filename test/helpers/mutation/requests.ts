import { parameterFor, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../../src/api/endpoints.ts";
import type { Lang } from "../../../src/api/enumerations.ts";
import type { Change } from "./mutate.ts";

/** A change of the answers of one slice or of a whole dataset. */
export interface Mutation extends Change {
  /** Path and query of a slice without pages and language, or the name of a dataset. */
  at: string;
  /** Left out, it is the same in all languages. */
  lang?: Lang;
}

/** `/api/heroes/1/stats?rank=all|data.sub_hero[].heroid|zero|one:3|en`: place, path, kind, in which one, language. */
export const toOddLine = ({ at, path, kind, how, draw, lang }: Mutation): string =>
  [at, path, kind, how === "one" && draw > 0 ? `one:${draw}` : how, ...(lang ? [lang] : [])].join("|");

export function parseOddLine(line: string): Mutation {
  const [at = "", path = "", kind = "", which = "one", lang] = line.split("|");
  const [how = "", draw = "0"] = which.split(":");
  if (how !== "one" && how !== "all") throw new Error(`${line}: one or all, not ${which}`);
  return { at, path, kind, how, draw: Number(draw), ...(lang && { lang: lang as Lang }) };
}

export const datasetOf = ({ at }: Mutation) => sliceOfRequest(at)?.dataset ?? at;

export function isMutated({ at, lang }: Mutation, slice: Slice): boolean {
  if (lang !== undefined && lang !== slice.lang) return false;
  const meant = sliceOfRequest(at);
  return meant ? sliceId({ ...meant, lang: slice.lang }) === sliceId(slice) : at === slice.dataset;
}

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
