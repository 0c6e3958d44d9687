import { closest } from "fastest-levenshtein";
import { BASE_LANG } from "../../api/enumerations.ts";
import { ApiError, type InvalidField } from "../../api/errors.ts";
import type { HeroName, NamesByLang } from "../../api/localise.ts";
import { nameKey, parseIdentifier } from "../../api/request/identifier.ts";

/** Finds heroes by id, or by name in the requested language and then in English. */
export interface HeroNames {
  /** The fault of an id that is out of range; nothing for any other id or name. */
  validate(raw: string): InvalidField[];
  /** The hero's id. Throws an ApiError RESOURCE_NOT_FOUND, with the nearest name as its hint. */
  resolve(raw: string, lang: string): number;
}

export function createHeroNames(names: NamesByLang): HeroNames {
  const highest = Math.max(...(names.get(BASE_LANG)?.keys() ?? [0]));
  const keys = new Map<string, Map<string, number>>();

  function idsByName(lang: string): Map<string, number> {
    const known = keys.get(lang);
    if (known) return known;
    const index = indexNames(names.get(lang) ?? new Map());
    keys.set(lang, index);
    return index;
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
        if (names.get(BASE_LANG)?.has(wanted.id)) return wanted.id;
        throw unknown(raw, "ids have gaps; GET /api/heroes lists them");
      }
      const id = idsByName(lang).get(wanted.key) ?? idsByName(BASE_LANG).get(wanted.key);
      if (id !== undefined) return id;
      throw unknown(raw, suggest(wanted.key, lang));
    },
  };

  function suggest(key: string, lang: string): string {
    const candidates = [...new Set([lang, BASE_LANG])].flatMap((code) => [...(names.get(code)?.values() ?? [])]);
    const byKey = new Map(candidates.map(({ name }) => [nameKey(name), name]));
    if (byKey.size === 0) return "GET /api/heroes lists all heroes";
    // Very long names only cost time: nothing is close to them.
    const nearest = byKey.get(closest(key.slice(0, 64), [...byKey.keys()]));
    return `did you mean ${nearest}? GET /api/heroes lists all heroes`;
  }
}

const unknown = (raw: string, hint: string) =>
  new ApiError("RESOURCE_NOT_FOUND", { message: "No hero has this id or name.", hint, detail: raw.slice(0, 200) });

/** A name that two heroes share finds neither: an answer about the wrong one would be worse. */
function indexNames(heroes: ReadonlyMap<number, HeroName>): Map<string, number> {
  const index = new Map<string, number>();
  const ambiguous = new Set<string>([""]);
  for (const [id, { name }] of heroes) {
    const key = nameKey(name);
    if (index.has(key)) ambiguous.add(key);
    index.set(key, id);
  }
  for (const key of ambiguous) index.delete(key);
  return index;
}
