import type { Path } from "./body/path.ts";
import type { Wrapping } from "./body/wrapping.ts";
import { BASE_LANG, type Lang, type Rank } from "./enumerations.ts";
import type { ErrorCode } from "./errors.ts";
import { type Dimension, isDefault, type Parameter, type ParameterValues, SIZE } from "./request/parameters.ts";
import type { PathParameter } from "./request/path-parameter.ts";
import type { Shapes } from "./shapes.ts";

/**
 * The parts of a record that change with the language: every text (`all`), none (`none`), or only the texts that it shows of other lists.
 * All endpoints but those with `all` are asked once, in the base language; each crawl checks the claim.
 */
export type TextRule = "all" | "none" | readonly Reference[];

/** Texts that a record shows of the entries of a list, which it names by their ids. */
export interface Reference {
  /** The objects in the record that name an entry: `[]` for the elements of an array; left out, the record itself. */
  at?: Path;
  /** The id in such an object. */
  id: Path;
  /** The dataset that is the list; it has a slice in each language. */
  list: string;
  /** The entries in the list's records; left out, the records themselves. */
  entries?: Path;
  /** The id in an entry. */
  key: Path;
  /** Paths of the texts in the entry, by path in the object. Slices with a text that is not the list's are not localised. */
  texts: Readonly<Record<Path, Path>>;
  /** Paths of the pictures, in the same way. They may differ from the list's: then all languages have the same ones. */
  pictures?: Readonly<Record<Path, Path>>;
}

/** Paths of the fields in which a record says what it is about; they are compared with what was asked. */
export interface Identity {
  hero?: Path;
  subject?: Path;
  /** The publisher's number of the lane. */
  road?: Path;
  bigrank?: Path;
  match_type?: Path;
}

/**
 * Path of the field that differs between batches of the upstream: a `batch` is in epoch milliseconds, the same in all records of a rank and
 * window; a `day` is in epoch milliseconds too, but only its UTC day counts; a `date` is YYYY-MM-DD.
 */
interface BatchStamp {
  at: Path;
  as: "batch" | "day" | "date";
}

/** How a list is ordered. `field` and `direction` are names of parameters; without `field` there is one fixed field. */
export interface Ordering {
  fields: Readonly<Record<string, Path>>;
  field?: string;
  direction: string;
  /** Breaks ties, ascending. */
  tie: Path;
}

/** The field that a repeatable parameter filters by: the path of the ids, and the code that stands for each id. */
export interface Filter {
  at: Path;
  codes: readonly { code: string; id: string }[];
}

/** One GET route of the service and all that is known about it. Everything else is derived from this. */
export interface Endpoint {
  /** The records behind the route; the short name of the endpoint in options, tables and reports. */
  dataset: string;
  path: string;
  /** Its name in older paths of the service: `/api/hero-detail/17`, and the same below `/api/mlbb`. */
  formerly?: string;
  summary: string;
  /** The parameter in the path, if there is one. */
  identifier?: PathParameter;
  /** Query parameters. Those that select data form the slice key, with what the path names. */
  parameters: readonly Parameter[];
  /** How records are wrapped; in pages by default. */
  wrapping?: Wrapping;
  text: TextRule;
  /** The documented shape of its records, one of `shapes.ts`. What a record must have is in `needed-fields.ts`. */
  record: keyof Shapes;
  /**
   * The dataset that its records are taken from; it is never asked itself. `range` selects those whose first and last number
   * enclose the number in the path; left out, it has all of them.
   */
  from?: string;
  range?: { first: Path; last: Path };
  /** Makes the whole body from the parameters; it is never asked either. */
  compute?: (values: ParameterValues) => string;
  /**
   * Paths of the record's id; the first that holds one counts, and if none does, the whole record is the id. Empty if a slice has one
   * record.
   */
  key: readonly Path[];
  /** A list with one record for each hero, whose id is the key. */
  ofHeroes?: boolean;
  /** Numbers, texts and order may change at any time, as people vote. */
  moving?: boolean;
  identity?: Identity;
  /** The match_type that the records of this endpoint carry, if they carry one. */
  matchType?: string;
  /**
   * Where records say of which batch they are. Without it a crawl does not see that numbers roll over under it, or that an answer is
   * older than the one before.
   */
  stamp?: BatchStamp;
  /** Rates that are the same in rank, counters and compatibility; a difference shows that they are of different days. */
  rates?: { hero: Path; rates: readonly Path[] };
  /** Paths of names and texts; the table `text_quality` counts them. */
  texts?: readonly Path[];
  ordering?: Ordering;
  /** The filters, by parameter. */
  filters?: Readonly<Record<string, Filter>>;
  /** Filters read the records of this dataset with the same keys, as its own lack the ids. */
  filtersFrom?: string;
}

/** One combination of the parameters that select data. `lang` is the language it is asked in. */
export interface Slice {
  dataset: string;
  hero?: number;
  subject?: string;
  lane?: string;
  rank?: Rank;
  days?: string;
  lang: Lang;
}

export const isHeroEndpoint = ({ identifier }: Endpoint) => identifier?.kind === "hero";

export const isListEndpoint = ({ identifier }: Endpoint) => identifier === undefined;

/** Tells whether the endpoint lists what the game has, which is never empty, unlike statistics and votes. */
export const isGameList = (endpoint: Endpoint): boolean =>
  isListEndpoint(endpoint) && !endpoint.moving && parameterFor(endpoint, "rank") === undefined;

/** Tells whether the endpoint is asked from the upstream, and so has slices of its own. */
export const isAsked = ({ from, compute }: Endpoint) => !from && !compute;

export const isPaged = ({ parameters }: Endpoint) => parameters.includes(SIZE);

/** Returns the dataset of the list with the words that its path may name; undefined if the path names a hero or has no parameter. */
export const namingListOf = ({ identifier }: Endpoint): string | undefined =>
  identifier?.kind === "word" ? identifier.list : undefined;

/** Returns the other datasets that its answers need. */
export function requiredDatasets(endpoint: Endpoint): string[] {
  const { from, filtersFrom, text } = endpoint;
  const lists = typeof text === "string" ? [] : text.map(({ list }) => list);
  return [from, filtersFrom, ...lists, namingListOf(endpoint)].filter((dataset) => dataset !== undefined);
}

/** Returns the errors that the endpoint answers with. */
export const errorsOf = ({ compute, identifier }: Endpoint): ErrorCode[] => [
  ...(compute ? (["BAD_REQUEST"] as const) : []),
  ...(identifier ? (["RESOURCE_NOT_FOUND"] as const) : []),
  "METHOD_NOT_ALLOWED",
  "PRECONDITION_FAILED",
  "VALIDATION_FAILED",
  "INTERNAL_ERROR",
  ...(compute ? [] : (["SLICE_NOT_CAPTURED"] as const)),
  "OVERLOADED",
];

export const parameterFor = (endpoint: Endpoint, dimension: Dimension) =>
  endpoint.parameters.find((parameter) => parameter.kind === "choice" && parameter.selects === dimension);

/** Tells whether a query wants the upstream's default order, which the archive has. */
export const isDefaultOrder = ({ ordering, parameters }: Endpoint, values: ParameterValues): boolean =>
  parameters.every(
    (parameter) =>
      (parameter.name !== ordering?.field && parameter.name !== ordering?.direction) ||
      isDefault(parameter, values[parameter.name]),
  );

/** Makes a text that no other slice of any dataset has: `counters?hero=17&rank=glory&days=7&lang=en`. */
export const sliceId = (slice: Slice) => sliceIdOf({ dataset: slice.dataset, slice: sliceKey(slice) });

/** Makes the `sliceId` of a row that has the dataset and the key. */
export const sliceIdOf = ({ dataset, slice }: { dataset: string; slice: string }) => `${dataset}?${slice}`;

/** Names a slice for people: `counters hero=17 rank=glory days=7`. The language is named if it is not the base language. */
export const sliceName = ({ dataset, ...slice }: Slice): string =>
  [dataset, ...sliceKey({ dataset, ...slice }).split("&")].filter((part) => part !== `lang=${BASE_LANG}`).join(" ");

/** Reads a slice from its dataset and its key. */
export function parseSlice(dataset: string, key: string): Slice {
  const { hero, ...parts } = Object.fromEntries(new URLSearchParams(key));
  return { dataset, ...parts, ...(hero !== undefined && { hero: Number(hero) }) } as Slice;
}

/** Reads a slice from its `sliceId`. */
export function parseSliceId(id: string): Slice {
  const mark = id.indexOf("?");
  return parseSlice(id.slice(0, mark), id.slice(mark + 1));
}

/** Writes a slice as text, its key in the journal and in the snapshot: `hero=17&rank=glory&days=7&lang=en`. */
export function sliceKey({ hero, subject, lane, rank, days, lang }: Slice): string {
  // A joined string takes a quarter of the memory of one that is put together bit by bit, which keeps its bits.
  const parts: string[] = [];
  if (hero !== undefined) parts.push(`hero=${hero}`);
  if (subject !== undefined) parts.push(`subject=${subject}`);
  if (lane !== undefined) parts.push(`lane=${lane}`);
  if (rank !== undefined) parts.push(`rank=${rank}`);
  if (days !== undefined) parts.push(`days=${days}`);
  parts.push(`lang=${lang}`);
  return parts.join("&");
}
