import { movesOf } from "../changes/since.ts";
import { sparks } from "../charts/spark.ts";
import { addressOn, heroesChoice, stateWords } from "../facts.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { PageReport, RatesOfHero } from "../report.ts";
import type { TrendDay } from "./rates.ts";
import { errorOf, type NamedRate } from "./rates.ts";

/** How a hero stands in the tier list of a rank and window. */
export interface Standing extends RatesOfHero {
  place: number;
  /** Heroes with rates. */
  heroes: number;
}

const STANDING = `
  SELECT hero_id, win_rate, appearance_rate, ban_rate, place,
         (SELECT count(*) FROM hero_rate AS other WHERE other.rank = @rank AND other.days = @days) AS heroes
  FROM tier_list WHERE hero_id = @id AND rank = @rank AND days = @days`;

/** Reads the standing of a hero; undefined if the snapshot has no rates of it in the rank and window of the page. */
export const readStanding = ({ snapshot, values }: PageContext, id: number): Standing | undefined =>
  snapshot.select<Standing>(STANDING, { id, rank: values.rank ?? "", days: Number(values.days) })[0];

/** The figures of every rank and window, and those of each day. */
interface Courses {
  rates: PageReport<NamedRate>;
  days: readonly TrendDay[];
}

/** The few figures that most people come for; without a standing, a link to other ranks and windows if those have rates. */
export function glance(
  context: PageContext,
  standing: Standing | undefined,
  { rates: { rows: rates }, days }: Courses,
): Html {
  const { glance: words } = context.messages.heroes;
  if (!standing)
    return html`<p>${words.noRates} ${rates.length > 0 && html`<a href="#rates">${words.otherRates}</a>`}</p>`;
  const { win_rate, appearance_rate, ban_rate, place, heroes } = standing;
  const moves = movesOf(context, [standing]);
  const { count, percent } = context.figures;
  const { winRate, pickRate, banRate } = context.messages.frame.rates;
  const { rank, days: window } = context.values;
  const rate = rates.find((one) => one.rank === rank && one.days === Number(window));
  const figures: [string, Html][] = [
    [winRate, html`${percent(win_rate)}${rate && errorOf(rate, context)}${moves.arrow(standing, "win_rate")}`],
    [
      context.messages.heroes.tiers.heading,
      html`${words.placed({ place: count(place) })} <small>${words.ofHeroes({ heroes: count(heroes) })}</small>`,
    ],
    [pickRate, html`${percent(appearance_rate)}${moves.arrow(standing, "appearance_rate")}`],
    [banRate, html`${percent(ban_rate)}${moves.arrow(standing, "ban_rate")}`],
    ...course(context, days),
  ];
  return html`<dl class="figures" aria-label="${stateWords(context)}">${figures.map(
    ([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`,
  )}</dl>${moves.legend}`;
}

/** The win rate by day as a small line around its mean; the section of the trend has the days in numbers. */
function course(context: PageContext, days: readonly TrendDay[]): [string, Html][] {
  const values = days.map(({ win_rate }) => win_rate);
  if (values.length < 2) return [];
  const base = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [drawn] = sparks([{ values, base }], context.figures);
  return drawn ? [[context.messages.heroes.glance.byDay({ days: values.length }), drawn]] : [];
}

/** Other pages with this hero chosen. */
export function onward(context: PageContext, id: number): Html {
  const { facts } = context;
  const { glance: words } = context.messages.heroes;
  const linkTo = (path: string, name: string, text: string, place = "") => {
    const address = addressOn(context, path, [heroesChoice(facts, 1, name)], { [name]: `${id}` });
    return html`<li><a href="${address}${place}">${text}</a></li>`;
  };
  return html`<nav aria-label="${words.more}"><ul class="chips">${[
    linkTo("/draft", "enemies", words.draftAgainst),
    linkTo("/draft", "allies", words.draftWith),
    linkTo("/compare", "heroes", words.compare),
    linkTo("/matchups", "hero", words.matchups, "#of-hero"),
    linkTo("/trends", "heroes", words.trends),
  ]}</ul></nav>`;
}
