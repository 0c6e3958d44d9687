import type { Lang } from "../../../api/enumerations.ts";
import { LANES, RANKS } from "../../../api/enumerations.ts";
import { batchTimestamp, type World } from "../numbers/calendar.ts";
import { hash, hexDigits, mix, pickFromRing, toFraction } from "../numbers/hash.ts";
import { caption, type Hero } from "../roster.ts";
import { EMBLEM_IDS, emblemData, TALENTS } from "./emblems.ts";
import { FINISHED_ITEMS } from "./equipment.ts";
import { SPELL_IDS, spellData } from "./spells.ts";

const TIMELINE_SOURCE = 2777027;
const BUILD_SOURCE = 2776688;
const BUILDS_PER_RECORD = 3;
const MINUTES = [10, 12, 14, 16, 18];

const ALL_RANKS = RANKS.findIndex(({ code }) => code === "all");

/** Some heroes are also played on a lane that is not theirs, but only all ranks together have enough matches. */
export function isPlayed({ id, lanes }: Hero, lane: number, rank: number): boolean {
  return lanes.includes(LANES[lane]?.id ?? "") || (rank === ALL_RANKS && hash(id, lane, 90) % 3 === 0);
}

function recordHead(world: World, hero: Hero, lane: number, rank: number, source: number) {
  const stamp = batchTimestamp(world.day, rank, source);
  return {
    _createdAt: stamp,
    _id: `6ab04375${hexDigits(16, hero.id, lane, rank, source)}`,
    _updatedAt: stamp,
    id: 5_616_000 + ((hero.id * LANES.length + lane) * RANKS.length + rank) * 2 + (source % 2),
    sourceId: source,
  };
}

const matchFields = (hero: Hero, lane: number, rank: number) => ({
  big_rank: RANKS[rank]?.bigrank,
  hero_name: caption(hero),
  heroid: hero.id,
  real_road: lane + 1,
});

/** A rate with all the digits of a double. */
const rate = (h: number, middle: number, spread: number) => middle + (toFraction(h) - 0.5) * spread;

export function timelineRecord(world: World, hero: Hero, lane: number, rank: number) {
  const salt = hash(world.seed, world.day, hero.id, lane, rank, 91);
  const total = rate(salt, 0.5, 0.1);
  return {
    ...recordHead(world, hero, lane, rank, TIMELINE_SOURCE),
    data: {
      ...matchFields(hero, lane, rank),
      time_win_rate: MINUTES.map((time_min, i) => ({
        time_max: time_min + 2,
        time_min,
        win_rate: rate(mix(salt, i), total, 0.08),
      })),
      total_win_rate: total,
    },
  };
}

function buildOf(salt: number, lang: Lang) {
  const first = mix(salt, 1) % FINISHED_ITEMS.length;
  const equipid = [0, 1 + (mix(salt, 2) % 20), 30 + (mix(salt, 3) % 20)].map((step) =>
    pickFromRing(FINISHED_ITEMS, first + step),
  );
  const tier = (wanted: number) => TALENTS.filter(([, tierOf]) => tierOf === wanted).map(([talent]) => talent);
  const [runeid, skillid] = [pickFromRing(EMBLEM_IDS, mix(salt, 4)), pickFromRing(SPELL_IDS, mix(salt, 5))];
  return {
    battleskill: { data: spellData(skillid, lang) },
    build_pick_rate: rate(mix(salt, 6), 0.05, 0.08),
    build_win_rate: rate(mix(salt, 7), 0.54, 0.1),
    emblem: { data: emblemData(runeid, lang) },
    equipid,
    new_rune_skill: [1, 2, 3].map((tierNumber) => pickFromRing(tier(tierNumber), mix(salt, 8 + tierNumber))),
    runeid,
    skillid,
  };
}

export function buildsRecord(world: World, hero: Hero, lane: number, rank: number, lang: Lang) {
  const salt = hash(world.seed, world.day, hero.id, lane, rank, 92);
  return {
    ...recordHead(world, hero, lane, rank, BUILD_SOURCE),
    data: {
      ...matchFields(hero, lane, rank),
      build: Array.from({ length: BUILDS_PER_RECORD }, (_, i) => buildOf(mix(salt, 100 + i), lang)),
    },
  };
}
