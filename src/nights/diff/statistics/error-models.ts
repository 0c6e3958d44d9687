/** The rates of the rank list, each with the smallest change within one day that is worth reporting. */
export const MIN_DAILY_CHANGE = { win_rate: 0.005, ban_rate: 0.01, appearance_rate: 0.001 } as const;

export type Rate = keyof typeof MIN_DAILY_CHANGE;
export const RATE_NAMES = Object.keys(MIN_DAILY_CHANGE) as Rate[];

/** Shares have six decimal digits. */
const MIN_SHARE = 1e-6;

/**
 * Relative standard errors of a change, which make the changes of heroes comparable, by two models. The number of
 * matches is unknown, but not how often each hero is played. Sampling: the error of a win rate is proportional to 1 /
 * √(share of picks), that of the other rates, which are shares themselves, to √share. Popularity: a win rate drifts
 * equally for all heroes, a share in proportion to itself.
 */
export function relativeErrors(rate: Rate, before: number, after: number, pickShare: number): number[] {
  if (rate === "win_rate") return [1 / Math.sqrt(Math.max(pickShare, MIN_SHARE)), 1];
  const share = Math.max((before + after) / 2, MIN_SHARE);
  return [Math.sqrt(share), share];
}
