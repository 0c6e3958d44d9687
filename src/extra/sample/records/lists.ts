import type { Lang } from "../../../api/enumerations.ts";
import { type Hero, heroName, image } from "../roster.ts";
import { roadsort, sortid } from "./positions.ts";
import { relationIds } from "./relations.ts";

export function listRecord(hero: Hero, lang: Lang, heroes: number) {
  return {
    data: {
      hero: { data: { head: hero.head, name: heroName(hero, lang), smallmap: image("map", hero.id) } },
      hero_id: hero.id,
      relation: relationIds(hero.id, heroes),
    },
  };
}

export function positionRecord(hero: Hero, lang: Lang, heroes: number) {
  return {
    data: {
      hero: {
        data: {
          name: heroName(hero, lang),
          roadsort: roadsort(hero, lang),
          smallmap: image("map", hero.id),
          sortid: sortid(hero, lang),
        },
      },
      hero_id: hero.id,
      relation: relationIds(hero.id, heroes),
    },
    id: hero.channel,
  };
}

export function relationRecord(hero: Hero, lang: Lang, heroes: number) {
  return {
    data: {
      hero: { data: { name: heroName(hero, lang) } },
      hero_id: hero.id,
      relation: relationIds(hero.id, heroes),
    },
  };
}

export function academyHeroRecord(hero: Hero, lang: Lang) {
  const head = image("card", hero.id, "web/gms/image/", "jpg");
  return { data: { head, hero: { data: { name: heroName(hero, lang) } }, hero_id: hero.id } };
}

export function laneRecord(hero: Hero, lang: Lang) {
  return { data: { hero: { data: { roadsort: roadsort(hero, lang) } }, hero_id: hero.id } };
}

export function catalogRecord(hero: Hero, lang: Lang) {
  return {
    data: {
      head: image("card", hero.id, "web/gms/image/", "jpg"),
      head_big: image("big card", hero.id, "web/gms/image/", "jpg"),
      hero: { data: { name: heroName(hero, lang), roadsort: roadsort(hero, lang) } },
      hero_id: hero.id,
      painting: image("poster", hero.id, "web/gms/image/", "webp"),
    },
  };
}
