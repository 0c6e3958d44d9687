/** The rates of the rank list, with the smallest change of one day that matters. */
export const RATES = { win_rate: 0.005, ban_rate: 0.01, appearance_rate: 0.001 } as const;

export type Rate = keyof typeof RATES;
export const RATE_NAMES = Object.keys(RATES) as Rate[];

/** Shares come with six digits. */
const RAREST = 1e-6;

/**
 * What makes the changes of heroes comparable. How many matches there were is unknown, but not how they are shared out. By
 * the law of counting, the chance error of a win rate goes with 1 / √(how often the hero is played), that of the other
 * two, shares of all matches and of all picks, with the root of the share. But what people like changes as well: by that
 * law a win rate moves alike for all, and a share by a part of itself.
 */
export function errorsOf(rate: Rate, before: number, after: number, played: number): number[] {
  if (rate === "win_rate") return [1 / Math.sqrt(Math.max(played, RAREST)), 1];
  const share = Math.max((before + after) / 2, RAREST);
  return [Math.sqrt(share), share];
}
