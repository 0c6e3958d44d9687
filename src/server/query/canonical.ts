import type { Endpoint } from "../../api/endpoint.ts";
import type { Parameter, Values } from "../../api/request/parameters.ts";
import type { Identified } from "./identifiers.ts";

/**
 * One text for all queries that mean the same: what the path names by its id, the parameters in one order without those that have their
 * default, the words of a repeatable one sorted and told once.
 */
export function canonicalQuery({ path, parameters }: Endpoint, named: Identified, values: Values): string {
  const { hero, subject, number } = named;
  let query = "";
  for (const parameter of parameters) {
    const value = values[parameter.name];
    const words = Array.isArray(value) ? value.toSorted() : isDefault(parameter, value) ? [] : [value];
    for (const word of words) query += `${query ? "&" : "?"}${parameter.name}=${word}`;
  }
  return path.replace(/\{\w+\}/, () => String(hero ?? subject ?? number)) + query;
}

const isDefault = (parameter: Parameter, value: Values[string] | undefined) =>
  value === undefined || ("default" in parameter && value === parameter.default);
