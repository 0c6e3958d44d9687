import * as z from "zod";
import { emblem, spellTexts } from "./academy.ts";
import { batchMeta, heroId, rate } from "./common.ts";

/** `hero_name` is the publisher's own note, Chinese in every language. */
const played = { heroid: heroId, big_rank: z.string(), real_road: z.int(), hero_name: z.string().optional() };

export const timelineRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      ...played,
      time_win_rate: z.array(z.looseObject({ time_min: z.int(), time_max: z.int().optional(), win_rate: rate })),
      total_win_rate: rate.optional(),
    }),
  })
  .meta({ id: "HeroTimelineRecord", description: "A hero's win rate on a lane by the length of the match." });

const build = z.looseObject({
  equipid: z.array(z.int()),
  new_rune_skill: z.array(z.int()),
  runeid: z.int(),
  skillid: z.int(),
  build_pick_rate: rate,
  build_win_rate: rate,
  battleskill: z
    .looseObject({
      data: z.looseObject({
        __data: spellTexts.optional(),
        battleskillid: z.int().optional(),
        skillshortdesc: z.string().optional(),
      }),
    })
    .optional(),
  emblem: emblem.optional(),
});

export const buildsRecord = z
  .looseObject({ ...batchMeta, data: z.looseObject({ ...played, build: z.array(build) }) })
  .meta({
    id: "HeroBuildsRecord",
    description: "A hero's builds on a lane, with their rates.",
  });
