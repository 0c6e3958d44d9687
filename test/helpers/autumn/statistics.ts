import { RANKS, type Rank } from "../../../src/api/enumerations.ts";
import { hash, rate, upTo } from "./draws.ts";
import { type Asked, channelOf, dateOf, type Game, gainOf, knownHeroes, oldStamp, ratesOf, stampOf } from "./game.ts";
import { heroName, picture } from "./texts.ts";

type Side = "against" | "beside";

const bigrankOf = (rank: Rank) => RANKS.find(({ code }) => code === rank)?.bigrank;

function mainHero(game: Game, { rank, days, lang }: Asked, hero: number) {
  const { win, ban, appearance } = ratesOf(game, rank, days, hero);
  return {
    main_hero: { data: { head: picture("head", hero), name: heroName(hero, lang) } },
    main_hero_appearance_rate: appearance,
    main_hero_ban_rate: ban,
    main_hero_channel: { id: channelOf(hero) },
    main_hero_win_rate: win,
    main_heroid: hero,
  };
}

/** The other heroes, the best first. */
function othersOf(game: Game, side: Side, { rank, days }: Asked, hero: number) {
  const others = knownHeroes(game).filter((id) => id !== hero);
  const gained = others.map((id) => ({ id, gain: gainOf(game, side, rank, days, hero, id) }));
  return gained.sort((a, b) => b.gain - a.gain || a.id - b.id);
}

const MINUTES = ["6", "6_8", "8_10", "10_12", "12_14", "14_16", "16_18", "18_20", "20"];

function pairing(game: Game, { rank, days }: Asked, hero: number, { id, gain }: { id: number; gain: number }) {
  const { win, appearance } = ratesOf(game, rank, days, id);
  const byLength = MINUTES.map((minutes) => [
    `min_win_rate${minutes}`,
    rate(0.4, 0.6, game.day, rank, days, hero, id, minutes),
  ]);
  return {
    hero_appearance_rate: appearance,
    hero_win_rate: win,
    heroid: id,
    increase_win_rate: gain,
    ...Object.fromEntries(byLength),
  };
}

/** Half of the others are the best, at most five, and as many the worst; only the best are shown with a portrait. */
function pairings(game: Game, side: Side, asked: Asked, hero: number, show: (other: number) => object) {
  const others = othersOf(game, side, asked, hero);
  const shown = Math.min(5, Math.floor(others.length / 2));
  const made = (list: typeof others) =>
    list.map((other, place) => ({ hero_index: place + 1, ...pairing(game, asked, hero, other) }));
  return {
    sub_hero: made(others.slice(0, shown)).map((one) => ({ ...show(one.heroid), ...one })),
    sub_hero_last: made(others.slice(others.length - shown).reverse()),
  };
}

const portrait = (hero: number) => ({ data: { head: picture("head", hero) } });

function batch(kind: string, { rank, days }: Asked, hero: number, made: number) {
  return {
    _createdAt: oldStamp(kind),
    _id: hash(kind, rank, days, hero).toString(16).padStart(24, "0"),
    _updatedAt: made,
    id: 100_000 + (hash(kind, rank, days) % 1000) * 100 + hero,
    sourceId: 2_756_560 + (hash(kind, days) % 10),
  };
}

/** Of counters and compatibility, and of stats, which are those of one day. */
export function pairingRecord(game: Game, asked: Asked, hero: number, side: Side) {
  const match_type = side === "against" ? "0" : "1";
  return {
    ...batch(side, asked, hero, stampOf(game, asked.rank, asked.days)),
    data: {
      bigrank: bigrankOf(asked.rank),
      camp_type: match_type,
      ...mainHero(game, asked, hero),
      match_type,
      ...pairings(game, side, asked, hero, (other) => ({
        hero: portrait(other),
        hero_channel: { id: channelOf(other) },
      })),
    },
  };
}

export function academyStatsRecord(game: Game, asked: Asked, hero: number) {
  const { main_hero, main_hero_channel: _, ...rates } = mainHero(game, asked, hero);
  return {
    ...batch("academy", asked, hero, stampOf(game, "academy", asked.rank)),
    data: {
      bigrank: bigrankOf(asked.rank),
      camp_type: "1",
      main_hero: { data: { hero: main_hero } },
      ...rates,
      match_type: "1",
      ...pairings(game, "beside", asked, hero, (other) => ({ hero: { data: { hero: portrait(other) } } })),
    },
  };
}

/** All heroes, the one who wins most first. */
export function rankRecords(game: Game, asked: Asked) {
  const wins = (hero: number) => ratesOf(game, asked.rank, asked.days, hero).win;
  const heroes = knownHeroes(game).sort((a, b) => wins(b) - wins(a) || a - b);
  return heroes.map((hero) => {
    const sub_hero = othersOf(game, "against", asked, hero)
      .slice(0, 5)
      .map(({ id, gain }) => ({
        hero: portrait(id),
        hero_channel: { id: channelOf(id) },
        heroid: id,
        increase_win_rate: gain,
      }));
    return { data: { ...mainHero(game, asked, hero), sub_hero } };
  });
}

export function matrixRecord(game: Game, asked: Asked, hero: number, side: Side) {
  const { win, ban, appearance } = ratesOf(game, asked.rank, "academy", hero);
  const others = othersOf(game, side, { ...asked, days: "academy" }, hero);
  return {
    ...batch(`all ${side}`, asked, hero, stampOf(game, "matrix", asked.rank)),
    data: {
      big_rank: bigrankOf(asked.rank),
      camp_type: side === "against" ? "0" : "1",
      main_hero_ban_rate: Math.fround(ban),
      main_hero_pick_rate: Math.fround(appearance),
      main_hero_win_rate: Math.fround(win),
      main_heroid: hero,
      sub_hero: others.map(({ id, gain }) => ({
        hero_win_rate: ratesOf(game, asked.rank, "academy", id).win,
        heroid: id,
        increase_win_rate: gain,
      })),
    },
  };
}

/** The rates of each day, newest first; the last day that is over is that before the night. */
export function trendRecord(game: Game, asked: Asked, hero: number) {
  const win_rate = upTo(Number(asked.days)).map((back) => {
    const { win, ban, appearance } = ratesOf({ ...game, day: game.day - back + 1 }, asked.rank, "1", hero);
    return { app_rate: appearance, ban_rate: ban, date: dateOf(game.day - back), win_rate: win };
  });
  const data = {
    bigrank: bigrankOf(asked.rank),
    camp_type: "1",
    main_heroid: hero,
    match_type: "1",
    win_rate,
  };
  return { ...batch(asked.dataset, asked, hero, stampOf(game, asked.dataset, asked.rank)), data };
}
