import type { Lang } from "./languages.ts";
import type { Dimension, Parameter } from "./parameters.ts";
import type { Rank } from "./ranks.ts";
import type { Shapes } from "./shapes.ts";

/** A path into a record, its steps joined by dots. */
export type Path = string;

/**
 * What changes with the language: every text (`all`), nothing (`none`), or only the name and portrait of the hero that
 * `hero` points to. All but `all` are asked once, in the base language; the claim is proved on each crawl.
 */
export type TextRule = "all" | "none" | { hero: Path; name: Path; head?: Path };

/** What a record says about itself, to be compared with what was asked. */
export interface Identity {
  hero?: number | undefined;
  bigrank?: string | undefined;
  match_type?: string | undefined;
}

/** A hero's rates in one rank and window: the same in the rank list, in counters and in compatibility. */
export interface Rates {
  hero: number;
  rates: (number | undefined)[];
}

/** How a list is ordered: the parameter that picks the field (or one fixed field), and the one that picks the direction. */
export interface Ordering<R> {
  fields: Record<string, (record: R) => number>;
  field?: string;
  direction: string;
  /** Breaks ties, ascending. */
  tie: (record: R) => number;
}

/** One GET route of the service and all that is known about it. Everything else is derived from this. */
export interface Endpoint<R = unknown> {
  /** The records behind the route; the short name of the endpoint in options, tables and reports. */
  dataset: string;
  path: string;
  summary: string;
  /** Query parameters. Those that select data form the slice key, with the hero where the path names one. */
  parameters: readonly Parameter[];
  text: TextRule;
  /** The shape of its records, one of `shapes.ts`. */
  record: keyof Shapes;
  /** Tells the records of one slice apart. */
  key: (record: R) => number;
  identity?: (record: R) => Identity;
  /** The match_type that the records of this endpoint carry, where they carry one. */
  matchType?: string;
  /** What tells one batch of the upstream from the next: the same in all records of one rank and window. */
  stamp?: (record: R) => number | string | undefined;
  rates?: (record: R) => Rates;
  /** Names and texts in a record, `[]` for the elements of an array; what the report on text quality reads. */
  texts?: readonly Path[];
  ordering?: Ordering<R>;
  /** By parameter: the words that a record answers to. */
  filters?: Record<string, (record: R) => string[]>;
}

/** One combination of the parameters that select data. `lang` is the language it is asked in. */
export interface Slice {
  dataset: string;
  hero?: number;
  rank?: Rank;
  days?: string;
  lang: Lang;
}

export const isHeroEndpoint = (endpoint: Endpoint) => endpoint.path.includes("{hero_identifier}");

export const parameterFor = (endpoint: Endpoint, dimension: Dimension) =>
  endpoint.parameters.find((parameter) => parameter.kind === "choice" && parameter.selects === dimension);

/** The text form of a slice, used as its key in the journal and in the snapshot: `hero=17&rank=glory&days=7&lang=en`. */
export function sliceKey({ hero, rank, days, lang }: Slice): string {
  const parts = { hero, rank, days, lang };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
    .join("&");
}
