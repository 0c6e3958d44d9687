import { RANKS } from "../../../api/enumerations.ts";
import type { World } from "./calendar.ts";
import { hash, toFraction } from "./hash.ts";

/** Indexed by hero id; place 0 is unused. */
export interface Rates {
  win: Float64Array;
  ban: Float64Array;
  appearance: Float64Array;
}

export type RateKind = keyof Rates;

export interface RateSource {
  /** One day's rates; `date` counts like `World.day` and may be negative. */
  daily(rank: number, date: number): Rates;
  /** The rates over the newest `days` dates. */
  over(rank: number, days: number): Rates;
}

const WIN = 1;
const BAN = 2;
const APPEARANCE = 3;

export function sixDecimals(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}

function emptyRates(heroes: number): Rates {
  const column = () => new Float64Array(heroes + 1);
  return { win: column(), ban: column(), appearance: column() };
}

// The last of three dates weighs a third, so that a series drifts instead of jumping.
function smoothedNoise(seed: number, kind: number, rank: number, hero: number, date: number): number {
  const step = (back: number) => toFraction(hash(seed, kind, rank, hero, date - back)) - 0.5;
  return (step(0) + step(1) + step(2)) / 3;
}

function winRate(seed: number, rank: number, hero: number, date: number): number {
  const base =
    toFraction(hash(seed, WIN, hero, 1)) +
    toFraction(hash(seed, WIN, hero, 2)) +
    toFraction(hash(seed, WIN, hero, 3)) -
    1.5;
  const bracket = toFraction(hash(seed, WIN, hero, rank, 4)) - 0.5;
  return 0.507 + base * 0.05 + bracket * 0.02 + smoothedNoise(seed, WIN, rank, hero, date) * 0.012;
}

// Published ban rates pass 1 for the hero that both sides ban: 1.65 was seen.
function banRate(seed: number, rank: number, hero: number, date: number, mostBanned: number): number {
  const swing = 1 + smoothedNoise(seed, BAN, rank, hero, date) * 0.3;
  const weight = (rank + 2) / (RANKS.length + 1);
  if (hero === mostBanned) return 1.65 * weight * swing;
  return toFraction(hash(seed, BAN, hero)) ** 6 * 0.9 * weight * swing;
}

function appearanceWeight(seed: number, rank: number, hero: number, date: number): number {
  const base = 0.1 + toFraction(hash(seed, APPEARANCE, hero)) ** 3 * 3;
  const bracket = 0.7 + toFraction(hash(seed, APPEARANCE, hero, rank)) * 0.6;
  return base * bracket * (1 + smoothedNoise(seed, APPEARANCE, rank, hero, date) * 0.3);
}

export function createRates({ seed, day, heroes }: World): RateSource {
  const days = new Map<string, Rates>();
  const windows = new Map<string, Rates>();
  const mostBanned = 1 + (hash(seed, BAN) % Math.min(10, heroes));

  function computeDay(rank: number, date: number): Rates {
    const rates = emptyRates(heroes);
    let weights = 0;
    for (let hero = 1; hero <= heroes; hero++) {
      const weight = appearanceWeight(seed, rank, hero, date);
      weights += weight;
      rates.appearance[hero] = weight;
      rates.win[hero] = sixDecimals(winRate(seed, rank, hero, date));
      rates.ban[hero] = sixDecimals(banRate(seed, rank, hero, date, mostBanned));
    }
    rates.appearance.forEach((weight, hero, column) => {
      column[hero] = sixDecimals(weight / weights);
    });
    return rates;
  }

  function computeWindow(rank: number, length: number): Rates {
    const parts = Array.from({ length }, (_, back) => daily(rank, day - back));
    const rates = emptyRates(heroes);
    for (const kind of ["win", "ban", "appearance"] as const) {
      rates[kind].forEach((_, hero, column) => {
        column[hero] = sixDecimals(parts.reduce((sum, part) => sum + (part[kind][hero] ?? 0), 0) / length);
      });
    }
    return rates;
  }

  function memoize(store: Map<string, Rates>, key: string, compute: () => Rates): Rates {
    const stored = store.get(key);
    if (stored) return stored;
    const rates = compute();
    store.set(key, rates);
    return rates;
  }

  function daily(rank: number, date: number): Rates {
    return memoize(days, `${rank} ${date}`, () => computeDay(rank, date));
  }

  function over(rank: number, length: number): Rates {
    return memoize(windows, `${rank} ${length}`, () => computeWindow(rank, length));
  }

  return { daily, over };
}
