import { hash, hashText } from "../numbers/hash.ts";
import { HEROES } from "../roster.ts";

export const RELATIONS = ["assist", "strong", "weak"] as const;
export type Relation = (typeof RELATIONS)[number];

/** Hero ids. Some records have three or four slots, with 0 in those that the editors left empty. */
export function targetsOf(hero: number, relation: Relation, heroes: number): number[] {
  const salt = hash(hero, hashText(relation));
  const targets: number[] = [];
  const wanted = Math.min(1 + (salt % 4), heroes - 1);
  // Drawn from the full roster, so that a larger roster hardly changes the relations of the others.
  for (let i = 0; targets.length < wanted; i++) {
    const target = 1 + (hash(salt, i) % HEROES.length);
    if (target <= heroes && target !== hero && !targets.includes(target)) targets.push(target);
  }
  const slots = hero % 3 === 0 ? 0 : 3 + (hash(salt) % 2);
  while (targets.length < slots) targets.push(0);
  return targets;
}

/** The form of the lists and of `/relations`: ids only. */
export function relationIds(hero: number, heroes: number) {
  return Object.fromEntries(
    RELATIONS.map((relation) => [relation, { target_hero_id: targetsOf(hero, relation, heroes) }]),
  );
}
