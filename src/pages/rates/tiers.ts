/** What the rule of tiers looks at; shares of 1. */
export interface TierRate {
  win_rate: number;
  appearance_rate: number;
}

const MIDDLE = 0.5;

/** The pick rate at which a hero keeps half of its distance from the middle. */
export const HALF_PICK_RATE = 0.0025;

/** The tiers, the highest first, with the least shrunk win rate of each. */
export const TIERS = [
  { tier: "S", from: 0.53 },
  { tier: "A", from: 0.51 },
  { tier: "B", from: 0.49 },
  { tier: "C", from: 0.47 },
  { tier: "D", from: 0 },
] as const;

export type Tier = (typeof TIERS)[number]["tier"];

/**
 * The win rate, nearer to 50 % the less a hero is picked. The data does not say how many matches a rate comes from: a hero that
 * is seldom picked may stand far from the middle by chance.
 */
export const shrinkWinRate = ({ win_rate, appearance_rate }: TierRate): number =>
  MIDDLE + (win_rate - MIDDLE) * (appearance_rate / (appearance_rate + HALF_PICK_RATE));

export function tierOf(rate: TierRate): Tier {
  const shrunk = shrinkWinRate(rate);
  return TIERS.find(({ from }) => shrunk >= from)?.tier ?? "D";
}
