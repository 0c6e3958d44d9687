import { DAY_WINDOWS } from "../../../api/enumerations.ts";
import type { World } from "./calendar.ts";
import { hash, mix, toFraction } from "./hash.ts";
import { sixDecimals } from "./rates.ts";

/** "0" against each other, "1" on one side; the publisher's `match_type` and `camp_type`. */
export type MatchType = "0" | "1";

/** Pairings that were computed together. `rank` is an index into RANKS, `window` into DAY_WINDOWS, or the academy's. */
export interface Batch {
  rank: number;
  window: number;
  match: MatchType;
}

export interface Pairing {
  hero: number;
  delta: number;
  /** Seed of the numbers that belong to this pairing alone. */
  salt: number;
}

/** The window of the academy's matrix, which no record states. */
export const ACADEMY_WINDOW = DAY_WINDOWS.length;

// Shorter windows hold fewer matches, hence wilder deltas.
const SPREAD = [0.16, 0.11, 0.08, 0.055, 0.045, 0.06];

const FEW_MATCHES = 50;

interface Salts {
  batch: number;
  /** The same in all windows. */
  pair: number;
}

function saltsOf({ seed, day }: World, { rank, window, match }: Batch): Salts {
  return { batch: hash(seed, day, rank, window, Number(match)), pair: hash(seed, day, rank, Number(match)) };
}

// A hero is good against the same heroes in each window, but not by the same margin.
function deltaOf(salts: Salts, { window, match }: Batch, hero: number, other: number): number {
  const [low, high] = [Math.min(hero, other), Math.max(hero, other)];
  const h = mix(mix(salts.pair, low), high);
  const size = ((h & 0xffff) + (h >>> 16) - 0xffff) / 0xffff;
  const part = 0.6 + 0.8 * toFraction(mix(mix(salts.batch, low), high));
  const delta = sixDecimals(size * part * (SPREAD[window] ?? 0));
  // "+ 0" turns -0 into 0.
  return (match === "0" && hero > other ? -delta : delta) + 0;
}

/** Every pairing of a hero, by ascending id. */
export function pairingsOf(world: World, batch: Batch, hero: number): Omit<Pairing, "salt">[] {
  const salts = saltsOf(world, batch);
  const others = Array.from({ length: world.heroes }, (_, i) => i + 1).filter((other) => other !== hero);
  return others.map((other) => ({ hero: other, delta: deltaOf(salts, batch, hero, other) }));
}

// Heroes arrive by ascending id and only a greater score overtakes: ties stay in the order of ids.
function insertRanked(top: number[], hero: number, score: (hero: number) => number, count: number): void {
  let position = top.length;
  while (position > 0 && score(hero) > score(top[position - 1] ?? 0)) position--;
  if (position >= count) return;
  top.splice(position, 0, hero);
  if (top.length > count) top.pop();
}

/** The best and the worst `count` pairings of a hero, the most extreme first. */
export function bestAndWorst(world: World, batch: Batch, hero: number, count: number) {
  const salts = saltsOf(world, batch);
  const { heroes } = world;
  const deltas = new Float64Array(heroes + 1);
  const gain = (other: number) => deltas[other] ?? 0;
  const loss = (other: number) => -gain(other);
  const best: number[] = [];
  const worst: number[] = [];
  for (let other = 1; other <= heroes; other++) {
    if (other === hero) continue;
    deltas[other] = deltaOf(salts, batch, hero, other);
    insertRanked(best, other, gain, count);
    insertRanked(worst, other, loss, count);
  }
  const pairing = (other: number): Pairing => {
    return { hero: other, delta: gain(other), salt: mix(mix(salts.batch, hero), other) };
  };
  return { best: best.map(pairing), worst: worst.map(pairing) };
}

/** Win rates by match length in minutes. Few matches give exact fractions, 0 and 1 among them. */
export function durationRates({ delta, salt }: Pairing, window: number) {
  const days = Number(DAY_WINDOWS[window]);
  const rate = (position: number, matchesPerDay: number) => {
    const h = mix(salt, position);
    const matches = matchesPerDay * days;
    if (matches >= FEW_MATCHES) return sixDecimals(0.49 + delta + (toFraction(h) - 0.5) * 0.12);
    const played = 1 + (h % matches);
    return sixDecimals(Math.floor(toFraction(mix(h, 1)) * (played + 1)) / played);
  };
  return {
    min_win_rate10_12: rate(0, 60),
    min_win_rate12_14: rate(1, 90),
    min_win_rate14_16: rate(2, 90),
    min_win_rate16_18: rate(3, 60),
    min_win_rate18_20: rate(4, 40),
    min_win_rate20: rate(5, 40),
    min_win_rate6: rate(6, 1),
    min_win_rate6_8: rate(7, 4),
    min_win_rate8_10: rate(8, 16),
  };
}
