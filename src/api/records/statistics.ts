import * as z from "zod";
import { INCREASE } from "../matchup-points.ts";
import { batchMeta, channel, heroId, heroPortrait, mainHero, nested, rate } from "./common.ts";

const increase = rate.meta({ description: INCREASE });

export const rankRecord = z
  .looseObject({
    data: z.looseObject({
      main_hero: mainHero,
      main_hero_channel: channel.optional(),
      main_heroid: heroId,
      main_hero_appearance_rate: rate,
      main_hero_ban_rate: rate,
      main_hero_win_rate: rate,
      sub_hero: z.array(
        z.looseObject({
          heroid: heroId,
          increase_win_rate: increase,
          hero: heroPortrait.optional(),
          hero_channel: channel.optional(),
        }),
      ),
    }),
  })
  .meta({ id: "HeroRankRecord", description: "A hero's pick, ban and win rate in one rank and window." });

const pairing = {
  heroid: heroId,
  increase_win_rate: increase,
  hero_win_rate: rate.optional(),
  hero_appearance_rate: rate.optional(),
  hero_index: z.int().optional(),
  hero_channel: channel.optional(),
  min_win_rate6: rate.optional(),
  min_win_rate6_8: rate.optional(),
  min_win_rate8_10: rate.optional(),
  min_win_rate10_12: rate.optional(),
  min_win_rate12_14: rate.optional(),
  min_win_rate14_16: rate.optional(),
  min_win_rate16_18: rate.optional(),
  min_win_rate18_20: rate.optional(),
  min_win_rate20: rate.optional(),
};
const pairings = z.array(z.looseObject({ ...pairing, hero: heroPortrait.optional() }));
const nestedPairings = z.array(z.looseObject({ ...pairing, hero: nested(heroPortrait).optional() }));

const batchHead = {
  bigrank: z.string().optional(),
  camp_type: z.string().optional(),
  match_type: z.string().optional(),
  main_hero_channel: channel.optional(),
  main_heroid: heroId,
  main_hero_appearance_rate: rate.optional(),
  main_hero_ban_rate: rate.optional(),
  main_hero_win_rate: rate,
};

/** One shape for stats, counters and compatibility; `match_type` "0" are opponents, "1" team mates. */
export const pairingRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({ ...batchHead, main_hero: mainHero, sub_hero: pairings, sub_hero_last: pairings }),
  })
  .meta({
    id: "HeroPairingRecord",
    description: "A hero's rates, with the heroes with or against which it does best and worst.",
  });

/** The record of the academy, in which a hero's name and portraits lie one level deeper. */
export const academyStatsRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      ...batchHead,
      main_hero: nested(mainHero),
      sub_hero: nestedPairings,
      sub_hero_last: nestedPairings,
    }),
  })
  .meta({ id: "AcademyStatsRecord", description: "A hero's rates, with the best and worst team mates." });

/** Every other hero, in no order; `camp_type` "0" are opponents, "1" team mates. */
export const matrixRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      big_rank: z.string(),
      camp_type: z.string(),
      main_heroid: heroId,
      main_hero_win_rate: rate,
      main_hero_ban_rate: rate.optional(),
      main_hero_pick_rate: rate.optional(),
      sub_hero: z.array(z.looseObject({ heroid: heroId, hero_win_rate: rate.optional(), increase_win_rate: increase })),
    }),
  })
  .meta({ id: "HeroMatrixRecord", description: "How a hero does with or against each other hero." });

export const trendRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      main_heroid: heroId,
      bigrank: z.string().optional(),
      camp_type: z.string().optional(),
      match_type: z.string().optional(),
      win_rate: z.array(z.looseObject({ date: z.iso.date(), app_rate: rate, ban_rate: rate, win_rate: rate })),
    }),
  })
  .meta({ id: "HeroTrendRecord", description: "Daily rates of one hero, newest day first." });
