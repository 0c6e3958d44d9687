import { type Html, html } from "../../html.ts";

/** What the pages say of two heroes, against each other or in one team. */
export const PAIRS_ENGLISH = {
  played: {
    label: "The other hero is",
    opponent: "An opponent",
    teamMate: "A team mate",
    asExpected: "as expected",
    worse: "worse than expected",
    better: "better than expected",
  },
  matchups: {
    heading: "Matchups",
    asCsv: "The matrix as CSV",
    empty: "This snapshot has no matchups for this rank.",
    numbers: "What these numbers are",
    window: "The upstream does not state the window either; a pair that has met too rarely is missing.",
    titleOf: {
      against: (name: string) => `${name} against each other hero`,
      with: (name: string) => `${name} with each other hero`,
    },
    ofHero: {
      against: (name: Html) => html`${name} against each other hero`,
      with: (name: Html) => html`${name} with each other hero`,
    },
    listed: {
      against: (heroes: number) => `The best matchup first. Heroes: ${heroes}`,
      with: (heroes: number) => `The best team mate first. Heroes: ${heroes}`,
    },
    another: "Choose another hero",
    ofAll: "Every hero",
    ends: {
      against: { caption: "What each hero does best and worst against", best: "Best against", worst: "Worst against" },
      with: { caption: "What each hero does best and worst with", best: "Best with", worst: "Worst with" },
    },
    similarity: "Similarity",
    otherHero: "Other hero",
    points: "Points",
    drawn: "Drawn",
    againstAsJson: "Against all, as JSON",
    withAsJson: "With all, as JSON",
  },
  /** What a script fills in stands in braces. */
  matrix: {
    heading: "All of them, drawn",
    label: {
      against: (heroes: number) => `Matrix of the heroes against each other. Heroes: ${heroes}`,
      with: (heroes: number) => `Matrix of the heroes with each other. Heroes: ${heroes}`,
    },
    help: {
      against:
        "A row is a hero, a column the other hero: blue if the hero of the row does better against it than expected, orange if it does worse.",
      with: "A row is a hero, a column the other hero: blue if the hero of the row does better with it than expected, orange if it does worse.",
    },
    keys: "Arrow keys move the cell, Page Up and Page Down by ten, Home and End to the ends of the row; Enter shows all of its hero.",
    low: (points: string) => `${points} points or less`,
    high: (points: string) => `${points} points or more`,
    dot: "A dot: unknown",
    known: {
      against: "{hero} against {other}: {points} points. Row {row} of {count}, column {column} of {count}.",
      with: "{hero} with {other}: {points} points. Row {row} of {count}, column {column} of {count}.",
    },
    unknown: {
      against: "{hero} against {other}: unknown. Row {row} of {count}, column {column} of {count}.",
      with: "{hero} with {other}: unknown. Row {row} of {count}, column {column} of {count}.",
    },
    all: "All of {hero}",
    failed: "It could not be loaded. The tables below have its ends.",
  },
  draft: {
    heading: "Draft",
    asCsv: "All picks as CSV",
    against: (enemies: string) => `Draft against ${enemies}`,
    with: (allies: string) => `Draft with ${allies}`,
    againstAndWith: (enemies: string, allies: string) => `Draft against ${enemies}, with ${allies}`,
    sides: {
      enemies: { head: "Enemies", choose: "Choose an enemy", mark: "Enemy" },
      allies: { head: "Allies", choose: "Choose an ally", mark: "Ally" },
      bans: { head: "Bans", choose: "Choose a ban", mark: "Ban" },
    },
    soFar: "The draft so far",
    repeated: "A hero that is chosen more than once counts once.",
    remove: (hero: string) => `Remove ${hero}`,
    you: "You",
    nowChoosing: "Now choosing",
    allFilled: "All slots are filled",
    best: (heroes: string) => `Best: ${heroes}`,
    seePicks: "See the picks",
    chooseByName: "Choose by name",
    add: "Add",
    lanes: "Lanes",
    openLanes: "Open lanes",
    open: html`open`,
    openOr: (heroes: Html) => html`open or ${heroes}`,
    picks: "Picks",
    estimate: "Estimate",
    points: "Points",
    nobody: "Choose enemies and allies to see an estimate. Until then the win rate alone counts.",
    whatItIs: "The estimate is the win rate above 50% plus the points of each pairing.",
    noForecast: "It is no forecast.",
    lacksMatchups: "This snapshot has no matchups for this rank.",
    lacksAgainst: "This snapshot has no points against opponents for this rank, so the enemies change nothing here.",
    lacksWith: "This snapshot has no points with team mates for this rank, so the allies change nothing here.",
    byWinRateAlone: "The heroes are ranked by win rate alone.",
    lacksRates: "This snapshot has no win rates for this rank and window.",
    more: (heroes: number) => `Show ${heroes} more`,
    fromPlace: (caption: string, place: number) => `${caption}: from place ${place}`,
    byWinRate: (heroes: number) => `By win rate. Heroes: ${heroes}`,
    withoutWinRate: (heroes: number) => `Without a win rate. Heroes: ${heroes}`,
    covered: (known: number, all: number, heroes: number) => `${known} of ${all} pairings known. Heroes: ${heroes}`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `${known} of ${all} pairings known, not to be compared with those above. Heroes: ${heroes}`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `Without a win rate, so without an estimate; ${known} of ${all} pairings known. Heroes: ${heroes}`,
    againstHero: (hero: Html) => html`against ${hero}`,
    withHero: (hero: Html) => html`with ${hero}`,
    leftOut: (heroes: number, least: string) =>
      `Left out, with less than ${least} of the picks: ${heroes} ${heroes === 1 ? "hero" : "heroes"}.`,
    showThem: "Show them too",
    source: "Points are those of these endpoints, with the hero of the row in the path:",
    ratesAsJson: "Win rates and pick rates as JSON",
    limits: "What the estimate is, and what it is not",
    limitsOf: [
      "It is the win rate of a hero minus 50 percentage points, plus its points against each enemy and with each ally. More is better.",
      "It is no forecast. It adds up how a hero does against, or with, one other hero at a time; no number here says how five heroes play together.",
      "A missing number is unknown, not 0: it is left out. Heroes with fewer known pairings stand apart, because their estimates cannot be compared with the others.",
      "Nothing says how many matches a number comes from. A hero that is seldom picked may have a high number by chance, so those with less than the least pick rate are left out. The pick rate is a share of all picks.",
      "The window is that of win rate and pick rate; the upstream does not state the window of matchups.",
      "Lanes are those that the upstream lists a hero for. A lane is open if the allies can play on the other lanes; a hero with two lanes may play either.",
    ],
  },
  points:
    "Points are percentage points of win rate: how much better (+) or worse (−) a hero does against, or with, another hero than expected. They do not say who wins: a hero with a low win rate may still lose most matches against a hero that it does better against. The upstream states neither what it expects nor the number of matches.",
};

export type PairMessages = typeof PAIRS_ENGLISH;
