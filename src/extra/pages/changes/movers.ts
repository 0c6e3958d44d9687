import { type Facts, rankChoice } from "../facts.ts";
import { figure, nameIn } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Choice } from "../query.ts";
import { column, type PageReport } from "../report.ts";
import { changedHero, linkHero } from "./heroes.ts";
import type { Mover, NightChanges } from "./read.ts";
import { type NewsSection, newsTable } from "./sections.ts";
import { percentSides, pointSides } from "./sides.ts";

export const EVERY_RANK = "every";

/** The choice of a rank with rates, or of every rank. */
export const moversOfRank = (facts: Facts): Choice => ({
  ...rankChoice(facts),
  options: [{ value: EVERY_RANK, label: facts.messages.mirror.changes.everyRank }, ...rankChoice(facts).options],
  fallback: EVERY_RANK,
});

const isOfRank = ({ values: { rank } }: PageContext, entry: { rank: string }) =>
  rank === EVERY_RANK || entry.rank === rank;

/** The rates of the rank of the page that moved further than chance explains. */
export function moversReport(
  changes: NightChanges | null | undefined,
  context: PageContext,
): Required<PageReport<Mover>> {
  const { mirror, frame } = context.messages;
  const { figures } = context;
  const { changes: words } = mirror;
  const { winRate, pickRate, banRate } = frame.rates;
  const names = { win_rate: winRate, appearance_rate: pickRate, ban_rate: banRate };
  const side = (index: 0 | 1, head: string) =>
    column.number(({ before, after }: Mover) => percentSides(before, after, figures)[index], head);
  return {
    caption: words.moversCaption,
    columns: [
      changedHero(words.hero),
      column.text(({ rate }) => names[rate], words.rate),
      column.number(({ change }) => figure(change, figures.writeChange), words.points),
      side(0, words.before),
      side(1, words.after),
      rankColumn(context),
      column.text(({ days }: Mover) => windowName(context, days), frame.choices.window),
    ],
    rows: changes?.rates.movers.filter((mover) => isOfRank(context, mover)) ?? [],
    csv: ["hero_id", "name", "rank", "days", "rate", "before", "after", "change", "apart", "score"],
  };
}

/** `everyRank` is the address of the same night for every rank. */
export function movers(changes: NightChanges, everyRank: string, context: PageContext): NewsSection {
  const { changes: words } = context.messages.mirror;
  const named = { id: "movers", head: words.movers };
  const shown = newsTable(context, { ...moversReport(changes, context), ...named, note: words.moversNote });
  return shown ?? { ...named, count: 0, body: noMovers(context, everyRank) };
}

function noMovers({ values, messages }: PageContext, everyRank: string): Html {
  const { changes: words } = messages.mirror;
  return values.rank === EVERY_RANK
    ? html`<p>${words.noMovers}</p>`
    : html`<p>${words.noMoversOfRank} <a href="${everyRank}">${words.showEveryRank}</a></p>`;
}

const rankColumn = ({ facts, messages }: PageContext) =>
  column.text(
    ({ rank }: { rank: string }) => facts.ranks.find(({ value }) => value === rank)?.label ?? nameIn("en", rank),
    messages.frame.choices.rank,
  );

const windowName = ({ facts, figures }: PageContext, days: number): string =>
  facts.windows.find(({ value }) => Number(value) === days)?.label ?? figures.writeUnits("day", days);

type Matchup = NightChanges["matchups"]["matchups"][number];

export function movedPairs({ matchups: { matchups } }: NightChanges, context: PageContext): NewsSection | undefined {
  const { mirror, heroes } = context.messages;
  const { figures } = context;
  const { changes: words } = mirror;
  const rows = matchups.filter((matchup) => isOfRank(context, matchup));
  const side = (index: 0 | 1, head: string) =>
    column.number(({ before, after }: Matchup) => pointSides(before, after, figures)[index], head);
  const other = column.text(
    ({ other_hero_id: id, other }: Matchup) => linkHero(id, other, { ...context, pictures: false }),
    words.otherHero,
  );
  return newsTable(context, {
    id: "pairs",
    head: heroes.hero.opponents,
    caption: words.pairsCaption,
    columns: [
      changedHero(words.hero),
      other,
      column.points("change", words.points),
      side(0, words.before),
      side(1, words.after),
      rankColumn(context),
    ],
    rows,
    note: words.pairsNote,
  });
}
