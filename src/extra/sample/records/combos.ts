import type { Lang } from "../../../api/enumerations.ts";
import { hash, hexDigits, mix } from "../numbers/hash.ts";
import { fillTemplate, PHRASES } from "../phrases.ts";
import { caption, type Hero, heroName } from "../roster.ts";
import { skillGroups, skillIcon, skillName } from "./skills.ts";

const OBJECT = 2684183;
const BASIC_ATTACK = 0;

/** A hero whose combos nobody has written yet. */
const WITHOUT_COMBOS = 5;

/** Returns the combos that a hero has, newest first. */
export function comboNumbers({ id }: Hero): number[] {
  if (id === WITHOUT_COMBOS) return [];
  return id % 3 === 0 ? [2, 1, 0] : [1, 0];
}

function step(skillid: number) {
  return {
    _createdAt: 1730960697288,
    _id: `672c5d39${hexDigits(16, skillid)}`,
    _updatedAt: 1758787887535,
    data: { skillicon: skillIcon(skillid), skillid },
    id: 100_000 + skillid,
    sourceId: 2674712,
  };
}

function stepsOf(hero: Hero, number: number): number[] {
  const skills = [BASIC_ATTACK, 10, 20, 30].map((slot) => hero.id * 100 + slot);
  const salt = hash(hero.id, 30, number);
  const steps = Array.from({ length: 4 + (salt % 2) }, (_, i) => skills[mix(salt, i) % skills.length] ?? 0);
  // A hero of two forms ends a teamfight in the second one.
  const last = skillGroups(hero)[1]?.[1].at(-1);
  return last && number === 1 ? [...steps, last.id] : steps;
}

export function comboRecord(hero: Hero, lang: Lang, number: number) {
  const { id } = hero;
  const [title = "", template = ""] = PHRASES[lang].combos[number] ?? [];
  const skill = (slot: number) => skillName(id * 100 + slot, lang);
  return {
    _id: `661fffbc${hexDigits(16, id, 31, number)}`,
    caption: caption(hero),
    configId: 144237,
    createdAt: 1713373116184 + id * 1000 + number * 11,
    createdUser: "rubickguo",
    data: {
      _object: OBJECT,
      desc: fillTemplate(template, { h: heroName(hero, lang), 1: skill(10), 2: skill(20), 3: skill(30) }),
      hero_id: id,
      skill_id: stepsOf(hero, number).map(step),
      title,
    },
    dynamic: null,
    id: 2_694_850 + id * 3 + number,
    linkId: [OBJECT],
    sort: 0,
    updatedAt: 1713373219943 + id * 1000,
    updatedUser: "rubickguo",
  };
}
