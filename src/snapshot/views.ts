/** A question that people ask, as a view. Columns are described like those of tables. */
export interface ViewDefinition {
  name: string;
  description: string;
  columns: Record<string, string>;
  select: string;
}

export const VIEWS: readonly ViewDefinition[] = [
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
  },
  {
    name: "hero_place",
    description: "Heroes by role and lane: one row for each combination, null where a hero has none yet.",
    columns: { hero_id: "Hero.", name: "English name.", role: "A role of the hero.", lane: "A lane of the hero." },
    select: `SELECT hero.hero_id, hero.name, hero_role.role, hero_lane.lane
FROM hero LEFT JOIN hero_role USING (hero_id) LEFT JOIN hero_lane USING (hero_id)`,
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
  },
  {
    name: "coverage_hole",
    description: "Slices that this snapshot lacks, with the reason. Empty for a whole one.",
    columns: { dataset: "Endpoint.", slice: "What is missing.", reason: "Why." },
    select: "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'",
  },
];
