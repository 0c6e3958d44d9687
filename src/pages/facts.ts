import { ENDPOINTS } from "../api/endpoints.ts";
import { BASE_LANG, DAY_WINDOWS, LANES, LANG_CODES, LANGUAGES, type Lang, RANKS, ROLES } from "../api/enumerations.ts";
import type { Snapshot } from "../snapshot/read/snapshot.ts";
import { addressOf, type Choice, labelOf, type Option, type Values } from "./query.ts";
import { readWithheld, type Withheld } from "./withheld.ts";

/** What a snapshot has to choose from, and whether it is whole. */
export interface Facts {
  /** The languages with a list of heroes; English if no language has one. */
  langs: readonly Lang[];
  /** Each language under its own name. */
  langChoice: Choice;
  /** The ranks and windows with rates. */
  ranks: readonly Option[];
  windows: readonly Option[];
  /** The heroes under their English names. */
  heroes: readonly Option[];
  slices: number;
  /** Slices without an answer, and how many of them nobody has asked for yet. */
  missing: number;
  neverAsked: number;
  /** What the upstream refuses and what was left out: carried over or missing. */
  withheld: readonly Withheld[];
  /** Kinds of data that the snapshot has a part of, as in `2 of 17 languages`. */
  parts: readonly string[];
}

const MOST_LABEL_CHARS = 40;

const factsBySnapshot = new WeakMap<Snapshot, Facts>();

/** Read once of each open snapshot. */
export function factsOf(snapshot: Snapshot): Facts {
  const facts = factsBySnapshot.get(snapshot) ?? readFacts(snapshot);
  factsBySnapshot.set(snapshot, facts);
  return facts;
}

function readFacts(snapshot: Snapshot): Facts {
  const { select, askedTimes } = snapshot;
  const listedIn = new Set(
    select<{ lang: string }>(
      "SELECT lang FROM coverage WHERE dataset = 'heroes' AND status = 'captured' GROUP BY lang",
    ).map(({ lang }) => lang),
  );
  const listed = select<{ rank: string; days: number }>(
    "SELECT rank, days FROM coverage WHERE dataset = 'rank' AND status = 'captured' GROUP BY rank, days",
  );
  const ranks = new Set(listed.map(({ rank }) => rank));
  const days = [...new Set(listed.map(({ days: window }) => window))].sort((a, b) => a - b);
  const [{ slices, missing } = { slices: 0, missing: 0 }] = select<{ slices: number; missing: number }>(
    "SELECT count(*) AS slices, count(*) FILTER (WHERE status = 'failed') AS missing FROM coverage",
  );
  const times = askedTimes();
  const parts: [held: number, all: number, what: string][] = [
    [times.length, ENDPOINTS.filter(({ compute, from }) => !compute && !from).length, "endpoints"],
    [listedIn.size, LANG_CODES.length, "languages"],
    [ranks.size, RANKS.length, "ranks"],
    [days.length, DAY_WINDOWS.length, "windows"],
  ];
  const heroes = select<{ hero_id: number; name: string }>("SELECT hero_id, name FROM hero ORDER BY name, hero_id");
  const langs: readonly Lang[] = listedIn.size > 0 ? LANG_CODES.filter((code) => listedIn.has(code)) : [BASE_LANG];
  return {
    langs,
    langChoice: choiceOfLang(langs),
    ranks: RANKS.filter(({ code }) => ranks.has(code)).map(({ code, name }) => ({ value: code, label: name })),
    windows: days.map((window) => ({ value: String(window), label: window === 1 ? "1 day" : `${window} days` })),
    heroes: heroes.map(({ hero_id, name }) => ({ value: String(hero_id), label: name.slice(0, MOST_LABEL_CHARS) })),
    slices,
    missing,
    neverAsked: times.reduce((total, { never_asked }) => total + never_asked, 0),
    withheld: readWithheld(snapshot),
    parts: parts.filter(([held, all]) => held < all).map(([held, all, what]) => `${held} of ${all} ${what}`),
  };
}

const choiceOfLang = (langs: readonly Lang[]): Choice => ({
  name: "lang",
  label: "Language",
  options: LANGUAGES.filter(({ code }) => langs.includes(code)).map(({ code, own }) => ({ value: code, label: own })),
  fallback: langs.includes(BASE_LANG) ? BASE_LANG : (langs[0] ?? BASE_LANG),
});

const preferred = (options: readonly Option[], value: string) =>
  options.some((option) => option.value === value) ? value : (options[0]?.value ?? value);

export const rankChoice = ({ ranks }: Facts): Choice => ({
  name: "rank",
  label: "Rank",
  options: ranks,
  fallback: preferred(ranks, "all"),
});

export const daysChoice = ({ windows }: Facts): Choice => ({
  name: "days",
  label: "Window",
  options: windows,
  fallback: preferred(windows, "7"),
});

/** What travels with every link, the language first. */
export const carriedChoices = (facts: Facts): readonly [Choice, ...Choice[]] => [
  facts.langChoice,
  rankChoice(facts),
  daysChoice(facts),
];

/** The address of another page in the same language, rank and window; `changed` are values of its own choices. */
export const addressOn = (
  { facts, values }: { facts: Facts; values: Values },
  path: string,
  own: readonly Choice[] = [],
  changed: Values = {},
): string => addressOf(path, [...carriedChoices(facts), ...own], { ...values, ...changed });

/** Rank and window of a page, as in `Mythic, 7 days`; less if a snapshot has none to choose from. */
export const stateWords = (
  { facts, values }: { facts: Facts; values: Values },
  choices: readonly Choice[] = [rankChoice(facts), daysChoice(facts)],
): string =>
  choices
    .filter(({ options }) => options.length > 0)
    .map((choice) => labelOf(choice, values))
    .join(", ");

/** A title with the state of its page. */
export const withState = (title: string, state: string): string => (state === "" ? title : `${title}: ${state}`);

/** Up to so many heroes; none by default. */
export const heroesChoice = ({ heroes }: Facts, most: number, name = "heroes", label = "Hero"): Choice => ({
  name,
  label,
  options: heroes,
  fallback: "",
  most,
});

const codes = (entries: readonly { code: string }[], all: string): Option[] => [
  { value: "all", label: all },
  ...entries.map(({ code }) => ({ value: code, label: `${code.charAt(0).toUpperCase()}${code.slice(1)}` })),
];

export const ROLE_CHOICE: Choice = { name: "role", label: "Role", options: codes(ROLES, "All roles"), fallback: "all" };
export const LANE_CHOICE: Choice = { name: "lane", label: "Lane", options: codes(LANES, "All lanes"), fallback: "all" };

/** A filter against small samples: the data does not say how many matches a rate comes from. */
export const LEAST_CHOICE: Choice = {
  name: "least",
  label: "Least pick rate",
  options: ["0", "0.001", "0.0025", "0.005", "0.01", "0.02"].map((value) => ({
    value,
    label: value === "0" ? "Any" : `${100 * Number(value)}%`,
  })),
  fallback: "0",
};

/** The choice of pages that have a table for programs. */
export const FORMAT_CHOICE: Choice = {
  name: "format",
  label: "Format",
  options: [
    { value: "html", label: "Page" },
    { value: "csv", label: "CSV" },
  ],
  fallback: "html",
};
