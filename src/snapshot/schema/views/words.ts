import { HERO_ID } from "../columns.ts";
import { integer, maybe, type SnapshotView, text } from "../definition.ts";

export const wordViews: readonly SnapshotView[] = [
  {
    name: "hero_place",
    description:
      "Heroes by role and lane, one row for each combination. A role or lane is null if the hero has none yet.",
    columns: {
      hero_id: HERO_ID,
      name: text("English name."),
      role: maybe.text("A role of the hero."),
      lane: maybe.text("A lane of the hero."),
    },
    order: ["hero_id", "role", "lane"],
    select: `SELECT hero.hero_id, hero.name, hero_role.role, hero_lane.lane
FROM hero LEFT JOIN hero_role USING (hero_id) LEFT JOIN hero_lane USING (hero_id)`,
    example: "SELECT name, role, lane FROM hero_place WHERE role = 'mage' AND lane = 'roam' ORDER BY name LIMIT 3",
  },
  {
    name: "skill_two_languages",
    description: "Skill texts in two languages, one beside the other. Filter by lang_a and lang_b.",
    columns: {
      hero_id: HERO_ID,
      hero: text("English name of the hero."),
      skill_id: integer("Skill."),
      lang_a: text("First language."),
      lang_b: text("Second language."),
      name_a: text("Name in the first language."),
      name_b: text("Name in the second language."),
      description_a: text("Description without markup in the first language."),
      description_b: text("Description without markup in the second language."),
    },
    order: ["lang_a", "lang_b", "hero_id", "skill_id"],
    select: `SELECT a.hero_id, hero.name AS hero, a.skill_id, a.lang AS lang_a, b.lang AS lang_b, a.name AS name_a, b.name AS name_b,
       a.description_plain AS description_a, b.description_plain AS description_b
FROM skill_text AS a
JOIN skill_text AS b ON b.hero_id = a.hero_id AND b.skill_id = a.skill_id AND b.lang <> a.lang
JOIN hero ON hero.hero_id = a.hero_id`,
    example:
      "SELECT name_a, name_b FROM skill_two_languages WHERE hero = 'Miya' AND lang_a = 'en' AND lang_b = 'ru' ORDER BY skill_id LIMIT 3",
  },
  {
    name: "combo_list",
    description:
      "Recommended sequences of a hero's skills, with texts and names in each language. Filter by lang and hero_id.",
    columns: {
      lang: text("Language of the texts and names. A skill without a name in it has its id."),
      hero_id: HERO_ID,
      hero: text("Name of the hero."),
      combo_id: integer("Sequence."),
      title: maybe.text("Title. null: the sequence has no text in the language."),
      skills: maybe.text("Names of the skills in order. null: the sequence has no steps."),
      description: maybe.text("Explanation. null: the sequence has no text in the language."),
    },
    order: ["lang", "hero_id", "combo_id"],
    select: `SELECT hero_text.lang, combo.hero_id, hero_text.name AS hero, combo.combo_id, text.title,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(skill_text.name, step.skill_id) AS name
              FROM skill_combo_step AS step
              LEFT JOIN skill_text ON skill_text.hero_id = combo.hero_id AND skill_text.skill_id = step.skill_id AND skill_text.lang = hero_text.lang
              WHERE step.combo_id = combo.combo_id ORDER BY step.position)) AS skills,
       text.description
FROM skill_combo AS combo
JOIN hero_text USING (hero_id)
LEFT JOIN skill_combo_text AS text ON text.combo_id = combo.combo_id AND text.lang = hero_text.lang`,
    example: "SELECT hero, title, skills FROM combo_list WHERE lang = 'ja' AND hero_id = 84 ORDER BY combo_id",
  },
  {
    name: "item_tree",
    description: "Items and the items they are built into, with English names.",
    columns: {
      item_id: integer("Item that is a part."),
      item: text("Name of the part."),
      target_item_id: integer("Item that is built from the part."),
      target: maybe.text("Name of the item that is built. null: the list of items lacks it."),
    },
    order: ["item_id", "target_item_id"],
    select: `SELECT upgrade.item_id, part.name AS item, upgrade.target_item_id, whole.name AS target
FROM item_upgrade AS upgrade
JOIN item_text AS part ON part.item_id = upgrade.item_id AND part.lang = 'en'
LEFT JOIN item_text AS whole ON whole.item_id = upgrade.target_item_id AND whole.lang = 'en'`,
    example: "SELECT item, target FROM item_tree ORDER BY item_id, target_item_id LIMIT 3",
  },
  {
    name: "vote_list",
    description: "Votes of players and the scores of their candidates, in English.",
    columns: {
      subject: integer("Vote."),
      title: text("Question."),
      position: integer("Place of the candidate, from 1. 1 is the best."),
      candidate_id: text("Publisher's number of the candidate."),
      candidate: text("Name of the candidate."),
      score: maybe.real("Mean score.", { unit: "0 to 10" }),
      score_count: maybe.integer("Number of votes so far.", { unit: "votes" }),
    },
    order: ["subject", "position"],
    select: `SELECT candidate.subject, vote_text.title, candidate.position, candidate.candidate_id, text.name AS candidate, candidate.score, candidate.score_count
FROM vote_candidate AS candidate
JOIN vote_text ON vote_text.subject = candidate.subject AND vote_text.lang = 'en'
JOIN vote_candidate_text AS text ON text.subject = candidate.subject AND text.candidate_id = candidate.candidate_id AND text.lang = 'en'`,
    example: "SELECT title, position, candidate, score FROM vote_list ORDER BY subject, position LIMIT 3",
  },
];
