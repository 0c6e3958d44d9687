import { INCREASE } from "../../../api/matchup-points.ts";
import {
  bans,
  DAYS_COLUMN,
  ENGLISH_HERO,
  ENGLISH_OTHER,
  HERO_ID,
  OTHER_HERO_ID,
  RANK_COLUMN,
  SIDE,
  share,
} from "../columns.ts";
import { integer, type SnapshotView, text } from "../definition.ts";

const POSITION = integer("Place in the list, from 1.");

/** Both halves of a pair, which is listed once. */
const PAIR = {
  hero_id: integer("The hero of the pair with the lower id."),
  hero: ENGLISH_HERO,
  other_hero_id: OTHER_HERO_ID,
  other: ENGLISH_OTHER,
};
const GAINS = {
  increase_win_rate: share(INCREASE),
  other_increase_win_rate: share("The same for the other hero with the hero."),
};

// CROSS JOIN: hero after hero by the key, whether a reader filters by hero, by rank or by a name. DuckDB reads the
// views of an attached file, and allows no ON or USING after CROSS JOIN: the condition is in WHERE. The plus sign in synergy_list keeps
// to the index by rank and window: that of the other hero is spread over all of them.
export const pairingViews: readonly SnapshotView[] = [
  {
    name: "counter_list",
    description:
      "Opponents against which a hero does best and worst, with English names. Filter by hero_id, rank, days and side. The view shows hero_pairing, without heroes that the list of heroes lacks; matchup_list has another source.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      rank: RANK_COLUMN,
      days: DAYS_COLUMN,
      side: text(SIDE),
      position: POSITION,
      other_hero_id: OTHER_HERO_ID,
      other: ENGLISH_OTHER,
      increase_win_rate: share(INCREASE),
    },
    order: ["hero_id", "rank", "days", "side", "position"],
    select: `SELECT pairing.hero_id, hero.name AS hero, pairing.rank, pairing.days, pairing.side, pairing.position,
       pairing.other_hero_id, other.name AS other, pairing.increase_win_rate
FROM hero CROSS JOIN hero_pairing AS pairing
JOIN hero AS other ON other.hero_id = pairing.other_hero_id
WHERE pairing.hero_id = hero.hero_id AND pairing.source = 'counters'`,
    example:
      "SELECT side, position, other, increase_win_rate FROM counter_list WHERE hero_id = 1 AND rank = 'all' AND days = 30 AND position <= 2 ORDER BY side, position",
  },
  {
    name: "banned_counter",
    description:
      "The five opponents against which each hero does worst, most banned heroes first. Filter by rank, days and place. The view shows hero_pairing, without heroes that the list of heroes lacks.",
    columns: {
      rank: RANK_COLUMN,
      days: DAYS_COLUMN,
      place: integer("Place of the hero by ban rate in the rank and window, 1 is the highest."),
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      ban_rate: bans(),
      position: integer("Place of the opponent, from 1. 1 is the worst for the hero."),
      other_hero_id: OTHER_HERO_ID,
      other: ENGLISH_OTHER,
      increase_win_rate: share(INCREASE),
    },
    order: ["rank", "days", "place", "position"],
    select: `SELECT banned.rank, banned.days, banned.place, banned.hero_id, hero.name AS hero, banned.ban_rate, pairing.position,
       pairing.other_hero_id, other.name AS other, pairing.increase_win_rate
FROM (SELECT rank, days, hero_id, ban_rate, rank() OVER (PARTITION BY rank, days ORDER BY ban_rate DESC, hero_id) AS place FROM hero_rate) AS banned
JOIN hero USING (hero_id)
JOIN hero_pairing AS pairing ON pairing.source = 'counters' AND pairing.hero_id = banned.hero_id AND pairing.rank = banned.rank
  AND pairing.days = banned.days AND pairing.side = 'worst'
JOIN hero AS other ON other.hero_id = pairing.other_hero_id`,
    example:
      "SELECT place, hero, ban_rate, other, increase_win_rate FROM banned_counter WHERE rank = 'mythic' AND days = 7 AND place <= 5 AND position = 1 ORDER BY place",
  },
  {
    name: "synergy_list",
    description:
      "Pairs of heroes that are among each other's five best team mates, one row for each pair. Filter by rank and days. The view shows hero_pairing, without heroes that the list of heroes lacks; duo_list has another source and more pairs.",
    columns: {
      rank: RANK_COLUMN,
      days: DAYS_COLUMN,
      ...PAIR,
      hero_position: integer("Place of the other hero in the hero's list, from 1."),
      other_position: integer("Place of the hero in the other hero's list, from 1."),
      ...GAINS,
    },
    order: ["rank", "days", "hero_id", "other_hero_id"],
    select: `SELECT one.rank, one.days, one.hero_id, hero.name AS hero, one.other_hero_id, other.name AS other,
       one.position AS hero_position, two.position AS other_position,
       one.increase_win_rate, two.increase_win_rate AS other_increase_win_rate
FROM hero CROSS JOIN hero_pairing AS one CROSS JOIN hero_pairing AS two
JOIN hero AS other ON other.hero_id = one.other_hero_id
WHERE one.hero_id = hero.hero_id AND one.source = 'compatibility' AND one.side = 'best' AND one.hero_id < one.other_hero_id
  AND two.source = 'compatibility' AND two.hero_id = one.other_hero_id AND two.rank = one.rank
  AND two.days = one.days AND two.side = 'best' AND +two.other_hero_id = one.hero_id`,
    example:
      "SELECT hero, other, hero_position, other_position, increase_win_rate FROM synergy_list WHERE rank = 'mythic' AND days = 7 ORDER BY increase_win_rate DESC LIMIT 3",
  },
  {
    name: "duo_list",
    description:
      "Pairs of heroes that do better than expected with each other, one row for each pair. Filter by rank. The view shows hero_matchup, without a window and without heroes that the list of heroes lacks; matchup_list has the mates of one hero.",
    columns: { rank: RANK_COLUMN, ...PAIR, ...GAINS },
    order: ["rank", "hero_id", "other_hero_id"],
    select: `SELECT one.rank, one.hero_id, hero.name AS hero, one.other_hero_id, other.name AS other,
       one.increase_win_rate, two.increase_win_rate AS other_increase_win_rate
FROM hero CROSS JOIN hero_matchup AS one
JOIN hero_matchup AS two ON two.hero_id = one.other_hero_id AND two.rank = one.rank AND two.match_type = 1 AND two.other_hero_id = one.hero_id
JOIN hero AS other ON other.hero_id = one.other_hero_id
WHERE one.hero_id = hero.hero_id AND one.match_type = 1 AND one.hero_id < one.other_hero_id
  AND one.increase_win_rate > 0 AND two.increase_win_rate > 0`,
    example:
      "SELECT hero, other, increase_win_rate FROM duo_list WHERE rank = 'mythic' ORDER BY increase_win_rate DESC, hero_id LIMIT 3",
  },
  {
    name: "matchup_list",
    description:
      "How each hero does against and with each other hero, with English names. Filter by hero_id, rank and played. The view shows hero_matchup, without heroes that the list of heroes lacks; counter_list and synergy_list have another source.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      rank: RANK_COLUMN,
      played: text("One of: against, with. The other hero is an opponent, or a team mate."),
      other_hero_id: OTHER_HERO_ID,
      other: ENGLISH_OTHER,
      increase_win_rate: share(INCREASE),
    },
    order: ["hero_id", "rank", "played", "other_hero_id"],
    select: `SELECT matchup.hero_id, hero.name AS hero, matchup.rank, CASE match_type WHEN 0 THEN 'against' ELSE 'with' END AS played,
       matchup.other_hero_id, other.name AS other, matchup.increase_win_rate
FROM hero CROSS JOIN hero_matchup AS matchup
JOIN hero AS other ON other.hero_id = matchup.other_hero_id
WHERE matchup.hero_id = hero.hero_id`,
    example:
      "SELECT other, increase_win_rate FROM matchup_list WHERE hero_id = 18 AND rank = 'all' AND played = 'against' ORDER BY increase_win_rate DESC LIMIT 3",
  },
];
