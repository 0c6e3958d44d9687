import * as z from "zod";
import { batchMeta, channel, heroId, mainHero, portrait, rate } from "./common.ts";

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
          increase_win_rate: rate,
          hero: portrait.optional(),
          hero_channel: channel.optional(),
        }),
      ),
    }),
  })
  .meta({ id: "HeroRankRecord", description: "A hero's pick, ban and win rate in one rank and window." });

const pairing = z.looseObject({
  heroid: heroId,
  increase_win_rate: rate,
  hero_win_rate: rate.optional(),
  hero_appearance_rate: rate.optional(),
  hero_index: z.int().optional(),
  hero: portrait.optional(),
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
});

/** One shape for stats, counters and compatibility; `match_type` "0" are opponents, "1" team mates. */
export const pairingRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      bigrank: z.string().optional(),
      camp_type: z.string().optional(),
      match_type: z.string().optional(),
      main_hero: mainHero,
      main_hero_channel: channel.optional(),
      main_heroid: heroId,
      main_hero_appearance_rate: rate.optional(),
      main_hero_ban_rate: rate.optional(),
      main_hero_win_rate: rate,
      sub_hero: z.array(pairing),
      sub_hero_last: z.array(pairing),
    }),
  })
  .meta({ id: "HeroPairingRecord", description: "A hero's rates and the heroes it does best and worst with." });

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
