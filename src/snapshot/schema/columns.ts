import { integer, maybe, real, text } from "./definition.ts";

export const SHARE = "share of 1";

export const APPEARANCE =
  "Share of all picks in the window that were this hero. It sums to about 1 over all heroes, so it is not the share of matches with the hero.";
export const BAN_RATE =
  "Share of matches in which the hero was banned, as the upstream states it. Some rates are above 1: use them only to compare heroes.";

/** Every column that is called `side`. */
export const SIDES = ["best", "worst"] as const;
export const SIDE = `One of: ${SIDES.join(", ")}. The hero does best, or worst, with or against these heroes.`;

/** Columns of views. */
export const RANK_COLUMN = text("Rank bracket.");
export const DAYS_COLUMN = integer("Window.", { unit: "days" });
export const LANG_COLUMN = text("Language of the names.");
export const HERO_ID = integer("Hero.");
export const OTHER_HERO_ID = integer("The other hero.");
export const WIN_RATE = real("Share of matches that the hero won.", { unit: SHARE });

export const share = (description: string) => real(description, { unit: SHARE });
export const maybeShare = (description: string) => maybe.real(description, { unit: SHARE });
