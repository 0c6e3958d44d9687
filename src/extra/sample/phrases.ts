import type { Lang } from "../../api/enumerations.ts";
import phrases from "./data/phrases.json" with { type: "json" };

/** Text templates of one language. A list has the same length and the same placeholders in every language. */
export interface Phrases {
  roles: readonly string[];
  /** Only if a detail spells its role labels differently from the titles in `roles`. */
  roleLabels?: readonly string[];
  lanes: readonly string[];
  tags: readonly string[];
  specialities: readonly string[];
  /** Template of a skill name: {x} is an epithet, {n} a noun. */
  skill: string;
  nouns: readonly string[];
  epithets: readonly string[];
  /** Cooldown, mana cost. */
  cost: readonly string[];
  /** The property that a skill scales with, the damage that it deals. */
  physical: readonly string[];
  magic: readonly string[];
  passive: readonly string[];
  active: readonly string[];
  ultimate: readonly string[];
  stories: readonly string[];
  assist: readonly string[];
  strong: readonly string[];
  weak: readonly string[];
  /** Separator between list elements, separator before the last one. */
  join: readonly string[];
  /** Title, description. */
  combos: readonly (readonly string[])[];
}

export const PHRASES: Readonly<Record<Lang, Phrases>> = phrases;

export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w)\}/g, (_, key: string) => String(values[key] ?? ""));
}

export function joinList(items: readonly string[], [comma = ", ", last = ", "]: readonly string[]): string {
  return items.length < 2 ? items.join("") : items.slice(0, -1).join(comma) + last + items.at(-1);
}
