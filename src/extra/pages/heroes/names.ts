import { BASE_LANG, LANG_CODES, type Lang } from "../../../api/enumerations.ts";
import { createHeroNames, type HeroNames } from "../../../api/request/hero-names.ts";
import { foldAccents, type HeroWithName, nameKey, nearestNames } from "../../../api/request/identifier.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";

/** A hero under one of its names. */
export interface CalledHero extends HeroWithName {
  lang: Lang;
  key: string;
  headUrl: string | null;
  /** The first one. */
  role: string | null;
}

/** The heroes of a snapshot under their names in all its languages. */
interface Roster {
  names: HeroNames;
  /** Those of the language first, then the English ones. */
  calledIn(lang: Lang): readonly CalledHero[];
  /** The heroes in the alphabet of a language, under English names if it has none. */
  inAlphabet(lang: Lang): readonly CalledHero[];
}

const HERO =
  "head_url AS headUrl, (SELECT role FROM hero_role WHERE hero_role.hero_id = hero.hero_id ORDER BY position LIMIT 1) AS role";

const NAMES = `
  SELECT hero_id AS id, @base AS lang, name, ${HERO} FROM hero WHERE name IS NOT NULL
  UNION ALL SELECT hero_id, lang, local.name, ${HERO} FROM hero_text AS local LEFT JOIN hero USING (hero_id)
  WHERE lang <> @base AND local.name IS NOT NULL`;

const rosters = new WeakMap<Snapshot, Roster>();

/** Reads the roster once for each open snapshot. */
function rosterOf(snapshot: Snapshot): Roster {
  const roster = rosters.get(snapshot) ?? readRoster(snapshot);
  rosters.set(snapshot, roster);
  return roster;
}

function readRoster({ select }: Snapshot): Roster {
  const rows = select<Omit<CalledHero, "key">>(NAMES, { base: BASE_LANG });
  const called = rows.map((hero) => ({ ...hero, key: foldAccents(nameKey(hero.name)) }));
  const byLang = new Map<string, ReadonlyMap<number, CalledHero>>(
    [...Map.groupBy(called, ({ lang }) => lang)].map(([lang, heroes]) => [lang, byId(heroes)]),
  );
  const base = byLang.get(BASE_LANG) ?? new Map<number, CalledHero>();
  const alphabets = new Map<Lang, readonly CalledHero[]>();

  function sortIn(lang: Lang): readonly CalledHero[] {
    const { compare } = new Intl.Collator(lang);
    const own = byLang.get(lang);
    return [...base.values()]
      .map((hero) => own?.get(hero.id) ?? hero)
      .sort((a, b) => compare(a.name, b.name) || a.id - b.id);
  }

  return {
    names: createHeroNames(byLang, foldAccents),
    calledIn(lang) {
      const first = [lang, BASE_LANG];
      const langs = new Set([...first, ...LANG_CODES]);
      return [...langs].flatMap((code) => [...(byLang.get(code)?.values() ?? [])]);
    },
    inAlphabet(lang) {
      const sorted = alphabets.get(lang) ?? sortIn(lang);
      alphabets.set(lang, sorted);
      return sorted;
    },
  };
}

const byId = (heroes: readonly CalledHero[]) => new Map(heroes.map((hero) => [hero.id, hero]));

/** All heroes under their names in a language, in its alphabet. */
export const heroesInAlphabet = (snapshot: Snapshot, lang: Lang): readonly CalledHero[] =>
  rosterOf(snapshot).inAlphabet(lang);

/** The one hero that has this id or name, in whatever language; that of the page goes first. */
export const findHero = (snapshot: Snapshot, lang: Lang, text: string): number | undefined =>
  rosterOf(snapshot).names.find(text, lang, LANG_CODES);

/** The heroes with a name that has a text in it, each once under the first such name. */
export function searchHeroes(snapshot: Snapshot, lang: Lang, text: string): CalledHero[] {
  const wanted = foldAccents(nameKey(text));
  if (wanted === "") return [];
  return firstOfEach(
    rosterOf(snapshot)
      .calledIn(lang)
      .filter(({ key }) => key.includes(wanted)),
  );
}

const MOST_NEAR = 5;
const MOST_KEY_CHARS = 40;

/** The heroes with names like a text, for "did you mean"; none for a number. */
export function nearHeroes(snapshot: Snapshot, lang: Lang, text: string): CalledHero[] {
  const key = nameKey(text);
  if (/^\d*$/.test(key) || key.length > MOST_KEY_CHARS) return [];
  // The last of several names with one key is taken: that of the language of the page.
  return nearestNames(rosterOf(snapshot).calledIn(lang).toReversed(), { key }, MOST_NEAR, key.length / 2);
}

const firstOfEach = (heroes: readonly CalledHero[]): CalledHero[] => {
  const seen = new Set<number>();
  return heroes.filter(({ id }) => !seen.has(id) && seen.add(id));
};
