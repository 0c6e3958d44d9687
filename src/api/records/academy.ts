import * as z from "zod";
import { heroId, lanes, stamp, url } from "./common.ts";

export const versionRecord = z
  .looseObject({
    id: z.int(),
    uin: z.string().optional(),
    createdAt: stamp,
    updatedAt: stamp.optional(),
    data: z.looseObject({ game_version: z.string() }),
    form: z.looseObject({ id: z.int() }).optional(),
    vote_all: z.looseObject({ target: z.string(), vote: z.looseObject({ id: z.int() }) }).optional(),
  })
  .meta({ id: "GameVersionRecord", description: "A version of the game." });

export const catalogRecord = z
  .looseObject({
    data: z.looseObject({
      head: url.optional(),
      head_big: url.optional(),
      painting: url.optional(),
      hero_id: heroId,
      hero: z.looseObject({ data: z.looseObject({ name: z.string(), roadsort: lanes }) }),
    }),
  })
  .meta({ id: "HeroCatalogRecord", description: "A hero in the catalogue: name, pictures, lanes." });
