import type { Path } from "../body/path.ts";

/** The parameter in a path: a hero by id or name, an integer, or a word that a list of the service names. */
export type PathParameter = { name: string; description: string } & (
  | { kind: "hero"; list: string; id: Path; called: Path }
  | { kind: "integer"; minimum: number; maximum: number }
  | WordParameter
);

/** Every word selects a slice of its own. */
export interface WordParameter {
  kind: "word";
  /** The number of characters that all words seen so far have. A word that the list names is valid whatever its length. */
  length: number;
  /** The dataset that names the words, and their path in its records. */
  list: string;
  at: Path;
}

export const HERO_IDENTIFIER = {
  name: "hero_identifier",
  kind: "hero",
  list: "heroes",
  id: "data.hero_id",
  called: "data.hero.data.name",
  description: "Id or name of a hero. Case, spaces and punctuation of the name do not matter.",
} as const satisfies PathParameter;

export const RANK_ID: PathParameter = {
  name: "rank_id",
  kind: "integer",
  minimum: 1,
  maximum: 9999,
  description: "Rank number of the game. Each rank has a range of numbers.",
};

export const SUBJECT: PathParameter = {
  name: "subject",
  kind: "word",
  length: 7,
  list: "ratings",
  at: "list[].subject",
  description: "Number of a vote, as in /api/academy/heroes/ratings.",
};
