import type { Lang } from "../api/enumerations.ts";
import words from "./data/words.json" with { type: "json" };

/** What is said in one language; lists have the same length and the same placeholders in all of them. */
export interface Words {
  roles: readonly string[];
  /** Only where the labels of a detail are written otherwise than the titles beside them. */
  roleLabels?: readonly string[];
  lanes: readonly string[];
  tags: readonly string[];
  specialities: readonly string[];
  /** How a skill name is made from {x}, an epithet, and {n}, a noun. */
  skill: string;
  nouns: readonly string[];
  epithets: readonly string[];
  /** Cooldown, mana cost. */
  cost: readonly string[];
  /** What a skill scales with, what it deals. */
  physical: readonly string[];
  magic: readonly string[];
  passive: readonly string[];
  active: readonly string[];
  ultimate: readonly string[];
  stories: readonly string[];
  assist: readonly string[];
  strong: readonly string[];
  weak: readonly string[];
  /** Between the elements of a list, before its last element. */
  join: readonly string[];
  /** Title, description. */
  combos: readonly (readonly string[])[];
}

export const WORDS: Readonly<Record<Lang, Words>> = words;

export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w)\}/g, (_, key: string) => String(values[key] ?? ""));
}

export function listed(items: readonly string[], [comma = ", ", last = ", "]: readonly string[]): string {
  return items.length < 2 ? items.join("") : items.slice(0, -1).join(comma) + last + items.at(-1);
}
