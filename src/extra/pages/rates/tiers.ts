import { HALF_PICK_RATE, TIERS } from "../../../snapshot/schema/views/tiers.ts";
import { calledIn } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

/** A row of the view `tier_list`. */
export interface ListedHero {
  hero_id: number;
  place: number;
  tier: string;
  score: number;
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

/** What the columns mean, and the rule of tiers with the first hero as an example. */
export function explainTiers([first]: readonly ListedHero[], context: PageContext): Html | undefined {
  if (!first) return undefined;
  const { tiers: words } = context.messages.heroes;
  const { comma } = context.messages.frame;
  const { writePercent } = context.figures;
  const bounds = TIERS.map(({ tier, from }) => words.bound({ tier, from: writePercent(from, 0) }));
  const example = words.example({
    hero: html`<bdi>${calledIn(first.hero_id, context)}</bdi>`,
    wins: writePercent(first.win_rate),
    picks: writePercent(first.appearance_rate),
    counts: writePercent(first.score),
    tier: first.tier,
  });
  return html`<details><summary>${words.numbers}</summary>
<p>${words.rates}</p>
<p>${words.rule({ half: writePercent(HALF_PICK_RATE) })} ${example} ${words.bounds({ bounds: bounds.join(comma) })}</p></details>`;
}
