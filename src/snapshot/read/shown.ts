import type { Snapshot } from "./snapshot.ts";

// The interface between server and pages, which show a snapshot to people: requests and answers. Neither knows the other; a command hands
// the pages to the server.

interface SizeAndHash {
  size: number;
  sha256: string;
}

/** A published snapshot, from its manifest. */
export interface PublishedFile extends SizeAndHash {
  version: string;
  /** ISO 8601 in UTC. */
  started_at: string;
  withdrawn: boolean;
  compressed: SizeAndHash | undefined;
  analysts: SizeAndHash | undefined;
  history: SizeAndHash | undefined;
  /** The changes since the night before; undefined if they are unknown. */
  changes: (SizeAndHash & { since: string }) | undefined;
  /** The text of the manifest, and of its signature if it is signed. */
  manifest: string;
  signature: string | undefined;
}

/** The published versions beside the file that is served. */
export interface PublishedFiles {
  /** Lists them, the last published first. */
  list(): readonly PublishedFile[];
  /** Reads the changes as JSON; undefined if the bytes that the manifest names are not here, or are too many for a page. */
  readChanges(version: string): string | undefined;
}

/** A person's request for a page. */
export interface PageRequest {
  snapshot: Snapshot;
  /** One of `Pages.routes`; `params` has the values in its path. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
  pathname: string;
  query: URLSearchParams;
  /** Undefined if the served file was not published. */
  published: () => PublishedFile | undefined;
  others: PublishedFiles;
}

/** A person's request that is refused. */
export interface RefusedRequest {
  status: number;
  /** The message that a program gets. */
  message: string;
  hint: string;
  pathname: string;
  query: URLSearchParams;
  /** Undefined if none of it may be shown. */
  snapshot: Snapshot | undefined;
}

/** A page that was found, before it is made. */
export interface FoundPage {
  /** A key that all requests with this text share, as long as the snapshot is served. */
  key: string;
  contentType: string;
  headers: Readonly<Record<string, string>>;
  /** True if the text never changes under its path. */
  immutable: boolean;
  /** True if the text changes while the snapshot is served. */
  changes: boolean;
  body: () => string | Buffer;
}

/** A path that leads to another page, as long as the snapshot is served: in the next one another hero may have this name. */
export interface MovedPage {
  location: string;
}

/** A page for a person whose request is refused: it says why. */
interface ErrorPage extends Pick<FoundPage, "contentType" | "headers"> {
  body: string;
}

/** All pages for people. */
export interface Pages {
  /** Templates of all paths. */
  routes: readonly string[];
  /** Loads the code of the pages; undefined once it is loaded. Until then the others throw. */
  load(): Promise<void> | undefined;
  /** Finds the page of a request; undefined if there is none. */
  find(request: PageRequest): FoundPage | MovedPage | undefined;
  describeError(refused: RefusedRequest): ErrorPage;
}
