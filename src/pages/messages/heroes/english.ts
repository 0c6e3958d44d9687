import { type Html, html } from "../../html.ts";

/** What the pages say of heroes: tiers, rates, trends and comparisons. */
export const HEROES_ENGLISH = {
  noHero: "No hero matches these filters.",
  tiers: {
    heading: "Tier list",
    tier: "Tier",
    heroes: (heroes: string, state: string) => `${heroes} heroes, ${state}`,
    /** Beside the first heroes with their win rates. */
    described: (state: string, first: string) => `${state}: ${first}`,
    numbers: "What these numbers are",
    rates:
      "The win rate is the share of its matches that a hero won. The pick rate is a share of all picks: over all heroes it sums to 100%, so it is not the share of matches with the hero. The upstream has published ban rates above 100%, and does not say of what they are a share.",
    rule: (half: string) =>
      `The tier comes from the win rate, drawn towards 50% the less a hero is picked: the data does not say how many matches a rate comes from, and a hero that is seldom picked may stand high or low by chance. At a pick rate of ${half} half of the distance from 50% is left.`,
    example: (hero: Html, wins: string, picks: string, counts: string, tier: string) =>
      html`${hero} wins ${wins} with ${picks} of the picks, which counts as ${counts}: tier ${tier}.`,
    bound: (tier: string, from: string) => `${tier} from ${from}`,
    bounds: (bounds: string) => `The tiers are ${bounds}, D below.`,
    drawn: "Win rate against pick and ban rate, drawn",
    winAndPick: "Win rate and pick rate",
    winAndBan: "Win rate and ban rate",
    overRanks: "Win rate in each rank; the lines go from the lowest to the highest, above or below that of all ranks",
    inEveryRank: "The same heroes in every rank",
    drawnColumn: "Drawn",
    ratesAsJson: "These rates as JSON",
    placesAsJson: "Roles and lanes as JSON",
  },
  compare: {
    heading: "Compare heroes",
    asCsv: "The rates in each rank as CSV",
    choose: "Choose up to four heroes.",
    rates: "Rates",
    chosen: "In the chosen rank and window",
    inEachRank: "Win rate in each rank",
    winRateByDay: "Win rate by day",
    asTable: "By day as a table",
    strengths: "Strengths",
    strengthsCaption: "Of 100, as the publisher sees them",
    pairs: "Against and beside each other",
    noWindow: "The upstream does not state the window of these points.",
    against: "The hero of the row against that of the column",
    with: "The hero of the row with that of the column",
    againstHero: (hero: Html) => html`against ${hero}`,
    withHero: (hero: Html) => html`with ${hero}`,
  },
  trends: {
    asCsv: "The rates by day of the chosen heroes, or of all heroes if none is chosen, as CSV",
  },
  hero: {
    ratesAsCsv: "The rates in each rank and window as CSV",
  },
  strengths: {
    durability: "Durability",
    offense: "Offense",
    abilityEffects: "Ability effects",
    difficulty: "Difficulty",
  },
};
