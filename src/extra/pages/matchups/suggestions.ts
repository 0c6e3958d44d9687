import { EVERY_HERO, stateWords } from "../facts.ts";
import { type Column, table } from "../format.ts";
import { calledIn, heroLink, heroName } from "../hero-link.ts";
import { leftOut } from "../heroes/chips.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Messages } from "../words/messages.ts";
import { draftAddress } from "./board.ts";
import type { DraftPick, PickGroup, Picks } from "./picks.ts";

/** So many of a group are shown at once. */
const MOST_SHOWN = 15;

/** The picks in groups that are comparable, and what is missing. */
export function suggestions(context: PageContext, picks: Picks): Html {
  const { groups } = picks;
  const { heroes, pairs } = context.messages;
  return html`${whatItIs(picks, pairs.draft)}${lacking(context, picks)}${
    groups.length === 0 &&
    html`<p>${heroes.noHero} <a href="${draftAddress(context, EVERY_HERO, "picks")}">${heroes.everyHero}</a></p>`
  }${groups.map((group, index) => suggested(context, picks, group, index === 0))}${leftOut(context, picks.seldom, draftAddress(context, { least: "0" }, "picks"))}`;
}

type DraftMessages = Messages["pairs"]["draft"];

function whatItIs({ taken, lacks }: Picks, words: DraftMessages): Html | undefined {
  if (taken.length > 0) return html`<p><small>${words.whatItIs} <a href="#limits">${words.noForecast}</a></small></p>`;
  return lacks.length > 0 ? undefined : html`<p><small>${words.nobody}</small></p>`;
}

function lacking(context: PageContext, { lacks, rated, taken }: Picks): Html | undefined {
  const { draft: words } = context.messages.pairs;
  const lacked = { against: words.lacksAgainst, with: words.lacksWith };
  const said = [
    ...(lacks.length === 2 ? [words.lacksMatchups] : lacks.map((played) => lacked[played])),
    ...(lacks.length > 0 && taken.length === 0 && rated && !isByPicks(context) ? [words.byWinRateAlone] : []),
    ...(rated ? [] : [words.lacksRates]),
  ];
  return said.length > 0 ? html`<p>${said.join(" ")}</p>` : undefined;
}

function suggested(context: PageContext, picks: Picks, group: PickGroup, first: boolean): Html {
  const columns = columnsOf(context, picks, group);
  const rows = group.picks.map((pick) => row(context, picks, group, pick));
  const { draft: words } = context.messages.pairs;
  const caption = captionOf(context, picks, group, first);
  const rest = rows.slice(MOST_SHOWN);
  return html`${table(caption, columns, rows.slice(0, MOST_SHOWN))}${
    rest.length > 0 &&
    html`<details class="rest"><summary>${words.more({ heroes: rest.length })}</summary>${table(words.fromPlace({ caption, place: MOST_SHOWN + 1 }), columns, rest)}</details>`
  }`;
}

const isByPicks = ({ values }: PageContext) => values.sort === "pick_rate";

function captionOf(context: PageContext, { taken }: Picks, group: PickGroup, first: boolean): string {
  const { picks, rated, known } = group;
  const { heroes, pairs } = context.messages;
  const { draft: words } = pairs;
  if (taken.length === 0 && !rated) return words.withoutWinRate({ heroes: picks.length });
  if (taken.length === 0 && isByPicks(context))
    return heroes.tiers.heroes({ count: picks.length, state: stateWords(context) });
  if (taken.length === 0) return words.byWinRate({ heroes: picks.length });
  const say = rated ? (first ? words.covered : words.coveredLess) : words.withoutEstimate;
  // Groups with as many known pairings differ in which ones they are.
  const unknown = taken.filter((_, index) => picks[0]?.parts[index] === null).map((hero) => `${calledIn(hero)} –`);
  const counted = say({ known, all: taken.length, heroes: picks.length });
  return unknown.length === 0 ? counted : `${counted} (${unknown.join(context.messages.frame.comma)})`;
}

function columnsOf(context: PageContext, { taken }: Picks, { rated }: PickGroup): Column[] {
  const { frame, pairs } = context.messages;
  const { draft: words } = pairs;
  const number = (head: string | Html) => ({ head, number: true });
  const estimate = rated ? number(sorting(context, ESTIMATE_SORT, words.estimate)) : number(words.points);
  return [
    { head: frame.choices.hero, names: true },
    ...(taken.length > 0 ? [estimate] : []),
    number(
      sorting(
        context,
        taken.length > 0 || context.values.sort === "win_rate" ? "win_rate" : ESTIMATE_SORT,
        frame.rates.winRate,
      ),
    ),
    number(sorting(context, "pick_rate", frame.rates.pickRate)),
    ...taken.map((other) => {
      const name = html`<span class="name">${heroName(other, context.lang)}</span>`;
      return number(
        html`<span class="with">${other.played === "with" ? words.withHero({ hero: name }) : words.againstHero({ hero: name })}</span>`,
      );
    }),
  ];
}

function row(context: PageContext, { taken }: Picks, { known }: PickGroup, pick: DraftPick) {
  const { win_rate, appearance_rate, parts, estimate, sum } = pick;
  const { percent, points } = context.figures;
  const told = estimate ?? (known > 0 ? sum : null);
  return [
    heroLink(pick, context),
    ...(taken.length > 0 ? [html`<b>${points(told)}</b>`] : []),
    percent(win_rate),
    percent(appearance_rate),
    ...parts.map(points),
  ];
}

/** Without a pairing it is the order of win rates. */
const ESTIMATE_SORT = "estimate";

/** The head of a column, which sorts by it. */
function sorting(context: PageContext, sort: string, text: string): Html {
  if (context.values.sort === sort) return html`<b aria-current="true">${text}</b>`;
  return html`<a href="${draftAddress(context, { sort }, "picks")}">${text}</a>`;
}
