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
  /** For who reads this language, on a page in another one. */
  offer: "These pages in English",
  /** On pages without a catalogue in the language of their names. */
  onlyEnglish: "The words of this page are in English.",
  ignored: (name: Html) => html`The value of ${name} is invalid and ignored.`,
  asCsv: "This table as CSV",
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
