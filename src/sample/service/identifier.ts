import { LANG_CODES, type Lang } from "../../api/enumerations.ts";
import { HEROES, type Hero, heroName } from "../roster.ts";

const WHOLE_NUMBER = /^[ \t\n\r\f\v]*[+-]?\d+[ \t\n\r\f\v]*$/;

/** Letters and digits of any script, lower-cased. */
export function plainName(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const BY_NAME = new Map(
  LANG_CODES.map((lang) => [lang, new Map(HEROES.map((hero) => [plainName(heroName(hero, lang)), hero]))]),
);

export type Found = Hero | "out of range" | "unknown";

/** Finds a hero of the first `heroes` by id, by its name in `lang`, or by its English name. */
export function findHero(identifier: string, lang: Lang, heroes: number): Found {
  if (WHOLE_NUMBER.test(identifier)) {
    const id = Number(identifier);
    if (id < 1 || id > heroes) return "out of range";
    return HEROES[id - 1] ?? "unknown";
  }
  const name = plainName(identifier);
  for (const names of [BY_NAME.get(lang), BY_NAME.get("en")]) {
    const hero = names?.get(name);
    if (hero && hero.id <= heroes) return hero;
  }
  return "unknown";
}
