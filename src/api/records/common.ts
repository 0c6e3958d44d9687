import * as z from "zod";

// The documented shapes, for readers and for the OpenAPI document. Unknown fields are kept, and fields that the service leaves out at times
// (url, painting, hero and others) are optional. No answer is judged by a shape: what a record must have is in needed-fields.ts. Rates
// carry no upper bound: ban rates above 1 have been published.

export const rate = z.number();
export const url = z.string();
export const heroId = z.int().positive();
export const stamp = z.int().meta({ description: "Epoch milliseconds." });

/** The fields that the publisher's content store adds to a record. Captions and user names are its internal notes. */
export const contentMeta = {
  _id: z.string().optional(),
  id: z.int().optional(),
  caption: z.string().optional(),
  configId: z.int().optional(),
  createdAt: stamp.optional(),
  updatedAt: stamp.optional(),
  createdUser: z.string().optional(),
  updatedUser: z.string().optional(),
  linkId: z.array(z.int()).optional(),
  sort: z.int().optional(),
};

/** The fields that the publisher's statistics store adds; `_updatedAt` is the stamp of the batch. */
export const batchMeta = {
  _id: z.string().optional(),
  _createdAt: stamp.optional(),
  _updatedAt: stamp.optional(),
  id: z.int().optional(),
  sourceId: z.int().optional(),
};

const lane = z.looseObject({
  ...contentMeta,
  data: z.looseObject({ road_sort_id: z.string(), road_sort_title: z.string(), road_sort_icon: url.optional() }),
});
const role = z.looseObject({
  ...contentMeta,
  data: z.looseObject({ sort_id: z.string(), sort_title: z.string(), sort_icon: url.optional() }),
});

/** Lanes and roles stand in arrays with empty strings as padding. */
export const lanes = z.array(z.union([lane, z.literal("")]));
export const roles = z.array(z.union([role, z.literal("")]));

const targets = z.looseObject({
  target_hero_id: z.array(z.int()).meta({ description: "Hero ids. 0 is padding." }),
});
export const relation = z.looseObject({ assist: targets, strong: targets, weak: targets });

export const heroPortrait = z.looseObject({ data: z.looseObject({ head: url }) });
export const channel = z.looseObject({ id: z.int() });
/** The hero that a statistics record is about; its name is the only text in it. */
export const mainHero = z.looseObject({ data: z.looseObject({ head: url.optional(), name: z.string() }) });
/** A record inside another one. */
export const nested = <T extends z.ZodType>(inner: T) => z.looseObject({ data: z.looseObject({ hero: inner }) });
