import { type Endpoint, parameterFor, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../../src/api/endpoints.ts";
import type { Lang, Rank } from "../../../src/api/enumerations.ts";
import type { Change } from "./mutate.ts";

/** A change of the answers of one slice or of a whole dataset. */
export interface Mutation extends Change {
  /** Path and query of a slice without pages and language, or the name of a dataset. */
  at: string;
  /** Left out, it is the same in all languages. */
  lang?: Lang;
}

/** `/api/heroes/1/stats?rank=all|data.sub_hero[].heroid|zero|one:3|en`: place, path, kind, in which record, language. */
export const toLine = ({ at, path, kind, how, draw, lang }: Mutation): string =>
  [at, path, kind, how === "one" && draw > 0 ? `one:${draw}` : how, ...(lang ? [lang] : [])].join("|");

export function parseLine(line: string): Mutation {
  const [at = "", path = "", kind = "", which = "one", lang] = line.split("|");
  const [how = "", draw = "0"] = which.split(":");
  if (how !== "one" && how !== "all") throw new Error(`${line}: one or all, not ${which}`);
  return { at, path, kind, how, draw: Number(draw), ...(lang && { lang: lang as Lang }) };
}

export const linesOf = (mutations: readonly Mutation[]): string => mutations.map(toLine).join(" ");

export function isMeant({ at, lang }: Mutation, slice: Slice): boolean {
  if (lang !== undefined && lang !== slice.lang) return false;
  if (!at.startsWith("/")) return at === slice.dataset;
  const meant = readRequest(at)?.slice;
  return meant !== undefined && sliceId({ ...meant, lang: slice.lang }) === sliceId(slice);
}

/** What a request asks: the endpoint, and the slice that its records are of. */
export interface Asked {
  endpoint: Endpoint;
  slice: Slice;
}

/** Words before names: `/api/heroes/rank` is no hero. */
const ROUTES = ENDPOINTS.toSorted((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{"))).map(
  (endpoint) => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/, "([^/]+)")}$`) }),
);

/** Reads a request that names heroes by their ids. */
export function readRequest(url: string): Asked | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  for (const { endpoint, pattern } of ROUTES) {
    const match = pattern.exec(pathname);
    if (match) return { endpoint, slice: sliceOf(endpoint, match[1], searchParams) };
  }
  return undefined;
}

function sliceOf(endpoint: Endpoint, named: string | undefined, query: URLSearchParams): Slice {
  const chosen = (["lane", "rank", "days"] as const).flatMap((dimension) => {
    const parameter = parameterFor(endpoint, dimension);
    const value = parameter && (query.getAll(parameter.name).at(-1) ?? ("default" in parameter && parameter.default));
    return value ? [[dimension, String(value)]] : [];
  });
  return {
    dataset: endpoint.from ?? endpoint.dataset,
    ...(endpoint.identifier?.kind === "hero" && { hero: Number(named) }),
    ...(endpoint.identifier?.kind === "word" && { subject: decodeURIComponent(named ?? "") }),
    ...(Object.fromEntries(chosen) as { lane?: string; rank?: Rank; days?: string }),
    lang: (query.getAll("lang").at(-1) ?? "en") as Lang,
  };
}

/** The request for a slice in another language, or of another hero; without pages. */
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
