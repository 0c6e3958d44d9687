import { type Facts, rankChoice } from "../facts.ts";
import { figure, nameIn } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { CsvTable, PageContext } from "../page.ts";
import type { Choice } from "../query.ts";
import type { NameHero } from "./heroes.ts";
import type { Mover, NightChanges } from "./read.ts";
import { type NewsSection, newsTable, numberColumn } from "./sections.ts";
import { percentSides } from "./sides.ts";

export const EVERY_RANK = "every";

/** The choice of a rank with rates, or of every rank. */
export const moversOfRank = (facts: Facts): Choice => ({
  ...rankChoice(facts),
  options: [{ value: EVERY_RANK, label: facts.messages.mirror.changes.everyRank }, ...rankChoice(facts).options],
  fallback: EVERY_RANK,
});

export const isOfRank = ({ values: { rank } }: PageContext, entry: { rank: string }) =>
  rank === EVERY_RANK || entry.rank === rank;

const moversOf = ({ rates: { movers } }: NightChanges, context: PageContext): Mover[] =>
  movers.filter((mover) => isOfRank(context, mover));

/** `everyRank` is the address of the same night for every rank. */
export function movers(changes: NightChanges, link: NameHero, everyRank: string, context: PageContext): NewsSection {
  const { mirror, frame } = context.messages;
  const { figures } = context;
  const { changes: words } = mirror;
  const { winRate, pickRate, banRate } = frame.rates;
  const names = { win_rate: winRate, appearance_rate: pickRate, ban_rate: banRate };
  const rows = moversOf(changes, context).map((mover) => [
    link(mover.hero_id, mover.name),
    names[mover.rate],
    figure(mover.change, figures.writeChange),
    ...percentSides(mover.before, mover.after, figures),
    rankName(context, mover.rank),
    windowName(context, mover.days),
  ]);
  const shown = newsTable({
    id: "movers",
    head: words.movers,
    caption: words.moversCaption,
    columns: [
      ...[{ head: words.hero }, { head: words.rate }],
      ...[words.points, words.before, words.after].map(numberColumn),
      ...[{ head: frame.choices.rank }, { head: frame.choices.window }],
    ],
    rows,
    words,
    note: html`<p>${words.moversNote}</p>`,
  });
  return shown ?? { id: "movers", head: words.movers, count: 0, body: noMovers(context, everyRank) };
}

function noMovers({ values, messages }: PageContext, everyRank: string): Html {
  const { changes: words } = messages.mirror;
  return values.rank === EVERY_RANK
    ? html`<p>${words.noMovers}</p>`
    : html`<p>${words.noMoversOfRank} <a href="${everyRank}">${words.showEveryRank}</a></p>`;
}

export const rankName = ({ facts }: PageContext, rank: string) =>
  facts.ranks.find(({ value }) => value === rank)?.label ?? nameIn("en", rank);

const windowName = ({ facts, figures }: PageContext, days: number): string =>
  facts.windows.find(({ value }) => Number(value) === days)?.label ?? figures.writeUnits("day", days);

export const csvOfMovers = (changes: NightChanges | null | undefined, context: PageContext): CsvTable => ({
  columns: ["hero_id", "name", "rank", "days", "rate", "before", "after", "change", "apart", "score"],
  rows: (changes ? moversOf(changes, context) : []).map((mover) => [
    mover.hero_id,
    mover.name,
    mover.rank,
    mover.days,
    mover.rate,
    mover.before,
    mover.after,
    mover.change,
    mover.apart,
    mover.score,
  ]),
});
