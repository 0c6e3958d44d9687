import { closest } from "fastest-levenshtein";
import { BASE_LANG } from "../../api/enumerations.ts";
import { ApiError, type InvalidField } from "../../api/errors.ts";
import type { HeroName, Names } from "../../api/localise.ts";
import { nameKey, parseIdentifier } from "../../api/request/identifier.ts";

/** Finds the hero that a path names: by id, or by name in the asked language and then in English. */
export function createHeroes(names: Names) {
  const highest = Math.max(...(names.get(BASE_LANG)?.keys() ?? [0]));
  const keys = new Map<string, Map<string, number>>();

  function keysOf(lang: string): Map<string, number> {
    const known = keys.get(lang);
    if (known) return known;
    const index = indexNames(names.get(lang) ?? new Map());
    keys.set(lang, index);
    return index;
  }

  return {
    /** Ids out of range are invalid input, like a bad parameter. */
    invalid(raw: string): InvalidField[] {
      const wanted = parseIdentifier(raw);
      if (!("id" in wanted) || (wanted.id >= 1 && wanted.id <= highest)) return [];
      const allowed = `a hero's id from 1 to ${highest}, or a hero's name`;
      return [{ name: "hero_identifier", in: "path", received: raw, allowed }];
    },

    find(raw: string, lang: string): number {
      const wanted = parseIdentifier(raw);
      if ("id" in wanted) {
        if (names.get(BASE_LANG)?.has(wanted.id)) return wanted.id;
        throw unknown(raw, "ids have gaps; GET /api/heroes lists them");
      }
      const id = keysOf(lang).get(wanted.key) ?? keysOf(BASE_LANG).get(wanted.key);
      if (id !== undefined) return id;
      throw unknown(raw, propose(wanted.key, lang));
    },
  };

  function propose(key: string, lang: string): string {
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

/** Of two heroes with one name neither is found by it: an answer about the wrong one would be worse. */
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
