import type { Lang } from "../../../api/enumerations.ts";
import { hash, mix, pickFromRing } from "../numbers/hash.ts";
import { fillTemplate, PHRASES } from "../phrases.ts";
import { type Hero, heroName, image } from "../roster.ts";

type Part = "passive" | "active" | "ultimate";

interface Skill {
  id: number;
  part: Part;
  /** Id of the skill whose name and texts it shares: a second form repeats some of the first. */
  text: number;
}

const MAGE = "4";

/** Ids of heroes with a second form: Lukas and some others have two groups of skills. */
const TWO_FORMS: readonly number[] = [11, 39, 63, 68, 111, 127];

// Tag id, colour; names are in `Phrases.tags`, in this order.
const TAGS = [
  [31, "199,121,85"],
  [32, "199,121,85"],
  [33, "199,121,85"],
  [21, "205,93,109"],
  [22, "205,93,109"],
  [23, "205,93,109"],
  [51, "89,168,111"],
  [61, "79,156,184"],
  [62, "79,156,184"],
  [64, "79,156,184"],
  [72, "97,127,198"],
  [74, "97,127,198"],
  [81, "162,105,198"],
  [43, "177,157,96"],
] as const;

function skillOf(hero: number, slot: number, part: Part): Skill {
  const id = hero * 100 + slot;
  return { id, part, text: id };
}

/** Returns the skills in their groups, four each; the passive comes first and has the highest slot. */
export function skillGroups({ id }: Hero): [string, Skill[]][] {
  const passive = skillOf(id, 40, "passive");
  const first = skillOf(id, 10, "active");
  const second = skillOf(id, 20, "active");
  const groups: [string, Skill[]][] = [[`${id}1`, [passive, first, second, skillOf(id, 30, "ultimate")]]];
  if (TWO_FORMS.includes(id)) {
    const again = (skill: Skill): Skill => ({ ...skill, id: 2_000_000 + skill.id });
    groups.push([`${id}2`, [passive, again(first), again(second), skillOf(id, 34, "ultimate")]]);
  }
  return groups;
}

export function skillIcon(skill: number): string {
  return image("skill", skill);
}

export function skillName(skill: number, lang: Lang): string {
  const { nouns, epithets, skill: pattern } = PHRASES[lang];
  return fillTemplate(pattern, { n: pickFromRing(nouns, hash(skill, 1)), x: pickFromRing(epithets, hash(skill, 2)) });
}

function damage(hero: Hero, lang: Lang, h: number): string {
  const amount = 100 + (h % 41) * 10;
  const percent = 20 + (mix(h, 1) % 29) * 5;
  const magical = hero.roles.includes(MAGE);
  const [scaling, kind] = PHRASES[lang][magical ? "magic" : "physical"];
  const [bonus, dealt] = magical ? ["62f8fe", "7f62fe"] : ["fba51f", "fb1f1f"];
  return `${amount}<font color="${bonus}"> (+${percent}% ${scaling})</font> <font color="${dealt}">${kind}</font>`;
}

function describe(hero: Hero, { part, text }: Skill, lang: Lang): string {
  const words = PHRASES[lang];
  const start = hash(text, 3);
  // Every text opens with a sentence of its own part, followed by sentences of an active skill.
  const templates = [
    pickFromRing(words[part], start),
    pickFromRing(words.active, start + 1),
    pickFromRing(words.active, start + 2),
  ];
  const shown = templates.slice(0, part === "passive" ? 1 + (start % 2) : 2 + (start % 2));
  const sentences = shown.map((template, i) => {
    const h = hash(text, 4, i);
    return fillTemplate(template, {
      h: heroName(hero, lang),
      d: damage(hero, lang, h),
      k: `<font color="a6aafb">${skillName(hero.id * 100 + 10 + (h % 3) * 10, lang)}</font>`,
      p: 10 + (mix(h, 2) % 11) * 5,
      s: 1 + (mix(h, 3) % 12) / 2,
      m: 2 + (mix(h, 4) % 5),
    });
  });
  return sentences.join(start % 3 === 0 ? "\n\n" : "\n");
}

function costOf({ part, text }: Skill, lang: Lang): string {
  if (part === "passive") return "";
  const [cooldown, mana] = PHRASES[lang].cost;
  const seconds = part === "ultimate" ? 30 + (hash(text, 5) % 40) : 4 + (hash(text, 5) % 22) / 2;
  const free = hash(Math.floor(text / 100), 6) % 4 === 0;
  return `${cooldown}: ${seconds}${free ? "" : `   ${mana}: ${35 + (hash(text, 7) % 21) * 5}`}`;
}

function tagsOf({ part, text }: Skill, lang: Lang) {
  const first = hash(text, 8);
  const chosen = part === "passive" ? [first] : [first, first + 1 + (hash(text, 9) % (TAGS.length - 1))];
  return chosen.map((h) => {
    const [tagid, tagrgb] = pickFromRing(TAGS, h);
    return { tagid, tagname: pickFromRing(PHRASES[lang].tags, h), tagrgb };
  });
}

export function skillList(hero: Hero, lang: Lang) {
  return skillGroups(hero).map(([skilllistid, skills]) => ({
    skilllist: skills.map((skill) => ({
      "skillcd&cost": costOf(skill, lang),
      skilldesc: describe(hero, skill, lang),
      skillicon: skillIcon(skill.id),
      skillid: skill.id,
      skillname: skillName(skill.text, lang),
      skilltag: tagsOf(skill, lang),
      skillvideo: "",
    })),
    skilllistid,
  }));
}
