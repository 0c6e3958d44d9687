import type * as z from "zod";
import type { ratingsRecord } from "./records/ratings.ts";

/** What a path names: a hero by id or name, a whole number, or one of the words that a list of the service names. */
export type PathParameter = { name: string; description: string } & (
  | { kind: "hero" }
  | { kind: "integer"; minimum: number; maximum: number }
  | WordParameter
);

/** Every word selects a slice of its own. */
export interface WordParameter {
  kind: "word";
  length: number;
  /** The dataset that names the words, and where its records do. */
  list: string;
  read: (record: unknown) => string[];
}

export const HERO: PathParameter = {
  name: "hero_identifier",
  kind: "hero",
  description: "A hero's id, or a hero's name in any case, with or without spaces and punctuation.",
};

export const RANK_ID: PathParameter = {
  name: "rank_id",
  kind: "integer",
  minimum: 1,
  maximum: 9999,
  description: "A number of the game's own count of ranks; each rank holds a range of them.",
};

export const SUBJECT: PathParameter = {
  name: "subject",
  kind: "word",
  length: 7,
  list: "ratings",
  read: (record) => (record as z.infer<typeof ratingsRecord>).list.map(({ subject }) => String(subject)),
  description: "Number of a vote, from the list of ratings.",
};
