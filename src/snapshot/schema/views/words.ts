import type { SnapshotView } from "../definition.ts";

const BUILD_COLUMNS = {
  lane: "Lane.",
  rank: "Rank bracket.",
  position: "Place in the list, from 1.",
  win_rate: "Share of matches that the hero won with the build.",
  pick_rate: "Share of the hero's matches that were played with the build.",
  items: "Names of the items in order.",
  emblem: "Name of the emblem.",
  talents: "Names of the talents in order.",
  spell: "Name of the battle spell.",
};

export const wordViews: readonly SnapshotView[] = [
  {
    name: "hero_place",
    description:
      "Heroes by role and lane, one row for each combination. A role or lane is null if the hero has none yet.",
    columns: { hero_id: "Hero.", name: "English name.", role: "A role of the hero.", lane: "A lane of the hero." },
    select: `SELECT hero.hero_id, hero.name, hero_role.role, hero_lane.lane
FROM hero LEFT JOIN hero_role USING (hero_id) LEFT JOIN hero_lane USING (hero_id)`,
    example: "SELECT name, role, lane FROM hero_place WHERE role = 'mage' AND lane = 'roam' ORDER BY name LIMIT 3",
  },
  {
    name: "skill_two_languages",
    description: "Skill texts in two languages side by side. Filter by lang_a and lang_b.",
    columns: {
      hero: "English name of the hero.",
      skill_id: "Skill.",
      lang_a: "First language.",
      lang_b: "Second language.",
      name_a: "Name in the first language.",
      name_b: "Name in the second language.",
      description_a: "Description without markup in the first language.",
      description_b: "Description without markup in the second language.",
    },
    select: `SELECT hero.name AS hero, a.skill_id, a.lang AS lang_a, b.lang AS lang_b, a.name AS name_a, b.name AS name_b,
       a.description_plain AS description_a, b.description_plain AS description_b
FROM skill_text AS a
JOIN skill_text AS b ON b.hero_id = a.hero_id AND b.skill_id = a.skill_id AND b.lang <> a.lang
JOIN hero ON hero.hero_id = a.hero_id`,
    example:
      "SELECT name_a, name_b FROM skill_two_languages WHERE hero = 'Miya' AND lang_a = 'en' AND lang_b = 'ru' ORDER BY skill_id LIMIT 3",
  },
  {
    name: "item_tree",
    description: "Items and the items they are built into, with English names.",
    columns: {
      item_id: "Item that is a part.",
      item: "Name of the part.",
      target_item_id: "Item that is built from the part.",
      target: "Name of the item that is built. null: the list of items lacks it.",
    },
    select: `SELECT upgrade.item_id, part.name AS item, upgrade.target_item_id, whole.name AS target
FROM item_upgrade AS upgrade
JOIN item_text AS part ON part.item_id = upgrade.item_id AND part.lang = 'en'
LEFT JOIN item_text AS whole ON whole.item_id = upgrade.target_item_id AND whole.lang = 'en'`,
    example: "SELECT item, target FROM item_tree ORDER BY item_id, target_item_id LIMIT 3",
  },
  {
    name: "build_list",
    description: "Builds of the heroes with English names. Filter by hero, lane and rank.",
    columns: { hero: "English name of the hero.", ...BUILD_COLUMNS },
    select: `SELECT hero, lane, rank, position, win_rate, pick_rate, items, emblem, talents, spell FROM build_translation WHERE lang = 'en'`,
    example:
      "SELECT position, round(win_rate, 4) AS win_rate, items, emblem, spell FROM build_list WHERE hero = 'Layla' AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
  {
    name: "build_translation",
    description: "Builds of the heroes with names in each language. Filter by lang, hero_id, lane and rank.",
    columns: {
      lang: "Language of the names. An item or talent without a name in it has its id.",
      hero_id: "Hero.",
      hero: "Name of the hero.",
      ...BUILD_COLUMNS,
    },
    select: `SELECT hero_text.lang, build.hero_id, hero_text.name AS hero, build.lane, build.rank, build.position, build.win_rate, build.pick_rate,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(item_text.name, part.item_id) AS name
              FROM hero_build_item AS part LEFT JOIN item_text ON item_text.item_id = part.item_id AND item_text.lang = hero_text.lang
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS items,
       emblem_text.name AS emblem,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(talent_text.name, part.talent_id) AS name
              FROM hero_build_talent AS part LEFT JOIN talent_text ON talent_text.talent_id = part.talent_id AND talent_text.lang = hero_text.lang
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS talents,
       spell_text.name AS spell
FROM hero_build AS build
JOIN hero_text USING (hero_id)
LEFT JOIN emblem_text ON emblem_text.emblem_id = build.emblem_id AND emblem_text.lang = hero_text.lang
LEFT JOIN spell_text ON spell_text.spell_id = build.spell_id AND spell_text.lang = hero_text.lang`,
    example:
      "SELECT position, hero, items, spell FROM build_translation WHERE lang = 'ja' AND hero_id = 18 AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
  {
    name: "vote_list",
    description: "Votes of players and the scores of their candidates, in English.",
    columns: {
      subject: "Vote.",
      title: "Question.",
      position: "Place of the candidate, from 1. 1 is the best.",
      candidate: "Name of the candidate.",
      score: "Mean score, 0 to 10.",
      score_count: "Number of votes so far.",
    },
    select: `SELECT candidate.subject, vote_text.title, candidate.position, text.name AS candidate, candidate.score, candidate.score_count
FROM vote_candidate AS candidate
JOIN vote_text ON vote_text.subject = candidate.subject AND vote_text.lang = 'en'
JOIN vote_candidate_text AS text ON text.subject = candidate.subject AND text.candidate_id = candidate.candidate_id AND text.lang = 'en'`,
    example: "SELECT title, position, candidate, score FROM vote_list ORDER BY subject, position LIMIT 3",
  },
];
