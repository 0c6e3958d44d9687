import { movesOf } from "../changes/since.ts";
import { addressOn, heroesChoice, stateWords } from "../facts.ts";
import { count, percent } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

/** How a hero stands in a rank and window. */
export interface Standing {
  win_rate: number;
  appearance_rate: number;
  ban_rate: number;
  /** By win rate, 1 for the highest; heroes with the same rate share a place. */
  place: number;
  /** Heroes with rates. */
  heroes: number;
}

const STANDING = `
  SELECT win_rate, appearance_rate, ban_rate,
         (SELECT count(*) FROM hero_rate AS other WHERE other.rank = @rank AND other.days = @days AND other.win_rate > rate.win_rate) + 1 AS place,
         (SELECT count(*) FROM hero_rate AS other WHERE other.rank = @rank AND other.days = @days) AS heroes
  FROM hero_rate AS rate WHERE hero_id = @id AND rank = @rank AND days = @days`;

/** Undefined if the snapshot has no rates of the hero in the rank and window of the page. */
export const readStanding = ({ snapshot, values }: PageContext, id: number): Standing | undefined =>
  snapshot.select<Standing>(STANDING, { id, rank: values.rank ?? "", days: Number(values.days) })[0];

/** What most people come for, as four figures. */
export function glance(context: PageContext, id: number, standing: Standing | undefined): Html {
  if (!standing) return html`<p>This snapshot has no rates of this hero in this rank and window.</p>`;
  const { win_rate, appearance_rate, ban_rate, place, heroes } = standing;
  const rates = { hero_id: id, win_rate, appearance_rate, ban_rate };
  const moves = movesOf(context, [rates]);
  const figures: [string, Html][] = [
    ["Win rate", html`${percent(win_rate)}${moves.arrow(rates, "win_rate")}`],
    ["Place by win rate", html`${count(place)} <small>of ${count(heroes)}</small>`],
    ["Pick rate", html`${percent(appearance_rate)}${moves.arrow(rates, "appearance_rate")}`],
    ["Ban rate", html`${percent(ban_rate)}${moves.arrow(rates, "ban_rate")}`],
  ];
  return html`<dl class="figures" aria-label="${stateWords(context)}">${figures.map(
    ([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`,
  )}</dl>${moves.legend}`;
}

/** Other pages with this hero chosen. */
export function onward(context: PageContext, id: number): Html {
  const { facts } = context;
  const linkTo = (path: string, name: string, text: string) => {
    const address = addressOn(context, path, [heroesChoice(facts, 1, name)], { [name]: `${id}` });
    return html`<li><a href="${address}">${text}</a></li>`;
  };
  return html`<nav aria-label="More of this hero"><ul class="links">${[
    linkTo("/compare", "heroes", "Compare with others"),
    linkTo("/draft", "enemies", "Draft against this hero"),
    linkTo("/draft", "allies", "Draft with this hero"),
    linkTo("/matchups", "hero", "All matchups"),
    linkTo("/trends", "heroes", "Trend among all heroes"),
  ]}</ul></nav>`;
}
