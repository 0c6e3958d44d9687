import type { KnownEndpoint } from "../../api/endpoints.ts";
import type { Lang } from "../../api/enumerations.ts";
import type { PublishedFile, PublishedFiles } from "../../snapshot/read/shown.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { Facts } from "./facts.ts";
import type { Figures } from "./figures.ts";
import type { Html } from "./html.ts";
import type { Choice, Values } from "./query.ts";
import type { PageRoute } from "./site/routes.ts";
import type { Messages } from "./words/messages.ts";

/** The input of a page. */
export interface PageContext {
  snapshot: Snapshot;
  facts: Facts;
  /** Path of the request, as it is in the table of pages. */
  path: string;
  /** A valid value of each parameter. */
  values: Values;
  /** The language of names and texts. `messages.language` is that of the words around them. */
  lang: Lang;
  messages: Messages;
  /** How numbers and times are written beside these words. */
  figures: Figures;
  pictures: boolean;
  /** The origin of absolute addresses, without a slash at the end. If it is undefined, no page names an absolute address. */
  publicUrl: string | undefined;
  /** Undefined if the served file was not published. */
  published: () => PublishedFile | undefined;
  others: PublishedFiles;
  now: number;
}

/** The middle of a page, and what tells its state from others in a tab, a bookmark or a shared link. */
export interface PageBody {
  title: string;
  /** A sentence with the figures that somebody would share; the summary of the page by default. */
  description?: string;
  main: Html;
  /** The CSV would have no row, so no link leads to it. */
  hasNoRows?: boolean;
  /** Its links lead on without end: crawlers that read no `robots.txt`, or no query in it, are told not to follow them. */
  isEndless?: boolean;
  /** The facts for programs, as JSON-LD. */
  linkedData?: object;
}

/** The answer to `?format=csv`: rows, and those of their fields that it has; `hero` is the name of `hero_id`. */
export interface CsvReport {
  csv: readonly string[];
  rows: readonly object[];
}

/** One entry of the table of pages. */
export interface PageEntry {
  /** The template of its path, with at most one parameter, `{id}`: the number of a hero, to which a name of the hero leads. */
  route: PageRoute;
  /** Its line in the docs. */
  summary: string;
  /** The message that is its text among the links on all pages. */
  link?: keyof Messages["frame"]["navigation"];
  /** Its words are in English in every language: it is for people who write programs. */
  english?: boolean;
  /** The parameters of its query besides `lang`. */
  choices: (facts: Facts, others: PublishedFiles) => readonly Choice[];
  /** Answers `?format=csv`; a link to it stands below the page. */
  csv?(context: PageContext, id: number): CsvReport;
  /** The text of the link to the CSV: it names the table. */
  csvLink?(messages: Messages): string;
  /** Names of modules in `src/extra/pages/browser` that it loads besides `page`. */
  scripts?: readonly string[];
  /** They run WebAssembly, which the policy must allow. */
  webAssembly?: boolean;
  /** Says how old things are: made anew when an hour has passed. */
  tellsAge?: boolean;
  /** Says what else is published: made anew when that has changed. */
  tellsOthers?: boolean;
  /**
   * Says where the served file is, or what changed since the night before. What tells it was there before the snapshot was served, and
   * stays true: these pages are not made anew as long as the snapshot is served.
   */
  tellsFile?: boolean;
  /** The datasets that it shows: a note says since when the upstream refuses one of them, and of when its figures are. */
  shows?: readonly KnownEndpoint["dataset"][];
  /** The address of the page that is meant, if it is not this one. */
  leadsTo?(context: PageContext): string | undefined;
  /** True if the thing that the path names exists; without this it always does. */
  exists?(context: PageContext, id: number): boolean;
  /** `id` is the number in the path, if it has one. */
  render(context: PageContext, id: number): PageBody;
}
