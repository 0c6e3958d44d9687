import type { Endpoint } from "../api/endpoint.ts";
import type { Parameter, Values } from "../api/parameters.ts";
import type { Identified } from "./identifiers.ts";

/**
 * One text for all queries that mean the same: what the path names in one form, the parameters in one order without those that have their
 * default, the words of a repeatable one sorted and told once.
 */
export function canonicalQuery({ path, parameters }: Endpoint, named: Identified, values: Values): string {
  const written = parameters.flatMap((parameter) => write(parameter, values[parameter.name]));
  const plain = path.replace(/\{\w+\}/, String(named.hero ?? named.subject ?? named.number));
  return written.length === 0 ? plain : `${plain}?${written.join("&")}`;
}

function write(parameter: Parameter, value: Values[string] | undefined): string[] {
  if (!Array.isArray(value)) {
    const isDefault = "default" in parameter && value === parameter.default;
    return value === undefined || isDefault ? [] : [`${parameter.name}=${value}`];
  }
  return value.toSorted().map((word) => `${parameter.name}=${word}`);
}
