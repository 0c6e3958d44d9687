import { RANKS } from "../../../api/enumerations.ts";
import type { Hero } from "../roster.ts";
import { batchTimestamp, type World } from "./calendar.ts";
import { hash, hexDigits, mix } from "./hash.ts";
import { ACADEMY_WINDOW, type MatchType, pairingsOf } from "./pairings.ts";
import type { Rates } from "./rates.ts";

const SOURCE = 2777391;

/** All other heroes in arbitrary order, except one that has too few matches with this hero. */
export function academyPairingsRecord(
  world: World,
  { win, ban, appearance }: Rates,
  hero: Hero,
  rank: number,
  match: MatchType,
) {
  const salt = hash(hero.id, rank, Number(match), 80);
  const rare = 1 + (salt % world.heroes);
  const others = pairingsOf(world, { rank, window: ACADEMY_WINDOW, match }, hero.id)
    .filter(({ hero: other }) => other !== rare || world.heroes < 20)
    .map((pairing) => ({ ...pairing, place: mix(salt, pairing.hero) }))
    .sort((a, b) => a.place - b.place);
  const stamp = batchTimestamp(world.day, rank, 81);
  return {
    _createdAt: stamp,
    _id: `6ab05f94${hexDigits(16, hero.id, rank, Number(match), 82)}`,
    _updatedAt: stamp,
    data: {
      big_rank: RANKS[rank]?.bigrank,
      camp_type: match,
      // The publisher stores these as 32-bit floats, and it shows.
      main_hero_ban_rate: Math.fround(ban[hero.id] ?? 0),
      main_hero_pick_rate: Math.fround(appearance[hero.id] ?? 0),
      main_hero_win_rate: Math.fround(win[hero.id] ?? 0),
      main_heroid: hero.id,
      sub_hero: others.map(({ hero: heroid, delta }) => ({
        hero_win_rate: win[heroid] ?? 0,
        heroid,
        increase_win_rate: delta,
      })),
    },
    id: 2_307_000 + (hero.id * RANKS.length + rank) * 2 + Number(match),
    sourceId: SOURCE,
  };
}
