import * as z from "zod";
import { url } from "./common.ts";

/** Numbers go on while people vote; `score` is a text. */
const candidate = z.looseObject({
  object: z.string(),
  title: z.string(),
  image: url.optional(),
  image_big: url.optional(),
  channel: z.array(z.int()).optional(),
  score: z.string(),
  score_total: z.int().optional(),
  score_count: z.int().optional(),
  hot_comment: z.string().optional(),
});

export const ratingsRecord = z
  .looseObject({
    total: z.int().nonnegative(),
    has_more: z.boolean().optional(),
    list: z.array(
      z.looseObject({
        subject: z.int(),
        title: z.string(),
        desc: z.string().optional(),
        comment_count: z.int().optional(),
        ranking: z.array(candidate).optional(),
      }),
    ),
  })
  .meta({ id: "RatingList", description: "Votes on heroes with their leading candidates." });

export const ratingRecord = z
  .looseObject({
    total: z.int().nonnegative(),
    list: z.array(candidate),
    subject: z.looseObject({ id: z.string(), title: z.string(), desc: z.string().optional() }),
  })
  .meta({ id: "Rating", description: "A vote with the scores of all candidates." });
