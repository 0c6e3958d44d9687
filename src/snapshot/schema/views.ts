/** A question that people ask, as a view. Columns are described like those of tables. */
export interface ViewDefinition {
  name: string;
  description: string;
  columns: Record<string, string>;
  select: string;
}

/** A view of the snapshot, with a query that shows what it is good for: the dictionary has its first rows. */
interface Question extends ViewDefinition {
  example: string;
}

export const VIEWS: readonly Question[] = [
  {
    name: "tier_list",
    description:
      "Heroes by win rate in each rank and window, with their names in each language: filter by rank, days and lang.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      lang: "Language of the name.",
      place: "1 is the highest win rate of the rank and window.",
      hero_id: "Hero.",
      name: "Name in that language.",
      win_rate: "Matches won, share of 1.",
      ban_rate: "Matches in which the hero was banned.",
      appearance_rate: "Share of all picks.",
    },
    select: `SELECT rate.rank, rate.days, hero_text.lang, rate.place, rate.hero_id, hero_text.name,
       rate.win_rate, rate.ban_rate, rate.appearance_rate
FROM (SELECT *, rank() OVER (PARTITION BY rank, days ORDER BY win_rate DESC, hero_id) AS place FROM hero_rate) AS rate
JOIN hero_text USING (hero_id)`,
    example:
      "SELECT place, name, win_rate, ban_rate, appearance_rate FROM tier_list WHERE rank = 'mythic' AND days = 7 AND lang = 'ja' ORDER BY place LIMIT 3",
  },
  {
    name: "counter_list",
    description: "Opponents that a hero does best and worst against, by English name: filter by name, rank and days.",
    columns: {
      name: "The hero.",
      rank: "Rank bracket.",
      days: "Window, in days.",
      side: "best or worst, seen from the hero.",
      position: "Place in the list, from 1.",
      opponent: "English name of the opponent.",
      increase_win_rate: "By how much the hero's win rate is higher against this opponent.",
    },
    select: `SELECT hero.name, pairing.rank, pairing.days, pairing.side, pairing.position, other.name AS opponent, pairing.increase_win_rate
FROM hero_pairing AS pairing
JOIN hero USING (hero_id)
JOIN hero AS other ON other.hero_id = pairing.other_hero_id
WHERE pairing.source = 'counters'`,
    example:
      "SELECT side, position, opponent, increase_win_rate FROM counter_list WHERE name = 'Miya' AND rank = 'all' AND days = 30 AND position <= 2 ORDER BY side, position",
  },
  {
    name: "trend_change",
    description: "Win rate of each hero by day, and how much it has changed since seven days before.",
    columns: {
      name: "English name of the hero.",
      rank: "Rank bracket.",
      date: "Day.",
      win_rate: "Matches won, share of 1.",
      change_7_days: "Difference to seven days before; null where the series does not reach back.",
    },
    select: `SELECT hero.name, now.rank, now.date, now.win_rate, now.win_rate - before.win_rate AS change_7_days
FROM hero_trend AS now
JOIN hero USING (hero_id)
LEFT JOIN hero_trend AS before ON before.rank = now.rank AND before.hero_id = now.hero_id
  AND before.date = date(now.date, '-7 days')`,
    example:
      "SELECT date, win_rate, round(change_7_days, 6) AS change FROM trend_change WHERE name = 'Miya' AND rank = 'all' ORDER BY date DESC LIMIT 3",
  },
  {
    name: "hero_place",
    description: "Heroes by role and lane: one row for each combination, null where a hero has none yet.",
    columns: { hero_id: "Hero.", name: "English name.", role: "A role of the hero.", lane: "A lane of the hero." },
    select: `SELECT hero.hero_id, hero.name, hero_role.role, hero_lane.lane
FROM hero LEFT JOIN hero_role USING (hero_id) LEFT JOIN hero_lane USING (hero_id)`,
    example: "SELECT name, role, lane FROM hero_place WHERE role = 'mage' AND lane = 'roam' ORDER BY name LIMIT 3",
  },
  {
    name: "skill_two_languages",
    description: "Skill texts side by side in two languages: filter by lang_a and lang_b.",
    columns: {
      hero: "English name of the hero.",
      skill_id: "Skill.",
      lang_a: "First language.",
      lang_b: "Second language.",
      name_a: "Name in the first.",
      name_b: "Name in the second.",
      description_a: "Plain description in the first.",
      description_b: "Plain description in the second.",
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
    description: "Items and what they are built into, by English name.",
    columns: {
      item_id: "The part.",
      item: "Its name.",
      target_item_id: "What is made of it.",
      target: "Its name; null where the list of items lacks it.",
    },
    select: `SELECT upgrade.item_id, part.name AS item, upgrade.target_item_id, whole.name AS target
FROM item_upgrade AS upgrade
JOIN item_text AS part ON part.item_id = upgrade.item_id AND part.lang = 'en'
LEFT JOIN item_text AS whole ON whole.item_id = upgrade.target_item_id AND whole.lang = 'en'`,
    example: "SELECT item, target FROM item_tree ORDER BY item_id, target_item_id LIMIT 3",
  },
  {
    name: "build_list",
    description: "Builds of the heroes in words, in English: filter by hero, lane and rank.",
    columns: {
      hero: "English name of the hero.",
      lane: "Lane.",
      rank: "Rank bracket.",
      position: "Place in the list, from 1.",
      win_rate: "Matches won with it, share of 1.",
      pick_rate: "Share of the hero's matches that were played with it.",
      items: "Names of the items, in their order.",
      emblem: "Name of the emblem.",
      talents: "Names of the talents, in their order.",
      spell: "Name of the battle spell.",
    },
    select: `SELECT hero.name AS hero, build.lane, build.rank, build.position, build.win_rate, build.pick_rate,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(item_text.name, part.item_id) AS name
              FROM hero_build_item AS part LEFT JOIN item_text ON item_text.item_id = part.item_id AND item_text.lang = 'en'
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS items,
       emblem_text.name AS emblem,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(talent_text.name, part.talent_id) AS name
              FROM hero_build_talent AS part LEFT JOIN talent_text ON talent_text.talent_id = part.talent_id AND talent_text.lang = 'en'
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS talents,
       spell_text.name AS spell
FROM hero_build AS build
JOIN hero USING (hero_id)
LEFT JOIN emblem_text ON emblem_text.emblem_id = build.emblem_id AND emblem_text.lang = 'en'
LEFT JOIN spell_text ON spell_text.spell_id = build.spell_id AND spell_text.lang = 'en'`,
    example:
      "SELECT position, round(win_rate, 4) AS win_rate, items, emblem, spell FROM build_list WHERE hero = 'Layla' AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
  {
    name: "minute_list",
    description: "Win rate of a hero by the length of the match, by English name: filter by hero, lane and rank.",
    columns: {
      hero: "English name of the hero.",
      lane: "Lane.",
      rank: "Rank bracket.",
      from_minute: "Shortest match, in minutes.",
      to_minute: "Longest match; null where there is no limit.",
      win_rate: "Matches of that length won, share of 1.",
      difference: "To the win rate of all matches on that lane and in that rank.",
    },
    select: `SELECT hero.name AS hero, part.lane, part.rank, part.from_minute, part.to_minute, part.win_rate,
       part.win_rate - whole.win_rate AS difference
FROM hero_minute_rate AS part JOIN hero_lane_rate AS whole USING (hero_id, lane, rank) JOIN hero USING (hero_id)`,
    example:
      "SELECT from_minute, to_minute, round(win_rate, 4) AS win_rate, round(difference, 4) AS difference FROM minute_list WHERE hero = 'Ling' AND lane = 'jungle' AND rank = 'all' ORDER BY from_minute LIMIT 3",
  },
  {
    name: "matchup_list",
    description: "The matrix of all heroes in words: filter by hero, rank and side.",
    columns: {
      hero: "English name of the hero.",
      rank: "Rank bracket.",
      side: "opponent or team mate.",
      other: "English name of the other one.",
      increase_win_rate: "By how much the hero's win rate is higher with or against the other.",
    },
    select: `SELECT hero.name AS hero, matchup.rank, CASE match_type WHEN 0 THEN 'opponent' ELSE 'team mate' END AS side, other.name AS other,
       matchup.increase_win_rate
FROM hero_matchup AS matchup
JOIN hero USING (hero_id)
JOIN hero AS other ON other.hero_id = matchup.other_hero_id`,
    example:
      "SELECT other, increase_win_rate FROM matchup_list WHERE hero = 'Layla' AND rank = 'all' AND side = 'opponent' ORDER BY increase_win_rate DESC LIMIT 3",
  },
  {
    name: "vote_list",
    description: "What players vote on and how the candidates do, in English.",
    columns: {
      subject: "Vote.",
      title: "Question.",
      position: "Place of the candidate, from 1: the best first.",
      candidate: "Name.",
      score: "Mean score, 0 to 10.",
      score_count: "Votes so far.",
    },
    select: `SELECT candidate.subject, vote_text.title, candidate.position, text.name AS candidate, candidate.score, candidate.score_count
FROM vote_candidate AS candidate
JOIN vote_text ON vote_text.subject = candidate.subject AND vote_text.lang = 'en'
JOIN vote_candidate_text AS text ON text.subject = candidate.subject AND text.candidate_id = candidate.candidate_id AND text.lang = 'en'`,
    example: "SELECT title, position, candidate, score FROM vote_list ORDER BY subject, position LIMIT 3",
  },
  {
    name: "coverage_hole",
    description: "Slices that this snapshot lacks, with the reason. Empty for a whole one.",
    columns: { dataset: "Endpoint.", slice: "What is missing.", reason: "Why." },
    select: "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'",
    example: "SELECT dataset, slice, reason FROM coverage_hole ORDER BY dataset, slice LIMIT 3",
  },
];
