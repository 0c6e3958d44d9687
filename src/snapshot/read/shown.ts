import type { Snapshot } from "./snapshot.ts";

// How a snapshot is shown to people: what a server asks, and what it is answered. The server and the pages meet here; neither
// knows the other, and a command hands the one to the other.

interface SizeAndHash {
  size: number;
  sha256: string;
}

/** A published snapshot, as its manifest says. */
export interface PublishedFile extends SizeAndHash {
  version: string;
  /** ISO 8601 in UTC. */
  started_at: string;
  withdrawn: boolean;
  compressed: SizeAndHash | undefined;
  analysts: SizeAndHash | undefined;
  history: SizeAndHash | undefined;
  /** What changed since the night before; undefined if that is unknown. */
  changes: (SizeAndHash & { since: string }) | undefined;
  /** The text of the manifest, and of its signature if it is signed. */
  manifest: string;
  signature: string | undefined;
}

/** What is published beside the file that is served. */
export interface PublishedFiles {
  /** The last published first. */
  list(): readonly PublishedFile[];
  /** The JSON of what changed; undefined if no changes are kept. */
  readChanges(version: string): string | undefined;
}

/** What a person asks for. */
export interface PageRequest {
  snapshot: Snapshot;
  /** One of `Pages.routes`, with what its path names. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
  pathname: string;
  query: URLSearchParams;
  /** Undefined if the served file was not published. */
  published: () => PublishedFile | undefined;
  others: PublishedFiles;
}

/** A request of a person that is refused. */
export interface RefusedRequest {
  status: number;
  /** What a program is told. */
  message: string;
  hint: string;
  pathname: string;
  query: URLSearchParams;
  /** Undefined if nothing of it may be shown. */
  snapshot: Snapshot | undefined;
}

/** What a path leads to, before it is made. */
export interface FoundPage {
  /** Equal for all requests that have this text, as long as the snapshot is served. */
  key: string;
  contentType: string;
  headers: Readonly<Record<string, string>>;
  /** Never changes under its path. */
  immutable: boolean;
  /** The text of a path changes while the snapshot is served. */
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

/** All that people look at. */
export interface Pages {
  /** Templates of all paths. */
  routes: readonly string[];
  /** Loads the code of the pages; undefined once it is loaded. Until then the others throw. */
  load(): Promise<void> | undefined;
  /** Undefined if there is no such page. */
  find(request: PageRequest): FoundPage | MovedPage | undefined;
  describeError(refused: RefusedRequest): ErrorPage;
}
