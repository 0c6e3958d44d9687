import { integer, maybe, real, text } from "./definition.ts";

export const SHARE = "share of 1";

export const APPEARANCE =
  "Share of all picks in the window that were this hero. It sums to about 1 over all heroes, so it is not the share of matches with the hero.";
/**
 * The unit of ban rates. In 393 days of the publisher's own list, those of all heroes sum to 5.4 to 10.2, and the highest was 1.65. A match
 * has up to ten bans.
 */
export const BANS = "bans per match";
export const BAN_RATE =
  "Bans of the hero for each match. Both teams may ban the same hero, so some rates are above 1. Over all heroes they summed to 5 to 10 in the publisher's list of a year, about as many as a match has bans. The upstream does not say how it counts.";

/** The description of a build's pick rate. */
export const PICKED = "Share of the hero's matches on the lane that were played with the build.";

/** Every column that is called `side`. */
export const SIDES = ["best", "worst"] as const;
export const SIDE = `One of: ${SIDES.join(", ")}. The hero does best, or worst, with or against these heroes.`;

/** Columns of views. */
export const RANK_COLUMN = text("Rank bracket.");
export const DAYS_COLUMN = integer("Window.", { unit: "days" });
export const HERO_ID = integer("Hero.");
export const ENGLISH_HERO = text("English name of the hero.");
export const OTHER_HERO_ID = integer("The other hero.");
export const ENGLISH_OTHER = text("English name of the other hero.");
export const WIN_RATE = real("Share of matches that the hero won.", { unit: SHARE });

export const share = (description: string) => real(description, { unit: SHARE });
export const bans = (description = BAN_RATE) => real(description, { unit: BANS });
export const maybeShare = (description: string) => maybe.real(description, { unit: SHARE });
