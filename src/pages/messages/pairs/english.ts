/** What the pages say of two heroes, against each other or in one team. */
export const PAIRS_ENGLISH = {
  points:
    "Points are percentage points of win rate: how much better (+) or worse (−) a hero does against, or with, another hero than expected. They do not say who wins: a hero with a low win rate may still lose most matches against a hero that it does better against. The upstream states neither what it expects nor the number of matches.",
};
