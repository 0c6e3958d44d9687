/** The rates of the rank list, and the smallest change of each that a player would notice, in any window. */
export const LEAST_CHANGE = { win_rate: 0.005, ban_rate: 0.01, appearance_rate: 0.001 } as const;

/** The smallest such change of what a hero gains against another. */
export const LEAST_MATCHUP_CHANGE = 0.005;

export type Rate = keyof typeof LEAST_CHANGE;
export const RATE_NAMES = Object.keys(LEAST_CHANGE) as Rate[];

/** Shares have six decimal digits. */
const MIN_SHARE = 1e-6;

/**
 * Relative standard errors of a change, which make the changes of heroes comparable, by two models. The number of
 * matches is unknown, but not how often each hero is played. Sampling: the error of a win rate is proportional to 1 /
 * √(share of picks), that of the other rates, which are shares themselves, to √share. Popularity: a win rate drifts
 * equally for all heroes, a share in proportion to itself.
 */
export function relativeErrors(rate: Rate, before: number, after: number, pickShare: number): number[] {
  if (rate === "win_rate") return winErrors(pickShare);
  const share = Math.max((before + after) / 2, MIN_SHARE);
  return [Math.sqrt(share), share];
}

/** Opponents are drawn into a match without regard to each other, so they meet in proportion to both shares. */
export const winErrors = (...pickShares: readonly number[]): number[] => [
  1 / Math.sqrt(pickShares.reduce((product, share) => product * Math.max(share, MIN_SHARE), 1)),
  1,
];
