/**
 * Not the difference from the hero's own rate: against each other, the two values of a pair are the negatives of each other, also
 * if both heroes win more than half of their matches.
 */
export const INCREASE =
  "How much better (above 0) or worse (below 0) the hero does with or against the other hero than expected, as a difference of win rates. The upstream does not state what it expects. A hero with a low win rate may still lose most matches against a hero that it does better against.";
