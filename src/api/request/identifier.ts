import { distance } from "fastest-levenshtein";
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

/** A mark over a letter of these scripts only says how it is spoken; others write vowels with their marks. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}])\p{M}+/gu;

/** A key without accents, for people, who leave them out. */
export const foldAccents = (key: string) =>
  key.normalize("NFD").replace(ACCENTS, "").normalize("NFC").replaceAll("ı", "i").replaceAll("đ", "d");

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

/** A hero may be listed under several names. `fold` makes more of their keys equal, and is for the caller's to be made of too. */
export function createHeroFinder(
  heroes: Iterable<HeroWithName>,
  fold: (key: string) => string = (key) => key,
): HeroFinder {
  const listed = new Set<number>();
  const idsByKey = new Map<string, number[]>();
  for (const { id, name } of heroes) {
    const key = fold(nameKey(name));
    const ids = idsByKey.get(key) ?? [];
    if (!ids.includes(id)) ids.push(id);
    idsByKey.set(key, ids);
    listed.add(id);
  }
  return (identifier) => {
    if ("id" in identifier) return listed.has(identifier.id) ? [identifier.id] : [];
    return idsByKey.get(identifier.key) ?? [];
  };
}

/** The distance to a very long name takes long, and no name is close to it. */
const MOST_COMPARED = 64;

/**
 * The heroes whose names are most like a text, for "did you mean", the nearest first, each once; of those with one key the last.
 * `mostApart` letters differ, are missing or too many.
 */
export function nearestNames<Hero extends HeroWithName>(
  heroes: Iterable<Hero>,
  { key }: { key: string },
  most: number,
  mostApart = Number.POSITIVE_INFINITY,
): Hero[] {
  const heroByKey = new Map(Array.from(heroes, (hero) => [nameKey(hero.name).slice(0, MOST_COMPARED), hero]));
  const wanted = key.slice(0, MOST_COMPARED);
  const near = Array.from(heroByKey, ([name, hero]) => ({ hero, apart: distance(wanted, name) }));
  near.sort((a, b) => a.apart - b.apart);
  const ids = new Set<number>();
  return near.flatMap(({ hero, apart }) =>
    apart <= mostApart && ids.size < most && !ids.has(hero.id) && ids.add(hero.id) ? [hero] : [],
  );
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
    throw refuse(word, "key" in identifier ? nearestNames(heroes, identifier, 1)[0]?.name : undefined);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
