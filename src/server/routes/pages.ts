import { ApiError } from "../../api/errors.ts";
import type { PageRequest, Pages } from "../../pages/pages.ts";
import { changesOf, readDocument } from "../../snapshot/published/folder.ts";
import { IMMUTABLE } from "../query/snapshot-handle.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { unknownPath } from "../response/http-response.ts";
import type { RouteEntry } from "./route.ts";

/** The routes of the pages, whose answers are cached as those of the API. */
export const pageEntries = (pages: Pages): RouteEntry[] => [
  ...pages.routes.map((route) => toPageEntry(pages, route)),
  ...DOCS_ELSEWHERE.map(leadToDocs),
];

/** Where the upstream and others have the docs of their APIs. */
const DOCS_ELSEWHERE = ["/api/docs", "/api/redoc"];

const leadToDocs = (route: string): RouteEntry => ({
  route,
  method: "GET",
  mediaType: "text/html",
  handle(_, { headers }) {
    const { "content-type": __, ...common } = headers;
    return { status: 308, headers: { ...common, location: "/docs" }, body: Buffer.alloc(0) };
  },
});

const toPageEntry = (pages: Pages, route: string): RouteEntry => ({
  route,
  method: "GET",
  mediaType: "text/html",
  handle({ method, pathname, params, query }, { snapshot, version }, { versions }) {
    const published = () => findFile(versions, version);
    const others = toOthers(versions);
    const page = pages.find({ snapshot, route, pathname, params, query, published, others });
    if (!page) throw unknownPath(method, pathname);
    const { key, body, contentType, headers, immutable, changes } = page;
    const make = () => ({ body: body(), contentType, headers });
    return { key, make, changes, ...(immutable && { cacheControl: IMMUTABLE }) };
  },
});

/** What the manifest says; nothing for a file that was not published. */
function findFile(versions: Versions, version: string) {
  try {
    return toPublishedFile(versions.find(version));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const toPublishedFile = ({ essentials, ...others }: PublishedSnapshot) => ({ ...essentials, ...others });

/** Size of the changes that a page shows at most: this process parses them, which takes a tenth of a second at this size. */
const MOST_SHOWN_BYTES = 6 * 1024 * 1024;

const toOthers = (versions: Versions): PageRequest["others"] => ({
  list: () => versions.list().map(toPublishedFile),
  readChanges(version) {
    try {
      const { file, changes } = versions.find(version);
      return changes && readDocument(changesOf(file), MOST_SHOWN_BYTES);
    } catch {
      return undefined;
    }
  },
});
