import { scatter } from "../charts/scatter.ts";
import { type DotKind, dotShape, shapeKey } from "../charts/shapes.ts";
import { addressOn } from "../facts.ts";
import { nameIn } from "../format.ts";
import { calledIn } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { RatesOfHero } from "../report.ts";

/** Plots the win rate against how often a hero is picked, and banned. */
export function scatters(heroes: readonly RatesOfHero[], context: PageContext): Html {
  const { facts, lang, messages } = context;
  const { tiers, charts: words } = messages.heroes;
  const { winRate, pickRate, banRate } = messages.frame.rates;
  const shown = heroes.map((hero) => {
    const shape = dotShape(facts.roster.get(hero.hero_id)?.role ?? null);
    const kind = facts.roles.find(({ value }) => value === shape)?.label ?? words.noRole;
    return { hero, shape, kind, address: addressOn(context, `/heroes/${hero.hero_id}`) };
  });
  const against = (title: string, xName: string, pick: (hero: RatesOfHero) => number) =>
    scatter(context, {
      title,
      xName,
      yName: winRate,
      dots: shown.map(({ hero, ...dot }) => ({
        ...dot,
        name: calledIn(hero.hero_id, context),
        x: pick(hero),
        y: hero.win_rate,
      })),
    });
  const kinds = new Map(
    shown.map(({ shape, kind }): [string, DotKind] => [
      shape,
      { code: shape, word: shape === "other" ? html`${kind}` : nameIn(lang, kind) },
    ]),
  );
  return html`<details class="drawn"><summary>${tiers.drawn}</summary>${shapeKey(words.firstRole, [...kinds.values()])}<div class="pair">${against(
    tiers.winAndPick,
    pickRate,
    (hero) => hero.appearance_rate,
  )}${against(tiers.winAndBan, banRate, (hero) => hero.ban_rate)}</div></details>`;
}
