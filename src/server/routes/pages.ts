import { hash } from "node:crypto";
import Negotiator from "negotiator";
import { ApiError } from "../../api/errors.ts";
import { changesOf, readDocument } from "../../snapshot/published/folder.ts";
import type { PageRequest, Pages, PublishedFiles } from "../../snapshot/read/shown.ts";
import { IMMUTABLE } from "../query/snapshot-handle.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { errorResponse, type Headers, type MirrorResponse, unknownPath } from "../response/http-response.ts";
import type { DescribeError } from "../response/respond.ts";
import type { RouteEntry } from "./route.ts";

/** Makes the routes of the pages, whose answers are cached like those of the API. */
export const pageEntries = (pages: Pages): RouteEntry[] => [
  ...pages.routes.map((route) => toPageEntry(pages, route)),
  ...DOCS_ELSEWHERE.map(leadToDocs),
];

/** Paths at which the upstream and others have the docs of their APIs. */
const DOCS_ELSEWHERE = ["/api/docs", "/api/redoc"];

const leadToDocs = (route: string): RouteEntry => ({
  route,
  method: "GET",
  mediaType: "text/html",
  handle: (_, { headers }) => leadTo("/docs", 308, headers),
});

function leadTo(location: string, status: 302 | 308, headers: Readonly<Headers>): MirrorResponse {
  const { "content-type": _, ...common } = headers;
  return { status, headers: { ...common, location }, body: Buffer.alloc(0) };
}

const toPageEntry = (pages: Pages, route: string): RouteEntry => ({
  route,
  method: "GET",
  mediaType: "text/html",
  prepare: () => pages.load(),
  handle({ method, pathname, params, query }, handle, { versions }) {
    const { snapshot, version } = handle;
    const published = () => findFile(versions, version);
    const others = othersOf(versions);
    const page = pages.find({ snapshot, route, pathname, params, query, published, others });
    if (!page) throw unknownPath(method, pathname);
    if ("location" in page) return leadTo(page.location, 302, handle.headers);
    const { key, body, contentType, headers, immutable, changes } = page;
    const make = () => ({ body: body(), contentType, headers });
    return { key, make, changes, ...(immutable && { cacheControl: IMMUTABLE }) };
  },
});

/** Paths for programs: there an error is JSON, whatever else a client accepts. */
const FOR_PROGRAMS = /^\/(?:api|snapshots|health|ready|metrics)(?:\/|$)/;

/**
 * Makes the describer of errors. Outside the paths for programs they are pages for clients that prefer HTML, as browsers do; caches must
 * know that this depends on the request.
 */
export function createErrorDescriber(pages: Pages, shown: () => PageRequest["snapshot"] | undefined): DescribeError {
  return function describe(error, request, snapshot): ReturnType<DescribeError> {
    const { pathname, query, accept } = request;
    const asJson = errorResponse(error, snapshot);
    if (FOR_PROGRAMS.test(pathname)) return asJson;
    const headers = { ...asJson.headers, vary: "Accept" };
    const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(["application/json", "text/html"]);
    if (preferred !== "text/html") return { ...asJson, headers };
    const open = shown();
    const loading = pages.load();
    if (loading) return loading.then(() => describe(error, request, snapshot));
    const { message, hint } = error.explanation;
    const page = pages.describeError({ status: error.status, message, hint, pathname, query, snapshot: open });
    const body = Buffer.from(page.body);
    const own = { ...page.headers, "content-type": page.contentType, "content-length": String(body.length) };
    return { ...asJson, headers: { ...headers, ...own }, body };
  };
}

/** Finds the published file of a version; undefined for one that was not published. */
function findFile(versions: Versions, version: string) {
  try {
    return toPublishedFile(versions.find(version));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const toPublishedFile = ({ essentials, ...others }: PublishedSnapshot) => ({ ...essentials, ...others });

/** The most bytes of changes that a page shows: this process parses them, which takes a tenth of a second at this size. */
const MOST_SHOWN_BYTES = 6 * 1024 * 1024;

/** One for each mirror: pages keep what they have read last with it. */
const madeFor = new WeakMap<Versions, PublishedFiles>();

function othersOf(versions: Versions): PublishedFiles {
  const made = madeFor.get(versions) ?? toOthers(versions);
  madeFor.set(versions, made);
  return made;
}

const toOthers = (versions: Versions): PublishedFiles => ({
  list: () => versions.list().map(toPublishedFile),
  readChanges(version) {
    try {
      const { file, changes } = versions.find(version);
      const json = changes && readDocument(changesOf(file), MOST_SHOWN_BYTES);
      return json !== undefined && hash("sha256", json) === changes?.sha256 ? json : undefined;
    } catch {
      return undefined;
    }
  },
});
