import { EVERY_HERO, stateWords } from "../facts.ts";
import { calledIn, heroName } from "../hero-link.ts";
import { leftOut } from "../heroes/chips.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageColumn, showTable } from "../report.ts";
import { draftAddress } from "./board.ts";
import type { DraftPick, PickGroup, Picks } from "./picks.ts";

/** So many picks of a group are shown at once. */
const MOST_SHOWN = 15;

/** The picks in groups that are comparable, and what is missing. */
export function suggestions(context: PageContext, picks: Picks): Html {
  const { groups } = picks;
  const { heroes } = context.messages;
  return html`${whatItIs(context, picks)}${
    groups.length === 0 &&
    html`<p>${heroes.noHero} <a href="${draftAddress(context, EVERY_HERO, "picks")}">${heroes.everyHero}</a></p>`
  }${groups.map((group, index) => suggested(context, picks, group, index === 0))}${leftOut(context, picks.seldom, draftAddress(context, { least: "0" }, "picks"))}`;
}

function whatItIs({ values, messages: { pairs } }: PageContext, { taken, lacksPoints, groups }: Picks): Html {
  const { draft: words, matchups } = pairs;
  if (taken.length > 0) return html`<p><small>${words.whatItIs} <a href="#limits">${words.noForecast}</a></small></p>`;
  if (!lacksPoints) return html`<p><small>${words.nobody}</small></p>`;
  const isByWinRate = groups[0]?.rated && values.sort !== "pick_rate";
  return html`<p>${matchups.empty}${isByWinRate && html` ${words.byWinRateAlone}`}</p>`;
}

function suggested(context: PageContext, picks: Picks, group: PickGroup, first: boolean): Html {
  const columns = columnsOf(context, picks, group);
  const { draft: words } = context.messages.pairs;
  const caption = captionOf(context, picks, group, first);
  const rest = group.picks.slice(MOST_SHOWN);
  return html`${showTable(context, { caption, columns, rows: group.picks.slice(0, MOST_SHOWN) })}${
    rest.length > 0 &&
    html`<details class="rest"><summary>${words.more({ heroes: rest.length })}</summary>${showTable(context, { caption: words.fromPlace({ caption, place: MOST_SHOWN + 1 }), columns, rows: rest })}</details>`
  }`;
}

function captionOf(context: PageContext, { taken }: Picks, group: PickGroup, first: boolean): string {
  const { picks, rated, known } = group;
  const { frame, heroes, pairs } = context.messages;
  const { draft: words } = pairs;
  if (taken.length === 0 && rated) return heroes.tiers.heroes({ count: picks.length, state: stateWords(context) });
  if (taken.length === 0) return words.withoutWinRate({ heroes: picks.length });
  const say = rated ? (first ? words.covered : words.coveredLess) : words.withoutEstimate;
  // Groups with as many known pairings differ in which ones they are.
  const unknown = taken
    .filter((_, index) => picks[0]?.parts[index] === null)
    .map(({ hero_id }) => `${calledIn(hero_id, context)} –`);
  const counted = say({ known, all: taken.length, heroes: picks.length });
  return unknown.length === 0 ? counted : `${counted} (${unknown.join(frame.comma)})`;
}

function columnsOf(context: PageContext, { taken }: Picks, { rated }: PickGroup): PageColumn<DraftPick>[] {
  const { frame, pairs } = context.messages;
  const { draft: words } = pairs;
  const estimate = column.number(
    ({ estimate, sum }: DraftPick) => html`<b>${context.figures.points(estimate ?? sum)}</b>`,
    rated ? sorting(context, "estimate", words.estimate) : words.points,
  );
  return [
    column.hero("hero_id", frame.choices.hero),
    ...(taken.length > 0 ? [estimate] : []),
    // Without a pairing the order by estimate is that of the win rates.
    column.share("win_rate", sorting(context, taken.length > 0 ? "win_rate" : "estimate", frame.rates.winRate)),
    column.share("appearance_rate", sorting(context, "pick_rate", frame.rates.pickRate)),
    ...taken.map(({ hero_id, played }, index) => {
      const named = { hero: html`<span class="name">${heroName(hero_id, context)}</span>` };
      const head = played === "with" ? words.withHero(named) : words.againstHero(named);
      return column.points(({ parts }: DraftPick) => parts[index], html`<span class="with">${head}</span>`);
    }),
  ];
}

/** The head of a column, which sorts by it. */
function sorting(context: PageContext, sort: string, text: string): Html {
  if (context.values.sort === sort) return html`<b aria-current="true">${text}</b>`;
  return html`<a href="${draftAddress(context, { sort }, "picks")}">${text}</a>`;
}
