import { addressOn } from "../facts.ts";
import { isNoPoint } from "../format.ts";
import { heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Pairing } from "./pairings.ts";

/** Of each kind so many are named at once; the section below has all that the upstream lists. */
const MOST_NAMED = 3;

/** What a hero does best and worst against and with, in a few names; undefined if nothing is listed. */
export function extremes(context: PageContext, pairings: readonly Pairing[]): Html | undefined {
  if (pairings.length === 0) return undefined;
  const { extremes: words } = context.messages.heroes;
  const [against, beside] = ["counters", "compatibility"].map((from) =>
    pairings.filter(({ source }) => source === from),
  );
  const groups = [
    [words.betterAgainst, firstOf(against, 1)],
    [words.worseAgainst, firstOf(against, -1)],
    [words.betterWith, firstOf(beside, 1)],
    [words.worseWith, firstOf(beside, -1)],
  ] as const;
  return html`<dl class="extremes" aria-label="${words.label}">${groups.map(
    ([name, named]) =>
      html`<div><dt>${name}</dt>${named.length === 0 ? html`<dd>–</dd>` : named.map((pairing) => line(pairing, context))}</div>`,
  )}</dl>`;
}

/** The furthest from what is expected in one direction, as far as written points go. */
const firstOf = (pairings: readonly Pairing[] = [], sign: 1 | -1): Pairing[] =>
  pairings
    .filter(({ increase_win_rate: by }) => sign * by > 0 && !isNoPoint(by))
    .sort((a, b) => sign * (b.increase_win_rate - a.increase_win_rate))
    .slice(0, MOST_NAMED);

const line = (pairing: Pairing, context: PageContext): Html =>
  html`<dd><a href="${addressOn(context, `/heroes/${pairing.hero_id}`)}">${heroName(pairing, context.lang)}</a> <span class="${pairing.increase_win_rate < 0 ? "down" : "up"}">${context.figures.points(pairing.increase_win_rate)}</span></dd>`;
