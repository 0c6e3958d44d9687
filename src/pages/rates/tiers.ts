import { calledIn, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

/** What the rule of tiers looks at; shares of 1. */
interface TierRate {
  win_rate: number;
  appearance_rate: number;
}

const MIDDLE = 0.5;

/** The pick rate at which a hero keeps half of its distance from the middle. */
const HALF_PICK_RATE = 0.0025;

/** The tiers, the highest first, with the least shrunk win rate of each. */
const TIERS = [
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

/** What the columns mean, and the rule of tiers with the first hero as an example. */
export function explainTiers([first]: readonly (NamedHero & TierRate)[], context: PageContext): Html | undefined {
  if (!first) return undefined;
  const { tiers: words } = context.messages.heroes;
  const { comma } = context.messages.frame;
  const { writePercent } = context.figures;
  const bounds = TIERS.slice(0, -1).map(({ tier, from }) => words.bound({ tier, from: writePercent(from, 0) }));
  const example = words.example({
    hero: html`<bdi>${calledIn(first)}</bdi>`,
    wins: writePercent(first.win_rate),
    picks: writePercent(first.appearance_rate),
    counts: writePercent(shrinkWinRate(first)),
    tier: tierOf(first),
  });
  return html`<details><summary>${words.numbers}</summary>
<p>${words.rates}</p>
<p>${words.rule({ half: writePercent(HALF_PICK_RATE) })} ${example} ${words.bounds({ bounds: bounds.join(comma) })}</p></details>`;
}
