import { ENGLISH_HERO, HERO_ID } from "../columns.ts";
import { integer, maybe, type SnapshotView, text } from "../definition.ts";

/** Codes of a hero's roles or lanes, in their order. */
const codesOf = (owner: "role" | "lane") =>
  `(SELECT group_concat(${owner}, ', ') FROM (SELECT ${owner} FROM hero_${owner} WHERE hero_${owner}.hero_id = hero.hero_id ORDER BY position))`;

export const wordViews: readonly SnapshotView[] = [
  {
    name: "hero_place",
    description:
      "Roles and lanes of each hero, one row for each hero. To filter by one of them, use hero_role or hero_lane.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      roles: maybe.text("Codes of the roles, the main one first. null: the hero has none yet."),
      lanes: maybe.text("Codes of the lanes, the main one first. null: the hero has none yet."),
    },
    order: ["hero_id"],
    select: `SELECT hero_id, name AS hero, ${codesOf("role")} AS roles,
       ${codesOf("lane")} AS lanes
FROM hero`,
    example: "SELECT hero, roles, lanes FROM hero_place ORDER BY hero_id LIMIT 3",
  },
  {
    name: "skill_translation",
    description: "Skill texts in each other language beside the English ones. Filter by lang and hero_id.",
    columns: {
      lang: text("Language."),
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      skill_id: integer("Skill."),
      name: text("Name in the language."),
      english_name: text("English name."),
      description: text("Description in the language, without markup."),
      english_description: text("English description without markup."),
    },
    order: ["lang", "hero_id", "skill_id"],
    select: `SELECT local.lang, local.hero_id, hero.name AS hero, local.skill_id, local.name, english.name AS english_name,
       local.description_plain AS description, english.description_plain AS english_description
FROM hero CROSS JOIN skill_text AS local
JOIN skill_text AS english ON english.hero_id = local.hero_id AND english.skill_id = local.skill_id AND english.lang = 'en'
WHERE local.hero_id = hero.hero_id AND local.lang <> 'en'`,
    example:
      "SELECT english_name, name FROM skill_translation WHERE hero = 'Miya' AND lang = 'ru' ORDER BY skill_id LIMIT 3",
  },
  {
    name: "combo_translation",
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
        FROM (SELECT coalesce((SELECT skill.name FROM skill_text AS skill WHERE skill.hero_id = combo.hero_id
                                AND skill.skill_id = step.skill_id AND skill.lang = hero_text.lang), CAST(step.skill_id AS TEXT)) AS name
              FROM skill_combo_step AS step WHERE step.combo_id = combo.combo_id ORDER BY step.position)) AS skills,
       text.description
FROM skill_combo AS combo
JOIN hero_text USING (hero_id)
LEFT JOIN skill_combo_text AS text ON text.combo_id = combo.combo_id AND text.lang = hero_text.lang`,
    example: "SELECT hero, title, skills FROM combo_translation WHERE lang = 'ja' AND hero_id = 84 ORDER BY combo_id",
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
