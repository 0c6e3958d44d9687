import { hash, hashText } from "../numbers/hash.ts";
import { HEROES } from "../roster.ts";

export const RELATIONS = ["assist", "strong", "weak"] as const;
export type Relation = (typeof RELATIONS)[number];

/** 0 fills a slot that the editors left empty; in some records only, up to three or four slots. */
export function targetsOf(hero: number, relation: Relation, heroes: number): number[] {
  const salt = hash(hero, hashText(relation));
  const targets: number[] = [];
  const wanted = Math.min(1 + (salt % 4), heroes - 1);
  // Drawn from the whole game, so that a hero released later hardly changes the others' relations.
  for (let i = 0; targets.length < wanted; i++) {
    const target = 1 + (hash(salt, i) % HEROES.length);
    if (target <= heroes && target !== hero && !targets.includes(target)) targets.push(target);
  }
  const slots = hero % 3 === 0 ? 0 : 3 + (hash(salt) % 2);
  while (targets.length < slots) targets.push(0);
  return targets;
}

/** As the lists and `/relations` have it: the ids alone. */
export function relationIds(hero: number, heroes: number) {
  return Object.fromEntries(
    RELATIONS.map((relation) => [relation, { target_hero_id: targetsOf(hero, relation, heroes) }]),
  );
}
