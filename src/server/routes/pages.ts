import { ApiError } from "../../api/errors.ts";
import type { FoundPage, PageRequest, Pages } from "../../pages/pages.ts";
import { changesOf, readDocument } from "../../snapshot/published/folder.ts";
import { IMMUTABLE } from "../query/snapshot-handle.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { exchangeOf, toRequestHead } from "../response/respond.ts";
import type { RouteEntry } from "./document.ts";
import { unmatched } from "./unmatched.ts";

/** The routes of the pages, whose answers are cached as those of the API. */
export const pageEntries = (pages: Pages): RouteEntry[] =>
  pages.routes.map((route) => ({
    route,
    method: "GET",
    mediaType: "text/html",
    answer(event, handle, { cache, versions, route: template }) {
      const { pathname, searchParams: query } = event.url;
      const published = () => findFile(versions, handle.version);
      const others = toOthers(versions);
      const found = pages.find({ snapshot: handle.snapshot, pathname, query, published, others });
      if (!found) throw unmatched(event.req.method, pathname).error;
      const { key, representation } = handle.document(found.key, found.body, found);
      const cacheControl = found.immutable ? IMMUTABLE : handle.cacheControl;
      const cached = { key, meta: { ...handle, cacheControl }, route: template };
      return cache.respond(
        representation,
        cached,
        toRequestHead(event),
        urlToRemember(found, exchangeOf(event)?.req.url),
      );
    },
  }));

/** What a page says of its age, or of other snapshots, is not true for as long as its own is served. */
const urlToRemember = ({ changes }: FoundPage, url: string | undefined) => (changes ? undefined : url);

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

/** Of changes that a page shows: they are parsed in this process, a tenth of a second for these. */
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
