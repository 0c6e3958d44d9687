import type { H3Event } from "h3";
import type { Exchange } from "./exchange.ts";
import { unknownPath } from "./unmatched.ts";

/** A request as handlers get it, read once. */
export interface MirrorRequest {
  method: string;
  /** Path and query as they were sent. */
  pathname: string;
  search: string;
  query: URLSearchParams;
  /** By the names in the route, unescaped. */
  params: Readonly<Record<string, string | undefined>>;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Request and response on their socket; undefined for `app.request()`, which has none. */
  exchange: Exchange | undefined;
}

/** What of a request decides status, encoding and range of its response. */
export type RequestHead = Pick<MirrorRequest, "method" | "headers">;

export const exchangeOf = (event: H3Event) => event.runtime?.node?.res as Exchange | undefined;

/** Throws an ApiError RESOURCE_NOT_FOUND for an escaped slash: it is part of no name. */
export function readRequest(event: H3Event): MirrorRequest {
  const exchange = exchangeOf(event);
  const { pathname, search, searchParams } = event.url;
  const { params = {} } = event.context;
  if (/%2f/i.test(pathname)) throw unknownPath(event.req.method, pathname);
  return {
    method: event.req.method,
    pathname,
    search,
    query: searchParams,
    params: pathname.includes("%") ? unescapeAll(params) : params,
    headers: (exchange?.req.headers ?? Object.fromEntries(event.req.headers)) as MirrorRequest["headers"],
    exchange,
  };
}

const unescapeAll = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decode(text)]));

/** A broken escape is part of a name that nothing has. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
