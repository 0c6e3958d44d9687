import { HALF_PICK_RATE, TIERS } from "../../../snapshot/schema/views/tiers.ts";
import { movesOf, type ToldMoves } from "../changes/since.ts";
import { sparks } from "../charts/spark.ts";
import { choiceForm } from "../choices/choice-form.ts";
import {
  addressOn,
  daysChoice,
  EVERY_HERO,
  type Facts,
  filterChoices,
  leastChoice,
  rankChoice,
  sortChoice,
  stateWords,
  withState,
} from "../facts.ts";
import { calledIn } from "../hero-link.ts";
import { leftOut, linkedValues } from "../heroes/chips.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, madeChoices, type Option, type Values } from "../query.ts";
import { column, type PageReport, type RateName, type RatesOfHero, showTable } from "../report.ts";
import { sourceLinks } from "../source-links.ts";
import { scatters } from "./scatters.ts";

const LISTED = `
  SELECT hero_id, place, tier, score, win_rate, ban_rate, appearance_rate FROM tier_list
  WHERE rank = @rank AND days = @days AND appearance_rate >= @least
    AND (@role = 'all' OR hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role))
    AND (@lane = 'all' OR hero_id IN (SELECT hero_id FROM hero_lane WHERE lane = @lane))
  ORDER BY hero_id`;

const OVER_RANKS = "SELECT hero_id, rank, win_rate FROM hero_rate WHERE days = @days";

const tierSort = (facts: Facts): Choice => {
  const { frame, heroes } = facts.messages;
  return sortChoice(facts, [
    { value: "tier", label: heroes.tiers.tier },
    { value: "win_rate", label: frame.rates.winRate },
    { value: "pick_rate", label: frame.rates.pickRate },
    { value: "ban_rate", label: frame.rates.banRate },
    { value: "name", label: frame.choices.hero },
  ]);
};

/** Links on the page choose these. */
const linkedChoices = (facts: Facts): Choice[] => [...filterChoices(facts), tierSort(facts)];

const tierChoices = (facts: Facts): Choice[] => [
  rankChoice(facts),
  daysChoice(facts),
  leastChoice(facts),
  ...linkedChoices(facts),
];

const addressWith = (context: PageContext, changed: Values): string =>
  addressOn(context, "/tiers", [leastChoice(context.facts), ...linkedChoices(context.facts)], changed);

export const TIER_LIST: PageEntry = {
  route: "/tiers",
  summary:
    "The tier list by rank, window, role and lane: tiers S to D by win rate and pick rate; win rates over the ranks",
  link: "tiers",
  choices: tierChoices,
  shows: ["rank", "positions"],
  tellsFile: true,
  csvLink: ({ heroes }) => heroes.tiers.asCsv,
  scripts: ["chart"],
  csv: (context) => tierReport(context, readListed(context, context.values)),
  render(context) {
    const { facts, values } = context;
    const { tiers: words } = context.messages.heroes;
    const asked = readListed(context, { ...values, least: "0" });
    const rates = asked.filter(({ appearance_rate }) => appearance_rate >= Number(values.least));
    return {
      title: withState(context.messages, words.heading, listed(context)),
      ...(rates.length > 0 && { description: describeBest(context, rates) }),
      hasNoRows: rates.length === 0,
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, [rankChoice(facts), daysChoice(facts), leastChoice(facts)], linkedChoices(facts))}
${filterChoices(facts).map((choice) => linkedValues(choice, values, (changed) => addressWith(context, changed)))}
${
  rates.length === 0
    ? nobody(context)
    : html`<div class="columns"><div>${tierTable(rates, context)}${leftOut(context, asked.length - rates.length, addressWith(context, { least: "0" }))}</div>
<div>${explainTiers(rates, context)}${scatters(rates, context)}</div></div>
${overRanks(rates, context)}`
}
${sources(context)}`,
    };
  },
};

const ORDERS = {
  tier: (a: ListedHero, b: ListedHero) => a.place - b.place,
  win_rate: (a: ListedHero, b: ListedHero) => b.win_rate - a.win_rate,
  pick_rate: (a: ListedHero, b: ListedHero) => b.appearance_rate - a.appearance_rate,
  ban_rate: (a: ListedHero, b: ListedHero) => b.ban_rate - a.ban_rate,
};

const MOST_DESCRIBED = 3;

/** The best of the list with their win rates, whatever the order of the table is, as in `Mythic, 7 days, Tank: Johnson 57.5%`. */
function describeBest(context: PageContext, rates: readonly ListedHero[]): string {
  const best = rates.toSorted(ORDERS.tier).slice(0, MOST_DESCRIBED);
  const told = best.map(
    (rate) => `${calledIn(rate.hero_id, context)} ${context.figures.writePercent(rate.win_rate, 1)}`,
  );
  return withState(context.messages, listed(context), told.join(context.messages.frame.comma));
}

/** Says which rank, window, role and lane the heroes are of. */
function listed(context: PageContext): string {
  const { facts, values } = context;
  return stateWords(context, [rankChoice(facts), daysChoice(facts), ...madeChoices(filterChoices(facts), values)]);
}

/** The first heroes by tier in the rank and window of the page, with the fallbacks of the tier list. */
export function firstOfTierList(context: PageContext, most: number): Html {
  const fallbacks = Object.fromEntries(tierChoices(context.facts).map(({ name, fallback }) => [name, fallback]));
  const values = { ...fallbacks, ...context.values };
  const first = readListed(context, values).slice(0, most);
  return first.length === 0 ? nobody({ ...context, values }) : tierTable(first, { ...context, values });
}

/** Says why the list is empty: the snapshot has none for the rank and window, or the filters leave nobody. */
function nobody(context: PageContext): Html {
  const { heroes } = context.messages;
  if (readListed(context, { ...context.values, ...EVERY_HERO }).length === 0) return html`<p>${heroes.hero.noList}</p>`;
  return html`<p>${heroes.noHero} <a href="${addressWith(context, EVERY_HERO)}">${heroes.everyHero}</a></p>`;
}

function readListed({ snapshot, facts }: PageContext, values: Values): ListedHero[] {
  const { rank = "", days, role = "", lane = "", least, sort } = values;
  const given = { rank, days: Number(days), role, lane, least: Number(least) };
  const listed = snapshot.select<ListedHero>(LISTED, given);
  if (sort !== "name") return listed.sort(ORDERS[sort as keyof typeof ORDERS]);
  const byId = new Map(listed.map((hero) => [hero.hero_id, hero]));
  return [...facts.roster.keys()].flatMap((id) => byId.get(id) ?? []);
}

function tierReport(
  context: PageContext,
  rows: readonly ListedHero[],
  moves?: ToldMoves,
): Required<PageReport<ListedHero>> {
  const { heroes, frame } = context.messages;
  const rate = (sort: string, field: RateName, head: string) =>
    column.number(
      (row: ListedHero) => html`${context.figures.percent(row[field])}${moves?.arrow(row, field)}`,
      sorted(context, sort, head),
    );
  return {
    caption: heroes.tiers.heroes({ count: rows.length, state: listed(context) }),
    columns: [
      column.text(({ tier }) => html`<b class="tier">${tier}</b>`, sorted(context, "tier", heroes.tiers.tier)),
      { ...column.hero("hero_id", sorted(context, "name", frame.choices.hero)), names: true },
      rate("win_rate", "win_rate", frame.rates.winRate),
      rate("pick_rate", "appearance_rate", frame.rates.pickRate),
      rate("ban_rate", "ban_rate", frame.rates.banRate),
    ],
    rows,
    csv: ["place", "tier", "hero_id", "hero", "score", "win_rate", "ban_rate", "appearance_rate"],
  };
}

function tierTable(rates: readonly ListedHero[], context: PageContext): Html {
  const moves = movesOf(context, rates);
  return html`${showTable(context, tierReport(context, rates, moves))}${moves.legend}`;
}

/** The head of a column, which sorts by it. */
const sorted = (context: PageContext, sort: string, text: string): Html =>
  context.values.sort === sort
    ? html`<b aria-current="true">${text}</b>`
    : html`<a href="${addressWith(context, { sort })}">${text}</a>`;

function overRanks(rates: readonly ListedHero[], context: PageContext): Html {
  const { snapshot, facts, values, messages, figures } = context;
  const { tiers: words } = messages.heroes;
  const rows = snapshot.select<{ hero_id: number; rank: string; win_rate: number }>(OVER_RANKS, {
    days: Number(values.days),
  });
  const winRates = new Map(rows.map(({ hero_id, rank, win_rate }) => [`${hero_id} ${rank}`, win_rate]));
  const rateIn = ({ hero_id }: ListedHero, { value }: Option) => winRates.get(`${hero_id} ${value}`);
  const climbed = facts.ranks.filter(({ value }) => value !== "all");
  const lines = sparks(
    rates.map((rate) => ({
      values: climbed.map((rank) => rateIn(rate, rank) ?? null),
      base: winRates.get(`${rate.hero_id} all`) ?? null,
    })),
    figures,
  );
  const inRank = (rank: Option) => column.share((rate: ListedHero) => rateIn(rate, rank), rank.label);
  const columns = [
    column.plainHero("hero_id", messages.frame.choices.hero),
    ...facts.ranks.map(inRank),
    column.text((rate: ListedHero) => lines[rates.indexOf(rate)], words.drawnColumn),
  ];
  const shown = showTable(context, { caption: words.overRanks, columns, rows: rates });
  return html`<details><summary>${words.inEveryRank}</summary>${shown}</details>`;
}

function sources(context: PageContext): Html {
  const { role = "all", lane = "all", sort = "" } = context.values;
  const { tiers: words } = context.messages.heroes;
  const sort_field = sort === "name" || sort === "tier" ? "win_rate" : sort;
  const filters = { ...(role !== "all" && { role }), ...(lane !== "all" && { lane }) };
  return sourceLinks(context, [
    { dataset: "rank", query: { sort_field, sort_order: "desc", size: "500" }, text: words.ratesAsJson },
    { dataset: "positions", query: { ...filters, size: "500" }, text: words.placesAsJson },
  ]);
}

/** A row of the view `tier_list`. */
interface ListedHero extends RatesOfHero {
  place: number;
  tier: string;
  score: number;
}

/** Explains the columns, and the rule of tiers with the first hero as an example. */
function explainTiers([first]: readonly ListedHero[], context: PageContext): Html | undefined {
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
