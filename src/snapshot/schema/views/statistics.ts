import type { Question } from "./definition.ts";

export const statisticsViews: readonly Question[] = [
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
    description:
      "Opponents that a hero does best and worst against, by English name: filter by name, rank and days. From hero_pairing; matchup_list is of another source.",
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
    name: "banned_counter",
    description:
      "The five opponents that each hero does worst against, the most banned heroes first: filter by rank, days and ban_place.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      ban_place: "1 is the highest ban rate of the rank and window.",
      hero: "English name of the hero.",
      ban_rate: "Matches in which the hero was banned; above 1 has been published.",
      position: "Place of the opponent, from 1: the worst for the hero first.",
      counter: "English name of the opponent.",
      increase_win_rate: "By how much the hero's win rate is higher against this opponent: below 0.",
    },
    select: `SELECT banned.rank, banned.days, banned.ban_place, hero.name AS hero, banned.ban_rate, pairing.position, other.name AS counter, pairing.increase_win_rate
FROM (SELECT rank, days, hero_id, ban_rate, rank() OVER (PARTITION BY rank, days ORDER BY ban_rate DESC, hero_id) AS ban_place FROM hero_rate) AS banned
JOIN hero USING (hero_id)
JOIN hero_pairing AS pairing ON pairing.source = 'counters' AND pairing.hero_id = banned.hero_id AND pairing.rank = banned.rank
  AND pairing.days = banned.days AND pairing.side = 'worst'
JOIN hero AS other ON other.hero_id = pairing.other_hero_id`,
    example:
      "SELECT ban_place, hero, ban_rate, counter, increase_win_rate FROM banned_counter WHERE rank = 'mythic' AND days = 7 AND ban_place <= 5 AND position = 1 ORDER BY ban_place",
  },
  {
    name: "synergy_list",
    description:
      "Pairs of heroes that are each among the five best team mates of the other, one row a pair: filter by rank and days.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      hero: "English name of the one.",
      mate: "English name of the other.",
      hero_position: "Place of the mate in the hero's list, from 1.",
      mate_position: "Place of the hero in the mate's list, from 1.",
      increase_win_rate: "By how much the hero's win rate is higher with the mate.",
      mate_increase_win_rate: "By how much the mate's win rate is higher with the hero.",
    },
    select: `SELECT one.rank, one.days, hero.name AS hero, mate.name AS mate, one.position AS hero_position, two.position AS mate_position,
       one.increase_win_rate, two.increase_win_rate AS mate_increase_win_rate
FROM hero_pairing AS one
JOIN hero_pairing AS two ON two.source = 'compatibility' AND two.hero_id = one.other_hero_id AND two.rank = one.rank
  AND two.days = one.days AND two.side = 'best' AND two.other_hero_id = one.hero_id
JOIN hero ON hero.hero_id = one.hero_id
JOIN hero AS mate ON mate.hero_id = one.other_hero_id
WHERE one.source = 'compatibility' AND one.side = 'best' AND one.hero_id < one.other_hero_id`,
    example:
      "SELECT hero, mate, hero_position, mate_position, increase_win_rate FROM synergy_list WHERE rank = 'mythic' AND days = 7 ORDER BY increase_win_rate DESC LIMIT 3",
  },
  {
    name: "matchup_list",
    description:
      "The matrix of all heroes in words: filter by hero, rank and side. From hero_matchup; counter_list and synergy_list are of another source.",
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
    name: "trend_rise",
    description:
      "By how much each hero's win rate has risen in each rank over its whole series, 30 days as a rule, the biggest rise first: filter by rank and place.",
    columns: {
      rank: "Rank bracket.",
      place: "1 is the biggest rise in the rank.",
      hero_id: "Hero.",
      name: "English name of the hero.",
      date_from: "First day of the series.",
      date_to: "Last day.",
      win_rate_from: "Matches won on the first day, share of 1.",
      win_rate_to: "Matches won on the last day.",
      rise: "The difference; below 0 for a fall.",
    },
    select: `SELECT series.rank, rank() OVER (PARTITION BY series.rank ORDER BY last.win_rate - first.win_rate DESC, series.hero_id) AS place,
       series.hero_id, hero.name, date_from, date_to, first.win_rate AS win_rate_from, last.win_rate AS win_rate_to,
       last.win_rate - first.win_rate AS rise
FROM (SELECT rank, hero_id, min(date) AS date_from, max(date) AS date_to FROM hero_trend GROUP BY rank, hero_id) AS series
JOIN hero USING (hero_id)
JOIN hero_trend AS first ON first.rank = series.rank AND first.hero_id = series.hero_id AND first.date = date_from
JOIN hero_trend AS last ON last.rank = series.rank AND last.hero_id = series.hero_id AND last.date = date_to`,
    example:
      "SELECT rank, name, date_from, date_to, round(rise, 4) AS rise FROM trend_rise WHERE place = 1 ORDER BY rank",
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
];
