import { BASE_LANG } from "../../api/enumerations.ts";
import { ApiError, type InvalidField } from "../../api/errors.ts";
import type { NamesByLang } from "../../api/localise.ts";
import { createHeroFinder, type HeroFinder, nearestName, parseIdentifier } from "../../api/request/identifier.ts";

/** Finds heroes by id, or by name in the requested language and then in English. */
export interface HeroNames {
  /** The fault of an id that is out of range; nothing for any other id or name. */
  validate(raw: string): InvalidField[];
  /** The hero's id. Throws an ApiError RESOURCE_NOT_FOUND, with the nearest name as its hint. */
  resolve(raw: string, lang: string): number;
}

export function createHeroNames(names: NamesByLang): HeroNames {
  const highest = Math.max(...(names.get(BASE_LANG)?.keys() ?? [0]));
  const finders = new Map<string, HeroFinder>();

  const heroesIn = (lang: string) => Array.from(names.get(lang) ?? [], ([id, { name }]) => ({ id, name }));

  function finderOf(lang: string): HeroFinder {
    const finder = finders.get(lang) ?? createHeroFinder(heroesIn(lang));
    finders.set(lang, finder);
    return finder;
  }

  /** A name that two heroes share finds neither: an answer about the wrong one would be worse. */
  function findByName(key: string, lang: string): number | undefined {
    const ids = key === "" ? [] : finderOf(lang)({ key });
    return ids.length === 1 ? ids[0] : undefined;
  }

  return {
    validate(raw) {
      const wanted = parseIdentifier(raw);
      if (!("id" in wanted) || (wanted.id >= 1 && wanted.id <= highest)) return [];
      const allowed = `a hero's id from 1 to ${highest}, or a hero's name`;
      return [{ name: "hero_identifier", in: "path", received: raw, allowed }];
    },

    resolve(raw, lang) {
      const wanted = parseIdentifier(raw);
      if ("id" in wanted) {
        const [id] = finderOf(BASE_LANG)(wanted);
        if (id !== undefined) return id;
        throw unknown(raw, "ids have gaps; GET /api/heroes lists them");
      }
      const id = findByName(wanted.key, lang) ?? findByName(wanted.key, BASE_LANG);
      if (id !== undefined) return id;
      const names = [...new Set([lang, BASE_LANG])].flatMap(heroesIn).map(({ name }) => name);
      const nearest = nearestName(names, wanted);
      throw unknown(raw, `${nearest === undefined ? "" : `did you mean ${nearest}? `}GET /api/heroes lists all heroes`);
    },
  };
}

const unknown = (raw: string, hint: string) =>
  new ApiError("RESOURCE_NOT_FOUND", { message: "No hero has this id or name.", hint, detail: raw.slice(0, 200) });
