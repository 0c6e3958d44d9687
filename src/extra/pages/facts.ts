import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG, DAY_WINDOWS, LANG_CODES, LANGUAGES, type Lang, RANKS } from "../../api/enumerations.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { readWithheld, type Withheld } from "../../snapshot/report/withheld.ts";
import { SELDOM_PICK_RATE } from "../../snapshot/schema/views/tiers.ts";
import { MOST_LABEL_CHARS, type NamedOptions, readNamedOptions } from "./choices/named-options.ts";
import { type Figures, figuresIn } from "./figures.ts";
import { type CalledHero, findHero, heroesInAlphabet } from "./heroes/names.ts";
import { addressOf, type Choice, labelOf, type Option, readQuery, type Values } from "./query.ts";
import type { Messages } from "./words/messages.ts";
import { messagesIn } from "./words/words.ts";

/** The contents of a snapshot, and whether it is complete. */
interface SnapshotFacts {
  /** The languages with a list of heroes; English if no language has one. */
  langs: readonly Lang[];
  /** The ranks and windows with rates. */
  rankCodes: ReadonlySet<string>;
  days: readonly number[];
  /** The hero of a page that needs one and is given none: the same one in each language. */
  firstHero: string;
  slices: number;
  /** Slices without an answer, and how many of them nobody has asked for yet. */
  missing: number;
  neverAsked: number;
  /** Data that the upstream refuses or that was left out: carried over or missing. */
  withheld: readonly Withheld[];
  /** Kinds of data that the snapshot has a part of. */
  partsHeld: readonly Part[];
}

type Part = [held: number, all: number, what: keyof Messages["mirror"]["parts"]];

/** The same, and what there is to choose from in the words of a language. */
export interface Facts extends SnapshotFacts, NamedOptions {
  messages: Messages;
  figures: Figures;
  /** Each language under its own name. */
  langChoice: Choice;
  windows: readonly Option[];
  /** The heroes under their names in the language of the page, in its alphabet. */
  roster: ReadonlyMap<number, CalledHero>;
  heroes: readonly Option[];
  /** The hero that a word means: its id, or its name in any language. */
  findHero: (word: string) => string | undefined;
  /** Phrases such as `2 of 17 languages`. */
  parts: readonly string[];
}

const factsBySnapshot = new WeakMap<Snapshot, Map<string, Facts>>();

/** Reads the facts once for each open snapshot and language; `words` is the language of what is not of the snapshot, and is loaded. */
export function factsOf(snapshot: Snapshot, lang: Lang = BASE_LANG, words: Lang = lang): Facts {
  const known = factsBySnapshot.get(snapshot) ?? new Map<string, Facts>();
  factsBySnapshot.set(snapshot, known);
  const key = `${lang} ${words}`;
  const facts = known.get(key) ?? nameFacts(known.values().next().value ?? readFacts(snapshot), snapshot, lang, words);
  known.set(key, facts);
  return facts;
}

/** The language that a request asks for, if the snapshot has it. */
export const langOf = (snapshot: Snapshot, query: URLSearchParams): Lang =>
  readQuery([factsOf(snapshot).langChoice], query).values.lang as Lang;

/** Puts the facts that all languages share into the words of one. */
function nameFacts(facts: SnapshotFacts, snapshot: Snapshot, lang: Lang, words: Lang): Facts {
  const messages = messagesIn(words);
  const { ranks, roles, lanes } = readNamedOptions(snapshot, lang, messages.frame);
  const figures = figuresIn(messages.language);
  const heroes = heroesInAlphabet(snapshot, lang);
  return {
    ...facts,
    messages,
    figures,
    roster: new Map(heroes.map((hero) => [hero.id, hero])),
    heroes: heroes.map(toOption),
    findHero: (word) => findHero(snapshot, lang, word)?.toString(),
    ranks: ranks.filter(({ value }) => facts.rankCodes.has(value)),
    windows: facts.days.map((days) => ({ value: String(days), label: figures.writeUnits("day", days) })),
    roles,
    lanes,
    langChoice: choiceOfLang(facts.langs, messages.frame),
    parts: facts.partsHeld.map(([held, all, what]) => messages.mirror.parts[what]({ held, all })),
  };
}

const toOption = ({ id, name, lang }: CalledHero): Option => ({
  value: String(id),
  label: name.slice(0, MOST_LABEL_CHARS),
  lang,
});

function readFacts(snapshot: Snapshot): SnapshotFacts {
  const { select, askedTimes } = snapshot;
  const listedIn = new Set(
    select<{ lang: string }>(
      "SELECT lang FROM coverage WHERE dataset = 'heroes' AND status = 'captured' GROUP BY lang",
    ).map(({ lang }) => lang),
  );
  const listed = select<{ rank: string; days: number }>(
    "SELECT rank, days FROM coverage WHERE dataset = 'rank' AND status = 'captured' GROUP BY rank, days",
  );
  const rankCodes = new Set(listed.map(({ rank }) => rank));
  const days = [...new Set(listed.map(({ days: window }) => window))].sort((a, b) => a - b);
  const [{ slices, missing } = { slices: 0, missing: 0 }] = select<{ slices: number; missing: number }>(
    "SELECT count(*) AS slices, count(*) FILTER (WHERE status = 'failed') AS missing FROM coverage",
  );
  const times = askedTimes();
  const parts: Part[] = [
    [times.length, ENDPOINTS.filter(({ compute, from }) => !compute && !from).length, "endpoints"],
    [listedIn.size, LANG_CODES.length, "languages"],
    [rankCodes.size, RANKS.length, "ranks"],
    [days.length, DAY_WINDOWS.length, "windows"],
  ];
  return {
    langs: listedIn.size > 0 ? LANG_CODES.filter((code) => listedIn.has(code)) : [BASE_LANG],
    rankCodes,
    days,
    firstHero: heroesInAlphabet(snapshot, BASE_LANG)[0]?.id.toString() ?? "",
    slices,
    missing,
    neverAsked: times.reduce((total, { never_asked }) => total + never_asked, 0),
    withheld: readWithheld(snapshot.select, snapshot.closedParts(), [...snapshot.endpointStates().values()]),
    partsHeld: parts.filter(([held, all]) => held < all),
  };
}

const choiceOfLang = (langs: readonly Lang[], words: Messages["frame"]): Choice => ({
  name: "lang",
  label: words.choices.language,
  options: LANGUAGES.filter(({ code }) => langs.includes(code)).map(({ code, own }) => ({ value: code, label: own })),
  fallback: langs.includes(BASE_LANG) ? BASE_LANG : (langs[0] ?? BASE_LANG),
});

const preferred = (options: readonly Option[], value: string) =>
  options.some((option) => option.value === value) ? value : (options[0]?.value ?? value);

export const rankChoice = ({ ranks, messages: { frame } }: Facts): Choice => ({
  name: "rank",
  label: frame.choices.rank,
  options: ranks,
  fallback: preferred(ranks, "all"),
});

export const daysChoice = ({ windows, messages: { frame } }: Facts): Choice => ({
  name: "days",
  label: frame.choices.window,
  options: windows,
  fallback: preferred(windows, "7"),
});

/** The choices that travel with every link, the language first. */
export const carriedChoices = (facts: Facts): readonly [Choice, ...Choice[]] => [
  facts.langChoice,
  rankChoice(facts),
  daysChoice(facts),
];

/** The query of most links of a page, which has hundreds. */
const queryByValues = new WeakMap<Values, string>();

/** The address of another page in the same language, rank and window; `changed` are values of its own choices. */
export function addressOn(
  { facts, values }: { facts: Facts; values: Values },
  path: string,
  own?: readonly Choice[],
  changed: Values = {},
): string {
  if (own) return addressOf(path, [...carriedChoices(facts), ...own], { ...values, ...changed });
  const query = queryByValues.get(values) ?? addressOf("", carriedChoices(facts), values);
  queryByValues.set(values, query);
  return path + query;
}

/** Names the rank and window of a page, as in `Mythic, 7 days`; less if a snapshot has none to choose from. */
export const stateWords = (
  { facts, values }: { facts: Facts; values: Values },
  choices: readonly Choice[] = [rankChoice(facts), daysChoice(facts)],
): string =>
  choices
    .filter(({ options }) => options.length > 0)
    .map((choice) => labelOf(choice, values))
    .join(facts.messages.frame.comma);

/** A title with the state of its page. */
export const withState = ({ frame }: Messages, title: string, state: string): string =>
  state === "" ? title : frame.stated({ title, state });

/** A choice of up to so many heroes; none by default. */
export const heroesChoice = (
  { heroes, findHero: find, messages: { frame } }: Facts,
  most: number,
  name = "heroes",
  label = frame.choices.hero,
): Choice => ({ name, label, options: heroes, find, fallback: "", most });

const roleChoice = ({ roles, messages: { frame } }: Facts): Choice => ({
  name: "role",
  label: frame.choices.role,
  options: [{ value: "all", label: frame.allRoles }, ...roles],
  fallback: "all",
});

const laneChoice = ({ lanes, messages: { frame } }: Facts): Choice => ({
  name: "lane",
  label: frame.choices.lane,
  options: [{ value: "all", label: frame.allLanes }, ...lanes],
  fallback: "all",
});

/** The filters of heroes by what they are: links where heroes are listed, fields beside a draft. */
export const filterChoices = (facts: Facts): Choice[] => [roleChoice(facts), laneChoice(facts)];

/** The order of a table: the first option is the one without a choice. */
export const sortChoice = ({ messages: { frame } }: Facts, options: readonly [Option, ...Option[]]): Choice => ({
  name: "sort",
  label: frame.choices.sortedBy,
  options,
  fallback: options[0].value,
});

/** The filters of heroes, open for all of them. */
export const EVERY_HERO: Values = { role: "all", lane: "all", least: "0" };

/**
 * A filter against small samples: the data does not say how many matches a rate comes from. Heroes that hardly anybody picks are not
 * what a list is asked for.
 */
export const leastChoice = ({ messages: { frame }, figures }: Facts): Choice => ({
  name: "least",
  label: frame.choices.leastPickRate,
  options: LEAST_PICK_RATES.map((least) => ({
    value: `${least}`,
    label: least === 0 ? frame.any : figures.writeRoundPercent(least),
  })),
  fallback: `${SELDOM_PICK_RATE}`,
});

const LEAST_PICK_RATES = [0, SELDOM_PICK_RATE, 0.0025, 0.005, 0.01, 0.02];
