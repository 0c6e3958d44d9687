import { BASE_LANG } from "../enumerations.ts";
import { ApiError, type InvalidField } from "../errors.ts";
import { createHeroFinder, type HeroFinder, type HeroWithName, nearestNames, parseIdentifier } from "./identifier.ts";

/** Finds heroes by id, or by name in the requested language and then in English. */
export interface HeroNames {
  /** The fault of an id that is out of range; nothing for any other id or name. */
  validate(raw: string): InvalidField[];
  /** The hero's id. Throws an ApiError RESOURCE_NOT_FOUND, with the nearest name as its hint. */
  resolve(raw: string, lang: string): number;
  /** The hero's id; as the last resort by a name that it alone has in all of these other languages. */
  find(raw: string, lang: string, others?: readonly string[]): number | undefined;
}

/** By language and hero id. */
interface CalledByLang {
  get(lang: string): ReadonlyMap<number, { name: string }> | undefined;
}

/** `fold` makes keys of names equal that people do not tell apart. */
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

    resolve(raw, lang) {
      const id = find(raw, lang);
      if (id !== undefined) return id;
      const wanted = parseIdentifier(raw);
      if ("id" in wanted) throw unknown(raw, "ids have gaps; GET /api/heroes lists them");
      const [nearest] = nearestNames([...new Set([lang, BASE_LANG])].flatMap(heroesIn), wanted, 1);
      throw unknown(
        raw,
        `${nearest === undefined ? "" : `did you mean ${nearest.name}? `}GET /api/heroes lists all heroes`,
      );
    },
  };
}

const unknown = (raw: string, hint: string) =>
  new ApiError("RESOURCE_NOT_FOUND", { message: "No hero has this id or name.", hint, detail: raw });
