import { BASE_LANG, LANG_CODES } from "../enumerations.ts";
import type { InvalidField } from "../errors.ts";
import { createHeroFinder, type HeroFinder, type HeroWithName, nearestNames, parseIdentifier } from "./identifier.ts";

/** Finds heroes by id, or by name in the requested language and then in English. */
export interface HeroNames {
  /** Returns the fault of an id that is out of range; none for any other id or name. */
  validate(raw: string): InvalidField[];
  /** Returns the hero's id; as the last resort by a name that only this hero has in all of these other languages. */
  find(raw: string, lang: string, others?: readonly string[]): number | undefined;
  /** Suggests a request in place of one that finds no hero: the same in the language that has this name, or else the nearest name. */
  hint(raw: string, lang: string): string;
}

/** The names of heroes, by language and hero id. */
interface CalledByLang {
  get(lang: string): ReadonlyMap<number, { name: string }> | undefined;
}

/** Makes the finder of heroes. `fold` makes equal keys of names that people do not tell apart. */
export function createHeroNames(names: CalledByLang, fold: (key: string) => string = (key) => key): HeroNames {
  const highest = Math.max(...(names.get(BASE_LANG)?.keys() ?? [0]));
  const finders = new Map<string, HeroFinder>();

  const heroesIn = (lang: string): HeroWithName[] =>
    Array.from(names.get(lang) ?? [], ([id, { name }]) => ({ id, name }));

  function finderOf(lang: string): HeroFinder {
    const finder = finders.get(lang) ?? createHeroFinder(heroesIn(lang), fold);
    finders.set(lang, finder);
    return finder;
  }

  const nameOf = (id: number) => names.get(BASE_LANG)?.get(id)?.name ?? `hero ${id}`;

  /** A name that two heroes share finds neither: an answer about the wrong one would be worse. */
  function findByName(key: string, langs: readonly string[]): number | undefined {
    const ids = new Set(key === "" ? [] : langs.flatMap((lang) => finderOf(lang)({ key: fold(key) })));
    return ids.size === 1 ? ids.values().next().value : undefined;
  }

  function find(raw: string, lang: string, others: readonly string[] = []): number | undefined {
    const wanted = parseIdentifier(raw);
    if ("id" in wanted) return finderOf(BASE_LANG)(wanted)[0];
    return findByName(wanted.key, [lang]) ?? findByName(wanted.key, [BASE_LANG]) ?? findByName(wanted.key, others);
  }

  return {
    find,

    validate(raw) {
      const wanted = parseIdentifier(raw);
      if (!("id" in wanted) || (wanted.id >= 1 && wanted.id <= highest)) return [];
      const allowed = `a hero's id from 1 to ${highest}, or a hero's name`;
      return [{ name: "hero_identifier", in: "path", received: raw, allowed }];
    },

    hint(raw, lang) {
      const wanted = parseIdentifier(raw);
      if ("id" in wanted) return "ids have gaps; GET /api/heroes lists them";
      for (const other of LANG_CODES) {
        const id = findByName(wanted.key, [other]);
        if (id !== undefined) return `this is the name of ${nameOf(id)} in ${other}: add lang=${other}`;
      }
      const [nearest] = nearestNames([...new Set([lang, BASE_LANG])].flatMap(heroesIn), wanted, 1);
      return `${nearest === undefined ? "" : `did you mean ${nearest.name}? `}GET /api/heroes lists all heroes`;
    },
  };
}
