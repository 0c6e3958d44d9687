import type { Lang } from "../../api/enumerations.ts";
import { LANES, RANKS } from "../../api/enumerations.ts";
import { batchStamp, type World } from "../numbers/calendar.ts";
import { hash, hex, mix, pick, unit } from "../numbers/hash.ts";
import { caption, type Hero } from "../roster.ts";
import { EMBLEM_IDS, emblemData, TALENTS } from "./emblems.ts";
import { WHOLE_ITEMS } from "./equipment.ts";
import { SPELL_IDS, spellData } from "./spells.ts";

const TIMELINE_SOURCE = 2777027;
const BUILD_SOURCE = 2776688;
const BUILDS = 3;
const MINUTES = [10, 12, 14, 16, 18];

const ALL_RANKS = RANKS.findIndex(({ code }) => code === "all");

/** Some are played on other lanes than their own, but only over all ranks often enough to tell. */
export function isPlayed({ id, lanes }: Hero, lane: number, rank: number): boolean {
  return lanes.includes(LANES[lane]?.id ?? "") || (rank === ALL_RANKS && hash(id, lane, 90) % 3 === 0);
}

function head(world: World, hero: Hero, lane: number, rank: number, source: number) {
  const stamp = batchStamp(world.day, rank, source);
  return {
    _createdAt: stamp,
    _id: `6ab04375${hex(16, hero.id, lane, rank, source)}`,
    _updatedAt: stamp,
    id: 5_616_000 + ((hero.id * LANES.length + lane) * RANKS.length + rank) * 2 + (source % 2),
    sourceId: source,
  };
}

const played = (hero: Hero, lane: number, rank: number) => ({
  big_rank: RANKS[rank]?.bigrank,
  hero_name: caption(hero),
  heroid: hero.id,
  real_road: lane + 1,
});

/** A rate with all the digits of a double. */
const rate = (h: number, middle: number, spread: number) => middle + (unit(h) - 0.5) * spread;

export function timelineRecord(world: World, hero: Hero, lane: number, rank: number) {
  const salt = hash(world.seed, world.day, hero.id, lane, rank, 91);
  const total = rate(salt, 0.5, 0.1);
  return {
    ...head(world, hero, lane, rank, TIMELINE_SOURCE),
    data: {
      ...played(hero, lane, rank),
      time_win_rate: MINUTES.map((time_min, i) => ({
        time_max: time_min + 2,
        time_min,
        win_rate: rate(mix(salt, i), total, 0.08),
      })),
      total_win_rate: total,
    },
  };
}

function build(salt: number, lang: Lang) {
  const first = mix(salt, 1) % WHOLE_ITEMS.length;
  const equipid = [0, 1 + (mix(salt, 2) % 20), 30 + (mix(salt, 3) % 20)].map((step) => pick(WHOLE_ITEMS, first + step));
  const tier = (wanted: number) => TALENTS.filter(([, tierOf]) => tierOf === wanted).map(([talent]) => talent);
  const [runeid, skillid] = [pick(EMBLEM_IDS, mix(salt, 4)), pick(SPELL_IDS, mix(salt, 5))];
  return {
    battleskill: { data: spellData(skillid, lang) },
    build_pick_rate: rate(mix(salt, 6), 0.05, 0.08),
    build_win_rate: rate(mix(salt, 7), 0.54, 0.1),
    emblem: { data: emblemData(runeid, lang) },
    equipid,
    new_rune_skill: [1, 2, 3].map((place) => pick(tier(place), mix(salt, 8 + place))),
    runeid,
    skillid,
  };
}

export function buildsRecord(world: World, hero: Hero, lane: number, rank: number, lang: Lang) {
  const salt = hash(world.seed, world.day, hero.id, lane, rank, 92);
  return {
    ...head(world, hero, lane, rank, BUILD_SOURCE),
    data: {
      ...played(hero, lane, rank),
      build: Array.from({ length: BUILDS }, (_, i) => build(mix(salt, 100 + i), lang)),
    },
  };
}
