import {
  APPEARANCE,
  bans,
  DAYS_COLUMN,
  ENGLISH_HERO,
  HERO_ID,
  maybeShare,
  RANK_COLUMN,
  share,
  WIN_RATE,
} from "../columns.ts";
import { DAY, INSTANT, integer, maybe, type SnapshotView, text } from "../definition.ts";
import { coverageTable } from "../tables/archive.ts";
import { rateErrorTable } from "../tables/rate-error.ts";
import { tierList } from "./tiers.ts";

/** Days at each end of a series whose mean counts: a single day moves by chance. */
export const END_DAYS = 3;

const OF_SERIES = "day.hero_id = hero.hero_id AND day.rank = rank.rank";

/** A value over the days at one end of a series. */
const atEnd = (end: "first" | "last", value: string) =>
  `(SELECT ${value} FROM (SELECT * FROM hero_trend AS day WHERE ${OF_SERIES} ORDER BY date${end === "last" ? " DESC" : ""} LIMIT ${END_DAYS}))`;

export const rateViews: readonly SnapshotView[] = [
  tierList,
  {
    name: "rate_list",
    description:
      "Rates of each hero by rank and window: how sure the win rate is, the day that they are of, and when they were asked for. Filter by hero_id, rank and days.",
    columns: {
      rank: RANK_COLUMN,
      days: DAYS_COLUMN,
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      win_rate: WIN_RATE,
      win_rate_error: maybeShare(
        `${rateErrorTable.columns.win_rate_error.description} null: the trend has fewer days.`,
      ),
      ban_rate: bans(),
      appearance_rate: share(APPEARANCE),
      data_date: coverageTable.columns.data_date,
      asked_at: text("Start of the run that asked for the rates.", { unit: INSTANT }),
    },
    order: ["rank", "days", "hero_id"],
    select: `SELECT rate.rank, rate.days, rate.hero_id, hero.name AS hero, rate.win_rate, win_rate_error, rate.ban_rate, rate.appearance_rate,
       coverage.data_date, coverage.asked_at
FROM hero_rate AS rate JOIN hero USING (hero_id)
JOIN coverage ON coverage.slice_id = rate.slice_id
LEFT JOIN hero_rate_error AS error ON error.rank = rate.rank AND error.days = rate.days AND error.hero_id = rate.hero_id`,
    example:
      "SELECT days, win_rate, win_rate_error, data_date FROM rate_list WHERE hero = 'Miya' AND rank = 'all' ORDER BY days",
  },
  {
    name: "trend_change",
    description: "Win rate of each hero by day, with the change over seven days. Filter by hero_id and rank.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      rank: RANK_COLUMN,
      date: text("Day, YYYY-MM-DD.", { unit: DAY }),
      win_rate: WIN_RATE,
      change_7_days: maybeShare("Difference from the win rate of seven days before. null: the series begins later."),
    },
    order: ["rank", "hero_id", "date"],
    select: `SELECT now.hero_id, hero.name AS hero, now.rank, now.date, now.win_rate, now.win_rate - before.win_rate AS change_7_days
FROM hero CROSS JOIN hero_trend AS now
LEFT JOIN hero_trend AS before ON before.rank = now.rank AND before.hero_id = now.hero_id
  AND before.date = date(now.date, '-7 days')
WHERE now.hero_id = hero.hero_id`,
    example:
      "SELECT date, win_rate, round(change_7_days, 6) AS change FROM trend_change WHERE hero_id = 1 AND rank = 'all' ORDER BY date DESC LIMIT 3",
  },
  {
    name: "trend_rise",
    description: `Rise of each hero's win rate in each rank over the whole series, usually 30 days, from the mean of the first ${END_DAYS} days to the mean of the last ${END_DAYS}. Series of fewer than ${2 * END_DAYS} days are left out. Filter by rank and by a least appearance_rate: a seldom picked hero rises by chance.`,
    columns: {
      rank: RANK_COLUMN,
      place: integer("Place by rise in the rank. 1 is the biggest rise."),
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      date_from: text("First day of the series.", { unit: DAY }),
      date_to: text("Last day of the series.", { unit: DAY }),
      win_rate_from: share(`Mean win rate of the first ${END_DAYS} days.`),
      win_rate_to: share(`Mean win rate of the last ${END_DAYS} days.`),
      rise: share("win_rate_to − win_rate_from. Below 0: the win rate fell."),
      appearance_rate: share(`Pick rate: mean of the last ${END_DAYS} days. ${APPEARANCE}`),
    },
    order: ["rank", "place"],
    // Subqueries by the key: a filter by rank does not reach through an aggregate, and all ranks would be read.
    select: `SELECT ends.rank, rank() OVER (PARTITION BY ends.rank ORDER BY ends.win_rate_to - ends.win_rate_from DESC, ends.hero_id) AS place,
       ends.hero_id, ends.hero, ends.date_from, ends.date_to, ends.win_rate_from, ends.win_rate_to,
       ends.win_rate_to - ends.win_rate_from AS rise, ends.appearance_rate
FROM (SELECT rank.rank, hero.hero_id, hero.name AS hero,
             (SELECT count(*) FROM hero_trend AS day WHERE ${OF_SERIES}) AS days,
             ${atEnd("first", "min(date)")} AS date_from,
             ${atEnd("last", "max(date)")} AS date_to,
             ${atEnd("first", "avg(win_rate)")} AS win_rate_from,
             ${atEnd("last", "avg(win_rate)")} AS win_rate_to,
             ${atEnd("last", "avg(appearance_rate)")} AS appearance_rate
      FROM rank CROSS JOIN hero) AS ends
WHERE ends.days >= ${2 * END_DAYS}`,
    example:
      "SELECT rank, hero, round(rise, 4) AS rise, round(appearance_rate, 4) AS pick_rate FROM trend_rise WHERE rank = 'mythic' AND appearance_rate >= 0.005 ORDER BY place LIMIT 3",
  },
  {
    name: "minute_list",
    description:
      "Win rate of each hero by length of the match, with English names. Filter by hero_id, lane and rank. So far the upstream has matches of 10 to 20 minutes only; hero_pairing has shorter and longer ones, beside another hero.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      lane: text("Lane."),
      rank: RANK_COLUMN,
      from_minute: integer("Shortest length of the matches.", { unit: "minutes" }),
      to_minute: maybe.integer("Longest length of the matches. null: no limit.", { unit: "minutes" }),
      win_rate: share("Share of the matches of this length that the hero won."),
      difference: maybeShare("Difference from the hero's win rate in all matches on the lane and in the rank."),
    },
    order: ["hero_id", "lane", "rank", "from_minute"],
    select: `SELECT part.hero_id, hero.name AS hero, part.lane, part.rank, part.from_minute, part.to_minute, part.win_rate,
       part.win_rate - whole.win_rate AS difference
FROM hero CROSS JOIN hero_lane_rate AS whole
JOIN hero_minute_rate AS part ON part.hero_id = whole.hero_id AND part.lane = whole.lane AND part.rank = whole.rank
WHERE whole.hero_id = hero.hero_id`,
    example:
      "SELECT from_minute, to_minute, round(win_rate, 4) AS win_rate, round(difference, 4) AS difference FROM minute_list WHERE hero = 'Ling' AND lane = 'jungle' AND rank = 'all' ORDER BY from_minute LIMIT 3",
  },
];
