import { APPEARANCE, bans, DAYS_COLUMN, ENGLISH_HERO, HERO_ID, RANK_COLUMN, share, WIN_RATE } from "../columns.ts";
import { integer, type SnapshotView, text } from "../definition.ts";

const MIDDLE = 0.5;

/** The pick rate at which a hero keeps half of its distance from the middle. */
export const HALF_PICK_RATE = 0.0025;

/** A hero that hardly anybody picks is not what a tier list is asked for. */
export const SELDOM_PICK_RATE = 0.001;

/** The tiers but the last, the highest first, with the least score of each. */
export const TIERS = [
  { tier: "S", from: 0.53 },
  { tier: "A", from: 0.51 },
  { tier: "B", from: 0.49 },
  { tier: "C", from: 0.47 },
] as const;

const LAST_TIER = "D";

const SCORE = `${MIDDLE} + (win_rate - ${MIDDLE}) * appearance_rate / (appearance_rate + ${HALF_PICK_RATE})`;
const TIER = `CASE ${TIERS.map(({ tier, from }) => `WHEN score >= ${from} THEN '${tier}'`).join(" ")} ELSE '${LAST_TIER}' END`;
const BOUNDS = TIERS.map(({ tier, from }) => `${tier} from ${from}`).join(", ");

/** The one tier list: the page and its CSV select from it. */
export const tierList: SnapshotView = {
  name: "tier_list",
  description:
    "Heroes by score in each rank and window, with English names. The score is the win rate, nearer to 0.5 the less a hero is picked: a seldom picked hero may stand far from the middle by chance. Filter by rank and days.",
  columns: {
    rank: RANK_COLUMN,
    days: DAYS_COLUMN,
    place: integer(
      `Place by score in the rank and window, 1 is the best. Heroes with less than ${SELDOM_PICK_RATE} of the picks come after all others.`,
    ),
    tier: text(`Tier by score: ${BOUNDS}, ${LAST_TIER} below.`),
    hero_id: HERO_ID,
    hero: ENGLISH_HERO,
    score: share(
      `${MIDDLE} + (win_rate − ${MIDDLE}) × appearance_rate / (appearance_rate + ${HALF_PICK_RATE}). A hero with ${HALF_PICK_RATE} of the picks keeps half of its distance from the middle.`,
    ),
    win_rate: WIN_RATE,
    ban_rate: bans(),
    appearance_rate: share(APPEARANCE),
  },
  order: ["rank", "days", "place"],
  select: `SELECT rank, days, rank() OVER (PARTITION BY rank, days ORDER BY appearance_rate < ${SELDOM_PICK_RATE}, score DESC, hero_id) AS place,
       ${TIER} AS tier, hero_id, hero, score, win_rate, ban_rate, appearance_rate
FROM (SELECT rate.*, hero.name AS hero, ${SCORE} AS score FROM hero_rate AS rate JOIN hero USING (hero_id))`,
  example:
    "SELECT place, tier, hero, score, win_rate, appearance_rate FROM tier_list WHERE rank = 'mythic' AND days = 7 ORDER BY place LIMIT 3",
};
