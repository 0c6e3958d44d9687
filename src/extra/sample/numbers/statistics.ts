import { DAY_WINDOWS, RANKS } from "../../../api/enumerations.ts";
import { HEROES, type Hero } from "../roster.ts";
import { batchTimestamp, dateOf, type World } from "./calendar.ts";
import { hash, hexDigits, pickFromRing } from "./hash.ts";
import { type Batch, bestAndWorst, durationRates, type Pairing } from "./pairings.ts";
import type { RateSource, Rates } from "./rates.ts";

// The publisher has one source per window, here in the order of DAY_WINDOWS; trends have one per length in days.
const WINDOW_SOURCES = [2756567, 2756568, 2756569, 2756565, 2756570];
const TREND_SOURCES: Readonly<Record<string, number>> = { 7: 2674709, 15: 2687909, 30: 2690860 };

const ACADEMY_STATS_SOURCE = 2755183;
export const ACADEMY_TREND_SOURCES: Readonly<Record<string, number>> = { 7: 2755185, 15: 2755186, 30: 2755187 };

const PAIRINGS_SHOWN = 5;
const ONE_DAY = DAY_WINDOWS.indexOf("1");
const THIRTY_DAYS = DAY_WINDOWS.indexOf("30");

function heroAt(id: number): Hero {
  return pickFromRing(HEROES, id - 1);
}

function mainHero(hero: Hero, name: string, { win, ban, appearance }: Rates) {
  return {
    main_hero: { data: { head: hero.head, name } },
    main_hero_appearance_rate: appearance[hero.id] ?? 0,
    main_hero_ban_rate: ban[hero.id] ?? 0,
    main_hero_channel: { id: hero.channel },
    main_hero_win_rate: win[hero.id] ?? 0,
    main_heroid: hero.id,
  };
}

export function rankRecord(world: World, rates: Rates, hero: Hero, name: string, rank: number, window: number) {
  const { best } = bestAndWorst(world, { rank, window, match: "0" }, hero.id, PAIRINGS_SHOWN);
  const sub_hero = best.map(({ hero: id, delta }) => ({
    hero: { data: { head: heroAt(id).head } },
    hero_channel: { id: heroAt(id).channel },
    heroid: id,
    increase_win_rate: delta,
  }));
  return { data: { ...mainHero(hero, name, rates), sub_hero } };
}

// Seen in captures: the worst pairings have neither portrait nor channel over one day, no channel over thirty.
function pairingRecord(pairing: Pairing, index: number, { win, appearance }: Rates, window: number, worst: boolean) {
  const { head, channel } = heroAt(pairing.hero);
  const rates = {
    hero_appearance_rate: appearance[pairing.hero] ?? 0,
    hero_index: index + 1,
    hero_win_rate: win[pairing.hero] ?? 0,
    heroid: pairing.hero,
    increase_win_rate: pairing.delta,
    ...durationRates(pairing, window),
  };
  if (worst && window === ONE_DAY) return rates;
  const hero = { data: { head } };
  if (worst && window === THIRTY_DAYS) return { hero, ...rates };
  return { hero, hero_channel: { id: channel }, ...rates };
}

/** The record of counters (match "0"), of compatibility ("1") and of stats ("1" over one day). */
export function pairingsRecord(world: World, rates: Rates, hero: Hero, name: string, batch: Batch) {
  const { rank, window, match } = batch;
  const { best, worst } = bestAndWorst(world, batch, hero.id, PAIRINGS_SHOWN);
  const matchType = Number(match);
  return {
    _createdAt: 1724837698334,
    _id: `66ceef42${hexDigits(16, hero.id, rank, window, matchType)}`,
    _updatedAt: batchTimestamp(world.day, rank, window),
    data: {
      bigrank: RANKS[rank]?.bigrank,
      camp_type: match,
      ...mainHero(hero, name, rates),
      match_type: match,
      sub_hero: best.map((pairing, i) => pairingRecord(pairing, i, rates, window, false)),
      sub_hero_last: worst.map((pairing, i) => pairingRecord(pairing, i, rates, window, true)),
    },
    id: 102_000 + ((hero.id * RANKS.length + rank) * DAY_WINDOWS.length + window) * 2 + matchType,
    sourceId: WINDOW_SOURCES[window],
  };
}

/** The same as stats, with name and portraits one level deeper and without channels. */
export function academyStatsRecord(world: World, rates: Rates, hero: Hero, name: string, rank: number) {
  const { main_hero_channel: _, main_hero, ...main } = mainHero(hero, name, rates);
  const batch: Batch = { rank, window: ONE_DAY, match: "1" };
  const { best, worst } = bestAndWorst(world, batch, hero.id, PAIRINGS_SHOWN);
  const sub_hero = best.map((pairing, i) => {
    const hero = { data: { hero: { data: { head: heroAt(pairing.hero).head } } } };
    return { hero, ...pairingRecord(pairing, i, rates, ONE_DAY, true) };
  });
  return {
    _createdAt: 1725607499154,
    _id: `66daae4b${hexDigits(16, hero.id, rank, 83)}`,
    _updatedAt: batchTimestamp(world.day, rank, 84),
    data: {
      bigrank: RANKS[rank]?.bigrank,
      camp_type: "1",
      main_hero: { data: { hero: main_hero } },
      ...main,
      match_type: "1",
      sub_hero,
      sub_hero_last: worst.map((pairing, i) => pairingRecord(pairing, i, rates, ONE_DAY, true)),
    },
    id: 102_800 + hero.id * RANKS.length + rank,
    sourceId: ACADEMY_STATS_SOURCE,
  };
}

export function trendRecord(
  world: World,
  rates: RateSource,
  hero: Hero,
  rank: number,
  length: number,
  sources = TREND_SOURCES,
) {
  const win_rate = Array.from({ length }, (_, back) => {
    const { win, ban, appearance } = rates.daily(rank, world.day - back);
    return {
      app_rate: appearance[hero.id] ?? 0,
      ban_rate: ban[hero.id] ?? 0,
      date: dateOf(world.day - back),
      win_rate: win[hero.id] ?? 0,
    };
  });
  return {
    _createdAt: 1719822297335,
    _id: `668267db${hexDigits(16, hero.id, rank, length)}`,
    _updatedAt: batchTimestamp(world.day, rank, length, hash(length)),
    data: { bigrank: RANKS[rank]?.bigrank, camp_type: "1", main_heroid: hero.id, match_type: "1", win_rate },
    id: 120_000 + (hero.id * RANKS.length + rank) * 31 + length,
    sourceId: sources[length],
  };
}
