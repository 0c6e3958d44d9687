import { scatter } from "../charts/scatter.ts";
import { sparks } from "../charts/spark.ts";
import {
  carriedChoices,
  daysChoice,
  type Facts,
  LANE_CHOICE,
  LEAST_CHOICE,
  ROLE_CHOICE,
  rankChoice,
  stateWords,
} from "../facts.ts";
import { jsonLinks, percent, table, writePercent } from "../format.ts";
import { calledIn, HERO_TEXT, heroLink, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, choiceForm, type Option, type Values } from "../query.ts";

interface Rate extends NamedHero {
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

const RATES = `
  SELECT ${NAMED_HERO}, rate.win_rate, rate.ban_rate, rate.appearance_rate
  FROM hero_rate AS rate JOIN hero ON hero.hero_id = rate.hero_id ${HERO_TEXT}
  WHERE rate.rank = @rank AND rate.days = @days AND rate.appearance_rate >= @least
    AND (@role = 'all' OR rate.hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role))
    AND (@lane = 'all' OR rate.hero_id IN (SELECT hero_id FROM hero_lane WHERE lane = @lane))
  ORDER BY rate.hero_id`;

const OVER_RANKS = "SELECT hero_id, rank, win_rate FROM hero_rate WHERE days = @days";

const SORT: Choice = {
  name: "sort",
  label: "Sorted by",
  options: [
    { value: "win_rate", label: "Win rate" },
    { value: "pick_rate", label: "Pick rate" },
    { value: "ban_rate", label: "Ban rate" },
    { value: "name", label: "Name" },
  ],
  fallback: "win_rate",
};

const tierChoices = (facts: Facts): Choice[] => [
  rankChoice(facts),
  daysChoice(facts),
  ROLE_CHOICE,
  LANE_CHOICE,
  SORT,
  LEAST_CHOICE,
];

export const TIER_LIST: PageEntry = {
  route: "/tiers",
  summary: "The tier list by rank, window, role and lane, with a least pick rate; win rates over the ranks",
  link: "Tier list",
  choices: tierChoices,
  shows: ["rank", "positions"],
  csv: (context) => ({
    columns: ["place", "hero_id", "name", "win_rate", "appearance_rate", "ban_rate"],
    rows: readRates(context, context.values).map((rate, index) => [
      index + 1,
      rate.hero_id,
      calledIn(rate),
      rate.win_rate,
      rate.appearance_rate,
      rate.ban_rate,
    ]),
  }),
  render(context) {
    const { facts, values } = context;
    const rates = readRates(context, values);
    return {
      title: `Tier list: ${stateWords(context)}`,
      description: describeFirst(context, rates),
      main: html`<h1>Tier list</h1>
${choiceForm("/tiers", tierChoices(facts), values, carriedChoices(facts))}
<p>Rates are shares of the matches of a rank and window. The data does not say how many matches those are: a hero with a small pick rate may stand high or low by chance, so ask for a least pick rate.</p>
${rates.length === 0 ? html`<p>No hero matches these filters.</p>` : html`${scatters(rates)}${tierTable(rates, context)}${overRanks(rates, context)}`}
${sourceLinks(values)}`,
    };
  },
};

const MOST_DESCRIBED = 3;

/** The first of the list with their win rates, as in `Mythic, 7 days: Johnson 57.5%`. */
const describeFirst = (context: PageContext, rates: readonly Rate[]) =>
  `${stateWords(context)}: ${rates
    .slice(0, MOST_DESCRIBED)
    .map((rate) => `${calledIn(rate)} ${writePercent(rate.win_rate, 1)}`)
    .join(", ")}`;

/** The heroes that win most in the rank and window of the page, with the fallbacks of the tier list. */
export function firstOfTierList(context: PageContext, most: number): Html {
  const fallbacks = Object.fromEntries(tierChoices(context.facts).map(({ name, fallback }) => [name, fallback]));
  const values = { ...fallbacks, ...context.values };
  return tierTable(readRates(context, values).slice(0, most), { ...context, values });
}

function readRates({ snapshot, lang }: PageContext, values: Values): Rate[] {
  const { rank = "", days, role = "", lane = "", least, sort } = values;
  const rates = snapshot.select<Rate>(RATES, { lang, rank, days: Number(days), role, lane, least: Number(least) });
  const { compare } = new Intl.Collator(lang);
  const orders: Record<string, (a: Rate, b: Rate) => number> = {
    win_rate: (a, b) => b.win_rate - a.win_rate,
    pick_rate: (a, b) => b.appearance_rate - a.appearance_rate,
    ban_rate: (a, b) => b.ban_rate - a.ban_rate,
    name: (a, b) => compare(calledIn(a), calledIn(b)),
  };
  return rates.sort(orders[sort ?? ""]);
}

function tierTable(rates: readonly Rate[], context: PageContext): Html {
  return table(
    `${rates.length} heroes, ${stateWords(context)}`,
    [
      { head: "Place", number: true },
      { head: "Hero", names: true },
      { head: "Win rate", number: true },
      { head: "Pick rate", number: true },
      { head: "Ban rate", number: true },
    ],
    rates.map((rate, index) => [
      index + 1,
      heroLink(rate, context),
      percent(rate.win_rate),
      percent(rate.appearance_rate),
      percent(rate.ban_rate),
    ]),
  );
}

/** Win rate against how often a hero is picked, and banned. */
function scatters(rates: readonly Rate[]): Html {
  const against = (title: string, xName: string, pick: (rate: Rate) => number) =>
    scatter({
      title,
      xName,
      yName: "Win rate",
      dots: rates.map((rate) => ({ name: calledIn(rate), x: pick(rate), y: rate.win_rate })),
    });
  return html`<details open><summary>Win rate against pick and ban rate, drawn</summary><div class="pair">${against("Win rate and pick rate", "Pick rate", (rate) => rate.appearance_rate)}${against(
    "Win rate and ban rate",
    "Ban rate",
    (rate) => rate.ban_rate,
  )}</div></details>`;
}

function overRanks(rates: readonly Rate[], context: PageContext): Html {
  const { snapshot, facts, values } = context;
  const rows = snapshot.select<{ hero_id: number; rank: string; win_rate: number }>(OVER_RANKS, {
    days: Number(values.days),
  });
  const winRates = new Map(rows.map(({ hero_id, rank, win_rate }) => [`${hero_id} ${rank}`, win_rate]));
  const rateIn = ({ hero_id }: Rate, { value }: Option) => winRates.get(`${hero_id} ${value}`);
  const climbed = facts.ranks.filter(({ value }) => value !== "all");
  const lines = sparks(
    rates.map((rate) => ({
      values: climbed.map((rank) => rateIn(rate, rank) ?? null),
      base: winRates.get(`${rate.hero_id} all`) ?? null,
    })),
  );
  const shown = table(
    "Win rate in each rank; the lines go from the lowest to the highest, above or below that of all ranks",
    [{ head: "Hero" }, ...facts.ranks.map(({ label }) => ({ head: label, number: true })), { head: "Drawn" }],
    rates.map((rate, index) => [
      heroLink(rate, { ...context, pictures: false }),
      ...facts.ranks.map((rank) => percent(rateIn(rate, rank))),
      lines[index],
    ]),
  );
  return html`<details><summary>The same heroes in every rank</summary>${shown}</details>`;
}

function sourceLinks({ rank = "", days = "", role, lane, sort = "", lang = "" }: Values): Html {
  const field = sort === "name" ? "win_rate" : sort;
  const rates = new URLSearchParams({ rank, days, sort_field: field, sort_order: "desc", size: "500", lang });
  const places = new URLSearchParams({
    ...(role !== "all" && { role }),
    ...(lane !== "all" && { lane }),
    size: "500",
    lang,
  } as Record<string, string>);
  return jsonLinks([
    { path: `/api/heroes/rank?${rates}`, text: "These rates as JSON" },
    { path: `/api/heroes/positions?${places}`, text: "Roles and lanes as JSON" },
  ]);
}
