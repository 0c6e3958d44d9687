import {
  DAY_WINDOWS,
  LANE_CODES,
  LANES,
  LANG_CODES,
  type Lang,
  RANK_CODES,
  ROLE_CODES,
  ROLES,
  TREND_WINDOWS,
} from "../../../api/enumerations.ts";
import type { Problem } from "./failures.ts";

interface Parameter<T> {
  /** Its name in the query string, if that differs from its key in `PARAMETERS`. */
  name?: string;
  /** Used if the query has no value; ignored if the parameter is required. */
  defaultValue: T;
  required?: true;
  /** The expectation in the error message. */
  allowed: string;
  schema: object;
  /** Parses all values of the parameter, in order; undefined if they are not allowed. They are empty only for a required one. */
  parse(values: readonly string[]): T | undefined;
}

// Accepted by the upstream as an integer: white space, "+", leading zeros, "1_000" and "1.0", but not "1.5" or "1e3".
const INTEGER = /^[ \t\n\r\f\v]*([+-]?\d+(?:_\d+)*)(?:\.0+)?[ \t\n\r\f\v]*$/;

function positiveInteger(defaultValue: number): Parameter<number> {
  return {
    defaultValue,
    allowed: "an integer from 1",
    schema: { type: "integer", minimum: 1, default: defaultValue },
    parse(values) {
      const digits = INTEGER.exec(values.at(-1) ?? "")?.[1];
      const value = Number(digits?.replaceAll("_", ""));
      // It has no upper bound, but a product of two must stay finite.
      return value >= 1 ? Math.min(value, Number.MAX_SAFE_INTEGER) : undefined;
    },
  };
}

/** Parses a count as an integer is read, from 0. */
function parseCount(values: readonly string[]): number | undefined {
  const digits = INTEGER.exec(values.at(-1) ?? "")?.[1];
  const value = Number(digits?.replaceAll("_", ""));
  return value >= 0 && value <= 1e15 ? value : undefined;
}

function oneOf<const T extends string>(allowed: readonly T[], defaultValue: NoInfer<T>): Parameter<T> {
  return {
    defaultValue,
    allowed: allowed.join(", "),
    schema: { type: "string", enum: allowed, default: defaultValue },
    parse: (values) => allowed.find((code) => code === values.at(-1)),
  };
}

/** Makes a parameter that may be repeated: any of its values matches. The result is the list of the publisher's ids. */
function listOf(allowed: readonly string[], table: readonly { code: string; id: string }[]): Parameter<string[]> {
  const all = table.map(({ id }) => id);
  return {
    defaultValue: all,
    allowed: allowed.join(", "),
    schema: { type: "array", items: { type: "string", enum: allowed }, default: allowed },
    parse(values) {
      const asked = values.map((value) => value.trim().toLowerCase()).filter((value) => value !== "");
      if (!asked.every((value) => allowed.includes(value))) return undefined;
      const ids = table.filter(({ code }) => asked.includes(code)).map(({ id }) => id);
      return ids.length > 0 ? ids : all;
    },
  };
}

/** Makes a decimal number: underscores between digits and an exponent are allowed, as in the upstream. */
function decimal(isAllowed: (value: number) => boolean, allowed: string): Parameter<number> {
  return {
    defaultValue: 0,
    required: true,
    allowed,
    schema: { type: "number", minimum: 0, maximum: 100 },
    parse(values) {
      const text = (values.at(-1) ?? "").trim().replace(/(?<=\d)_(?=\d)/g, "");
      const value = text === "" || /[^\d.eE+-]/.test(text) ? Number.NaN : Number(text);
      return isAllowed(value) ? value : undefined;
    },
  };
}

const ORDERS = ["asc", "desc"] as const;

export const PARAMETERS = {
  size: positiveInteger(20),
  index: positiveInteger(1),
  order: oneOf(ORDERS, "desc"),
  lang: oneOf<Lang>(LANG_CODES, "en"),
  rank: oneOf(RANK_CODES, "all"),
  days: oneOf(DAY_WINDOWS, "1"),
  "past-days": oneOf(TREND_WINDOWS, "7"),
  sort_field: oneOf(["pick_rate", "ban_rate", "win_rate"], "win_rate"),
  sort_order: oneOf(ORDERS, "desc"),
  role: listOf(ROLE_CODES, ROLES),
  lane: listOf(LANE_CODES, LANES),
  // The parameters of the academy: another default, another meaning, or no default at all.
  ascending: { ...oneOf(ORDERS, "asc"), name: "order" },
  one_lane: { ...oneOf(LANE_CODES, "exp"), name: "lane", required: true as const },
  trend_days: { ...oneOf(TREND_WINDOWS, "7"), name: "days" },
  "match-now": { ...positiveInteger(0), allowed: "an integer from 0", parse: parseCount, required: true as const },
  "wr-now": decimal((value) => value >= 0 && value <= 100, "a number from 0 to 100"),
  "wr-future": decimal((value) => value > 0 && value <= 100, "a number above 0, up to 100"),
};

export type ParameterName = keyof typeof PARAMETERS;
export type Query = { [Name in ParameterName]: (typeof PARAMETERS)[Name]["defaultValue"] };

const NAMES = Object.keys(PARAMETERS) as ParameterName[];
const DEFAULTS = Object.fromEntries(NAMES.map((name) => [name, PARAMETERS[name].defaultValue])) as Query;

/** Parses the parameters that an endpoint declares. The others keep their default; unknown ones are ignored. */
export function parseQuery(search: string, declared: readonly ParameterName[]): { query: Query; problems: Problem[] } {
  const given = new URLSearchParams(search);
  const problems: Problem[] = [];
  const read = <T>(key: string, { name = key, allowed, defaultValue, required, parse }: Parameter<T>): T => {
    const values = given.getAll(name);
    const value = values.length === 0 && !required ? defaultValue : parse(values);
    if (value === undefined) problems.push({ name, in: "query", received: values.join(", "), allowed });
    return value ?? defaultValue;
  };
  const parsed = declared.map((name) => [name, read<unknown>(name, PARAMETERS[name])]);
  return { query: { ...DEFAULTS, ...Object.fromEntries(parsed) }, problems };
}
