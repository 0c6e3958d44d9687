import { queryFile } from "./sqlite.ts";
import { world } from "./world.ts";

/** The rates of a hero, as the file has them. */
export interface Rate {
  hero_id: number;
  name: string;
  win_rate: number;
  appearance_rate: number;
  ban_rate: number;
}

/** The highest first. */
export const fileRates = (rank: string, days: number, lang = "en", order = "win_rate") =>
  queryFile<Rate>(
    world.snapshot,
    `SELECT rate.hero_id, name, win_rate, appearance_rate, ban_rate FROM hero_rate AS rate JOIN hero_text USING (hero_id)
     WHERE rank = ? AND days = ? AND lang = ? ORDER BY ${order} DESC, hero_id`,
    rank,
    days,
    lang,
  );

/** Writes a share as a page does: one decimal, and below 1 % two digits, as far as the six decimals of the file go. */
export function percent(share: number): string {
  const decimals = [0.00995, 0.000995, 0.0000995].findIndex((least) => share >= least);
  return `${(100 * share).toFixed(share === 0 ? 1 : decimals < 0 ? 4 : decimals + 1)}%`;
}

/** The points of its win rate by which a hero does better or worse against another one, or beside it. */
export interface Point {
  hero_id: number;
  other_hero_id: number;
  increase_win_rate: number;
}

export const AGAINST = 0;
export const BESIDE = 1;

/** Reads the points of each hero, the highest first. */
export const filePoints = (rank: string, type: typeof AGAINST | typeof BESIDE) =>
  queryFile<Point>(
    world.snapshot,
    `SELECT hero_id, other_hero_id, increase_win_rate FROM hero_matchup WHERE rank = ? AND match_type = ?
     ORDER BY hero_id, increase_win_rate DESC, other_hero_id`,
    rank,
    type,
  );
