import {
  BASE_LANG,
  DAY_WINDOWS,
  LANE_CODES,
  LANG_CODES,
  RANK_CODES,
  ROLE_CODES,
  TREND_WINDOWS,
} from "../enumerations.ts";
import type { InvalidField } from "../errors.ts";

/** The parameters that select data; together they name a slice. Everything else is answered locally. */
export type Dimension = "lane" | "rank" | "days" | "lang";

/** A parameter of a query. A scalar without a default is required; the examples of all parameters are valid together. */
export type Parameter = { name: string; description: string } & (
  | { kind: "integer"; minimum: number; maximum?: number; default?: number; examples?: readonly string[] }
  | { kind: "decimal"; minimum: number; exclusive?: boolean; maximum: number; examples: readonly string[] }
  | { kind: "choice"; values: readonly string[]; default?: string; selects?: Dimension }
  /** A repeatable parameter. The upstream trims its values and ignores their case; without a value it means all of them. */
  | { kind: "choices"; values: readonly string[] }
);

export const SIZE: Parameter = {
  name: "size",
  kind: "integer",
  minimum: 1,
  default: 20,
  description: "Records per page.",
};
export const INDEX: Parameter = {
  name: "index",
  kind: "integer",
  minimum: 1,
  default: 1,
  description: "Page, starting at 1.",
};
export const LANG: Parameter = {
  name: "lang",
  kind: "choice",
  values: LANG_CODES,
  default: BASE_LANG,
  selects: "lang",
  description: "Language of names and texts.",
};
export const RANK: Parameter = {
  name: "rank",
  kind: "choice",
  values: RANK_CODES,
  default: "all",
  selects: "rank",
  description: "Rank bracket.",
};
export const ONE_LANE: Parameter = {
  name: "lane",
  kind: "choice",
  values: LANE_CODES,
  selects: "lane",
  description: "Lane on which the hero is played.",
};
export const DAYS: Parameter = {
  name: "days",
  kind: "choice",
  values: DAY_WINDOWS,
  default: "1",
  selects: "days",
  description: "Window of the statistics, in days.",
};
export const PAST_DAYS: Parameter = {
  name: "past-days",
  kind: "choice",
  values: TREND_WINDOWS,
  default: "7",
  selects: "days",
  description: "Length of the daily series, in days.",
};
export const TREND_DAYS: Parameter = { ...PAST_DAYS, name: "days" };
export const ROLE: Parameter = {
  name: "role",
  kind: "choices",
  values: ROLE_CODES,
  description: "Only heroes with one of these roles.",
};
export const LANE: Parameter = {
  name: "lane",
  kind: "choices",
  values: LANE_CODES,
  description: "Only heroes with one of these lanes.",
};

const DIRECTIONS = ["asc", "desc"] as const;
export const order = (by: string, direction: (typeof DIRECTIONS)[number] = "desc"): Parameter => ({
  name: "order",
  kind: "choice",
  values: DIRECTIONS,
  default: direction,
  description: `Direction of the order by ${by}.`,
});
export const SORT_ORDER: Parameter = {
  name: "sort_order",
  kind: "choice",
  values: DIRECTIONS,
  default: "desc",
  description: "Direction of the order by sort_field.",
};
export const SORT_FIELD: Parameter = {
  name: "sort_field",
  kind: "choice",
  values: ["pick_rate", "ban_rate", "win_rate"],
  default: "win_rate",
  description: "Rate by which the list is ordered.",
};

export const MATCH_NOW: Parameter = {
  name: "match-now",
  kind: "integer",
  minimum: 0,
  // Far beyond it the number that is answered would not be the one that was asked.
  maximum: 1e15,
  examples: ["100", "0", "7", "1234"],
  description: "Matches played so far.",
};
export const WR_NOW: Parameter = {
  name: "wr-now",
  kind: "decimal",
  minimum: 0,
  maximum: 100,
  examples: ["50", "0", "33.333333333333336", "48.7"],
  description: "Win rate so far, in percent.",
};
export const WR_FUTURE: Parameter = {
  name: "wr-future",
  kind: "decimal",
  minimum: 0,
  exclusive: true,
  maximum: 100,
  examples: ["75", "66.66666666666667", "99.5", "50.1"],
  description: "Win rate to reach, in percent, above wr-now and below 100.",
};

/** Parsed parameters by name: a number, a word, or the words of a repeatable one (empty: no filter). */
export type ParameterValues = Record<string, number | string | string[]>;

/** Tells whether a value changes nothing because it is the parameter's default. */
export const isDefault = (parameter: Parameter, value: ParameterValues[string] | undefined): boolean =>
  value === undefined || ("default" in parameter && value === parameter.default);

/** Tells whether a query filters: every repeatable parameter is a filter. */
export const isFiltered = (values: ParameterValues): boolean =>
  Object.values(values).some((value) => Array.isArray(value) && value.length > 0);

// An integer as the upstream's framework reads it: 1_000 and 1.0 are integers, 1.5, 1e3 and 0x10 are not.
const INTEGER = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/;

/** The most characters of a number that is read: no number that is meant needs so many digits. */
const MAX_NUMBER_CHARS = 100;

const isSpace = (text: string, index: number) => {
  const code = text.charCodeAt(index);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
};

/** Trims without a pattern, which would search from each of many spaces in turn for the end of the text. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Reads the query of one endpoint. Unknown names are ignored; of a repeated scalar the last one wins. */
export function parseQuery(parameters: readonly Parameter[], query: URLSearchParams) {
  const values: ParameterValues = {};
  const invalid: InvalidField[] = [];
  for (const parameter of parameters) {
    const { name } = parameter;
    if (parameter.kind === "choices") {
      const words = query.getAll(name).map(readWord).filter(Boolean);
      for (const word of words) if (!parameter.values.includes(word)) invalid.push(toInvalidField(parameter, word));
      values[name] = [...new Set(words)];
      continue;
    }
    const last = query.getAll(name).at(-1);
    if (last === undefined && "default" in parameter) {
      values[name] = parameter.default;
      continue;
    }
    const value = last === undefined ? undefined : parseScalar(parameter, last);
    if (value === undefined) invalid.push(toInvalidField(parameter, last ?? ""));
    else values[name] = value;
  }
  return { values, invalid };
}

function readWord(text: string): string {
  return trim(text).toLowerCase();
}

function toInvalidField(parameter: Parameter, received: string): InvalidField {
  return { name: parameter.name, in: "query", received, allowed: describeAllowed(parameter) };
}

type Scalar = Exclude<Parameter, { kind: "choices" }>;

function parseScalar(parameter: Scalar, text: string): number | string | undefined {
  if (parameter.kind === "choice") return parameter.values.includes(text) ? text : undefined;
  const number = parameter.kind === "integer" ? parseInteger(text) : parseDecimal(text);
  if (number === undefined || number < parameter.minimum || number > (parameter.maximum ?? number)) return undefined;
  return parameter.kind === "decimal" && parameter.exclusive && number === parameter.minimum ? undefined : number;
}

/** Reads an integer; beyond 2^53 only its size matters (every page there is past the end). */
export function parseInteger(text: string): number | undefined {
  const digits = digitsOf(text, INTEGER);
  return digits === undefined ? undefined : Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function parseDecimal(text: string): number | undefined {
  const digits = digitsOf(text, DECIMAL);
  return digits === undefined ? undefined : Number(digits);
}

function digitsOf(text: string, pattern: RegExp): string | undefined {
  const trimmed = trim(text);
  return trimmed.length <= MAX_NUMBER_CHARS && pattern.test(trimmed) ? trimmed.replaceAll("_", "") : undefined;
}

export function describeAllowed(parameter: Parameter): string {
  if (parameter.kind === "integer" || parameter.kind === "decimal") return describeNumber(parameter);
  const values = parameter.values.join(", ");
  if (parameter.kind === "choices") return `any of ${values}; repeat the key for more than one`;
  return `one of ${values}${isRequired(parameter) ? "; it is required" : ""}`;
}

function describeNumber(parameter: Extract<Parameter, { kind: "integer" | "decimal" }>): string {
  const { kind, minimum, maximum } = parameter;
  const what = kind === "integer" ? "a whole number" : "a number";
  const from = kind === "decimal" && parameter.exclusive ? `above ${minimum}` : `of at least ${minimum}`;
  const to = maximum === undefined ? "" : ` and at most ${maximum}`;
  return `${what} ${from}${to}${isRequired(parameter) ? "; it is required" : ""}`;
}

/** Tells whether a parameter is required. A repeatable one never is: without a value it means all. */
export const isRequired = (parameter: Parameter) => parameter.kind !== "choices" && !("default" in parameter);
