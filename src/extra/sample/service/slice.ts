import { DAY_WINDOWS, LANE_CODES, LANG_CODES, RANK_CODES, TREND_WINDOWS } from "../../../api/enumerations.ts";
import { ENDPOINT_PATHS } from "./openapi.ts";
import type { ParameterName, Query } from "./query.ts";

const isNumber = (value: string) => /^\d+$/.test(value);
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);

/** The parameters that select data, and the test of their values. `days` is the window of rates or the length of a trend. */
export const DIMENSIONS = {
  endpoint: isOneOf(ENDPOINT_PATHS),
  hero: isNumber,
  subject: isNumber,
  rank_id: isNumber,
  lane: isOneOf(LANE_CODES),
  rank: isOneOf(RANK_CODES),
  days: isOneOf([...DAY_WINDOWS, ...TREND_WINDOWS]),
  lang: isOneOf(LANG_CODES),
};

type Dimension = keyof typeof DIMENSIONS;

/** The values of a question in the dimensions that its endpoint has. Pages and their order are none. */
export type Slice = { readonly [Name in Dimension]?: string };

/** Stands for all slices that have one of the values in each dimension that is named. */
export type Slices = { readonly [Name in Dimension]?: string | number | readonly (string | number)[] };

/** Parameters of the query that select data. */
const SELECTING = {
  one_lane: "lane",
  rank: "rank",
  days: "days",
  "past-days": "days",
  trend_days: "days",
  lang: "lang",
} as const satisfies Partial<Record<ParameterName, Dimension>>;

const isSelecting = (name: ParameterName): name is keyof typeof SELECTING => name in SELECTING;

interface Described {
  path: string;
  parameters: readonly ParameterName[];
}

/** The slice of a question. `named` is the value in its path; for a hero it is the id. */
export function sliceOf({ path, parameters }: Described, query: Query, named: string): Slice {
  const slice: { [Name in Dimension]?: string } = { endpoint: path };
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (name !== undefined) slice[name === "hero_identifier" ? "hero" : (name as Dimension)] = named;
  for (const parameter of parameters) if (isSelecting(parameter)) slice[SELECTING[parameter]] = query[parameter];
  return slice;
}

export const isOf = (slice: Slice, slices: Slices): boolean =>
  Object.entries(slices).every(([name, wanted]) =>
    [wanted].flat().some((value) => String(value) === slice[name as Dimension]),
  );

/** Throws `RangeError` for a dimension or a value that no slice has. */
export function checkSlices(slices: Slices): void {
  for (const [name, wanted] of Object.entries(slices)) {
    const fits = DIMENSIONS[name as Dimension];
    if (!fits) throw new RangeError(`${name} is none of ${Object.keys(DIMENSIONS).join(", ")}`);
    const odd = [wanted].flat().find((value) => !fits(String(value)));
    if (odd !== undefined) throw new RangeError(`no answer has ${name} ${odd}`);
  }
}
