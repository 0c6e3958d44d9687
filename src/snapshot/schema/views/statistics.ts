import type { SnapshotView } from "../definition.ts";

export const statisticsViews: readonly SnapshotView[] = [
  {
    name: "tier_list",
    description:
      "Heroes by win rate in each rank and window, with names in each language. Filter by rank, days and lang.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      lang: "Language of the name.",
      place: "Place by win rate in the rank and window. 1 is the highest.",
      hero_id: "Hero.",
      name: "Name of the hero in that language.",
      win_rate: "Share of matches that the hero won.",
      ban_rate: "Share of matches in which the hero was banned.",
      appearance_rate: "Share of all picks that were this hero.",
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
      "Opponents against which a hero does best and worst, with English names. Filter by name, rank and days. The view shows hero_pairing; matchup_list has another source.",
    columns: {
      name: "English name of the hero.",
      rank: "Rank bracket.",
      days: "Window, in days.",
      side: "best or worst, from the hero's view.",
      position: "Place in the list, from 1.",
      opponent: "English name of the opponent.",
      increase_win_rate: "How much higher the hero's win rate is against this opponent.",
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
      "The five opponents against which each hero does worst, most banned heroes first. Filter by rank, days and ban_place.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      ban_place: "Place by ban rate in the rank and window. 1 is the highest.",
      hero: "English name of the hero.",
      ban_rate: "Share of matches in which the hero was banned. The upstream has published rates above 1.",
      position: "Place of the opponent, from 1. 1 is the worst for the hero.",
      counter: "English name of the opponent.",
      increase_win_rate: "How much higher the hero's win rate is against this opponent; below 0.",
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
      "Pairs of heroes that are among each other's five best team mates, one row for each pair. Filter by rank and days.",
    columns: {
      rank: "Rank bracket.",
      days: "Window, in days.",
      hero: "English name of the first hero.",
      mate: "English name of the second hero.",
      hero_position: "Place of the mate in the hero's list, from 1.",
      mate_position: "Place of the hero in the mate's list, from 1.",
      increase_win_rate: "How much higher the hero's win rate is with the mate.",
      mate_increase_win_rate: "How much higher the mate's win rate is with the hero.",
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
      "Win rates of each hero against and with each other hero, with English names. Filter by hero, rank and side. The view shows hero_matchup; counter_list and synergy_list have another source.",
    columns: {
      hero: "English name of the hero.",
      rank: "Rank bracket.",
      side: "opponent or team mate.",
      other: "English name of the other hero.",
      increase_win_rate: "How much higher the hero's win rate is with or against the other hero.",
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
    description: "Win rate of each hero by day, with the change over seven days.",
    columns: {
      name: "English name of the hero.",
      rank: "Rank bracket.",
      date: "Day, YYYY-MM-DD.",
      win_rate: "Share of matches that the hero won.",
      change_7_days: "Difference from the win rate of seven days before. null: the series begins later.",
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
      "Rise of each hero's win rate in each rank over the whole series, usually 30 days. Filter by rank and place.",
    columns: {
      rank: "Rank bracket.",
      place: "Place by rise in the rank. 1 is the biggest rise.",
      hero_id: "Hero.",
      name: "English name of the hero.",
      date_from: "First day of the series.",
      date_to: "Last day of the series.",
      win_rate_from: "Share of matches that the hero won on the first day.",
      win_rate_to: "Share of matches that the hero won on the last day.",
      rise: "win_rate_to − win_rate_from. Below 0: the win rate fell.",
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
    description: "Win rate of each hero by length of the match, with English names. Filter by hero, lane and rank.",
    columns: {
      hero: "English name of the hero.",
      lane: "Lane.",
      rank: "Rank bracket.",
      from_minute: "Shortest length of the matches, in minutes.",
      to_minute: "Longest length of the matches, in minutes. null: no limit.",
      win_rate: "Share of the matches of this length that the hero won.",
      difference: "Difference from the hero's win rate in all matches on the lane and in the rank.",
    },
    select: `SELECT hero.name AS hero, part.lane, part.rank, part.from_minute, part.to_minute, part.win_rate,
       part.win_rate - whole.win_rate AS difference
FROM hero_minute_rate AS part JOIN hero_lane_rate AS whole USING (hero_id, lane, rank) JOIN hero USING (hero_id)`,
    example:
      "SELECT from_minute, to_minute, round(win_rate, 4) AS win_rate, round(difference, 4) AS difference FROM minute_list WHERE hero = 'Ling' AND lane = 'jungle' AND rank = 'all' ORDER BY from_minute LIMIT 3",
  },
];
