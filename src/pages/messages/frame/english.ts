import type { Lang } from "../../../api/enumerations.ts";
import { type Html, html } from "../../html.ts";

/** What stands around every page, and the words of its form. */
export const FRAME_ENGLISH = {
  /** The language of this catalogue. */
  language: "en" as Lang,
  madeUp: {
    label: "Where the numbers are from",
    text: "Made-up data to try things on: no number is of the game.",
    inTitle: "made-up data",
  },
  skip: "Skip to the content",
  pages: "Pages",
  navigation: {
    home: "Home",
    heroes: "Heroes",
    tiers: "Tier list",
    trends: "Trends",
    matchups: "Matchups",
    draft: "Draft",
    compare: "Compare",
    changes: "Changes",
    data: "Data",
    sql: "SQL",
    docs: "API",
  },
  languages: "Languages",
  languageOfNames: (language: Html) => html`Names and texts: ${language}`,
  /** On pages without a catalogue in the language of their names. */
  onlyEnglish: "The words of this page are in English.",
  ignored: {
    unknown: (word: Html, name: Html) => html`There is no value “${word}” of ${name}.`,
    values: (values: string) => `Values are: ${values}.`,
    tooMany: (most: number, name: Html) =>
      html`Values of ${name} that can be used at once: ${most}. The others are ignored.`,
  },
  search: {
    find: "Find a hero",
    send: "Find",
    name: "Name",
    heading: "Heroes",
    asCsv: "These heroes as CSV",
    namesWith: (text: Html) => html`Names with “${text}”`,
    showAll: "Show all heroes",
    noName: "No hero has such a name.",
    didYouMean: "Did you mean",
    noHero: (word: string) => `There is no hero “${word}”`,
    allHeroes: "All heroes",
  },
  errors: {
    noPage: "There is no such page",
    searchOrHome: "Search for a hero by name, or start at the home page.",
    onlyRead: "This page can only be read",
    nothingSent: "Nothing can be sent to it.",
    badRequest: "This request cannot be understood",
    lookAtAddress: "Look at its address, or start at the home page.",
  },
  snapshot: (version: Html, crawled: Html) => html`Snapshot ${version}, crawled ${crawled}.`,
  servedBy: "Served by metasnap.",
  askThisMirror: "Any site may ask this mirror.",
  asJson: "The same as JSON",
  show: "Show",
  numbered: (label: string, number: number) => `${label} ${number}`,
  choices: {
    language: "Language",
    rank: "Rank",
    window: "Window",
    hero: "Hero",
    role: "Role",
    lane: "Lane",
    leastPickRate: "Least pick rate",
    sortedBy: "Sorted by",
  },
  allRanks: "All ranks",
  andAbove: (rank: string) => `${rank} and above`,
  allRoles: "All roles",
  allLanes: "All lanes",
  any: "Any",
  rates: { winRate: "Win rate", pickRate: "Pick rate", banRate: "Ban rate" },
};

export type FrameMessages = typeof FRAME_ENGLISH;
