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
} from "../../api/enumerations.ts";
import type { Problem } from "./failures.ts";

interface Parameter<T> {
  /** As it is asked for, where that is not the name it has here. */
  name?: string;
  /** Without a value this one is meant, but for a required parameter. */
  fallback: T;
  required?: true;
  /** For the error that names what was expected. */
  allowed: string;
  schema: object;
  /** `undefined` for a value that is not allowed. `values` has at least one element. */
  parse(values: readonly string[]): T | undefined;
}

// What the upstream takes for an integer: white space, "+", leading zeros, "1_000" and "1.0", but not "1.5" or "1e3".
const INTEGER = /^[ \t\n\r\f\v]*([+-]?\d+(?:_\d+)*)(?:\.0+)?[ \t\n\r\f\v]*$/;

function positive(fallback: number): Parameter<number> {
  return {
    fallback,
    allowed: "an integer from 1",
    schema: { type: "integer", minimum: 1, default: fallback },
    parse(values) {
      const digits = INTEGER.exec(values.at(-1) ?? "")?.[1];
      const value = Number(digits?.replaceAll("_", ""));
      // No upper bound, but a product of two must stay finite.
      return value >= 1 ? Math.min(value, Number.MAX_SAFE_INTEGER) : undefined;
    },
  };
}

/** As an integer is read, from 0. */
function parseCount(values: readonly string[]): number | undefined {
  const digits = INTEGER.exec(values.at(-1) ?? "")?.[1];
  const value = Number(digits?.replaceAll("_", ""));
  return value >= 0 && value <= 1e15 ? value : undefined;
}

function choice<const T extends string>(allowed: readonly T[], fallback: NoInfer<T>): Parameter<T> {
  return {
    fallback,
    allowed: allowed.join(", "),
    schema: { type: "string", enum: allowed, default: fallback },
    parse: (values) => allowed.find((code) => code === values.at(-1)),
  };
}

/** Repeated keys, or-ed; the value is the list of the publisher's ids. */
function several(allowed: readonly string[], known: readonly { code: string; id: string }[]): Parameter<string[]> {
  const all = known.map(({ id }) => id);
  return {
    fallback: all,
    allowed: allowed.join(", "),
    schema: { type: "array", items: { type: "string", enum: allowed }, default: allowed },
    parse(values) {
      const asked = values.map((value) => value.trim().toLowerCase()).filter((value) => value !== "");
      if (!asked.every((value) => allowed.includes(value))) return undefined;
      const ids = known.filter(({ code }) => asked.includes(code)).map(({ id }) => id);
      return ids.length > 0 ? ids : all;
    },
  };
}

/** A decimal number, with what is taken for a number in an integer besides a point and an exponent. */
function decimal(isAllowed: (value: number) => boolean, allowed: string): Parameter<number> {
  return {
    fallback: 0,
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
  size: positive(20),
  index: positive(1),
  order: choice(ORDERS, "desc"),
  lang: choice<Lang>(LANG_CODES, "en"),
  rank: choice(RANK_CODES, "all"),
  days: choice(DAY_WINDOWS, "1"),
  "past-days": choice(TREND_WINDOWS, "7"),
  sort_field: choice(["pick_rate", "ban_rate", "win_rate"], "win_rate"),
  sort_order: choice(ORDERS, "desc"),
  role: several(ROLE_CODES, ROLES),
  lane: several(LANE_CODES, LANES),
  // The academy's own: another default, another meaning, or no default at all.
  ascending: { ...choice(ORDERS, "asc"), name: "order" },
  one_lane: { ...choice(LANE_CODES, "exp"), name: "lane", required: true as const },
  trend_days: { ...choice(TREND_WINDOWS, "7"), name: "days" },
  "match-now": { ...positive(0), allowed: "an integer from 0", parse: parseCount, required: true as const },
  "wr-now": decimal((value) => value >= 0 && value <= 100, "a number from 0 to 100"),
  "wr-future": decimal((value) => value > 0 && value <= 100, "a number above 0, up to 100"),
};

export type ParameterName = keyof typeof PARAMETERS;
export type Query = { [Name in ParameterName]: (typeof PARAMETERS)[Name]["fallback"] };

const NAMES = Object.keys(PARAMETERS) as ParameterName[];
const DEFAULTS = Object.fromEntries(NAMES.map((name) => [name, PARAMETERS[name].fallback])) as Query;

/** Reads what an endpoint declares; the rest keeps its default, and unknown parameters are ignored. */
export function parseQuery(search: string, declared: readonly ParameterName[]): { query: Query; problems: Problem[] } {
  const given = new URLSearchParams(search);
  const problems: Problem[] = [];
  const read = <T>(key: string, { name = key, allowed, fallback, required, parse }: Parameter<T>): T => {
    const values = given.getAll(name);
    const value = values.length === 0 && !required ? fallback : parse(values);
    if (value === undefined) problems.push({ name, in: "query", received: values.join(", "), allowed });
    return value ?? fallback;
  };
  const parsed = declared.map((name) => [name, read<unknown>(name, PARAMETERS[name])]);
  return { query: { ...DEFAULTS, ...Object.fromEntries(parsed) }, problems };
}
