import { closest } from "fastest-levenshtein";
import type { Failure } from "../failure.ts";

/** A hero in a path or an option: an id, or a name reduced to what is compared. */
export type Identifier = { id: number } | { key: string };

/**
 * Names are compared by their letters and digits, in lower case. The upstream keeps ASCII letters only, so that a name in
 * another script finds any hero; marks are kept here because Thai, Khmer and Arabic write vowels with them.
 */
export const nameKey = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** White space, a sign and leading zeros are part of a number at the upstream. */
export function parseIdentifier(text: string): Identifier {
  const number = /^[\t-\r ]*([+-]?\d+)[\t-\r ]*$/.exec(text)?.[1];
  return number === undefined ? { key: nameKey(text) } : { id: Number(number) };
}

export interface HeroWithName {
  id: number;
  name: string;
}

/** The ids of the heroes with this id or name, in the order of their list; several if heroes share a name. */
export type HeroFinder = (identifier: Identifier) => readonly number[];

/** A hero may be listed under several names. */
export function createHeroFinder(heroes: Iterable<HeroWithName>): HeroFinder {
  const listed = new Set<number>();
  const idsByKey = new Map<string, number[]>();
  for (const { id, name } of heroes) {
    const ids = idsByKey.get(nameKey(name)) ?? [];
    if (!ids.includes(id)) ids.push(id);
    idsByKey.set(nameKey(name), ids);
    listed.add(id);
  }
  return (identifier) => {
    if ("id" in identifier) return listed.has(identifier.id) ? [identifier.id] : [];
    return idsByKey.get(identifier.key) ?? [];
  };
}

/** The name that is most like a text, for "did you mean"; the last of those with one key. Undefined without names. */
export function nearestName(names: Iterable<string>, { key }: { key: string }): string | undefined {
  const nameByKey = new Map(Array.from(names, (name) => [nameKey(name), name]));
  if (nameByKey.size === 0) return undefined;
  // The distance to a very long name takes long, and no name is close to it.
  return nameByKey.get(closest(key.slice(0, 64), [...nameByKey.keys()]));
}

/** The ids of the heroes that an option names, ascending. Of heroes that share a name the first is meant. Throws what `refuse` makes of a word without a hero. */
export function resolveHeroes(
  words: readonly string[],
  heroes: readonly HeroWithName[],
  refuse: (word: string, nearest: string | undefined) => Failure,
): number[] {
  const find = createHeroFinder(heroes);
  const ids = words.map((word) => {
    const identifier = parseIdentifier(word);
    const [id] = find(identifier);
    if (id !== undefined) return id;
    const names = heroes.map(({ name }) => name);
    throw refuse(word, "key" in identifier ? nearestName(names, identifier) : undefined);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
