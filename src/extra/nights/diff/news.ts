import { numbersApart } from "../../../api/apart.ts";
import { RANKS } from "../../../api/enumerations.ts";
import { sanitizeLine } from "../../../api/sanitize.ts";
import { countOf, signedPoints } from "../../../base/words.ts";
import type { ListChange } from "./rows/lists.ts";
import type { TableChange } from "./rows/rows.ts";
import type { TextChange } from "./rows/texts.ts";
import type { MatchupChanges } from "./statistics/matchups.ts";
import type { RateChanges, RateMover } from "./statistics/rates.ts";

// A type, not an interface, so that it passes for a row.
export type ToldHero = { hero_id: number; name: string };

/** The changes of which words tell. */
export interface Tellable {
  heroes: { added: ToldHero[]; gone: ToldHero[] };
  rates: RateChanges;
  matchups: MatchupChanges;
  texts: TextChange[];
  lists: ListChange[];
  tables: TableChange[];
}

/** A night in words: the command line and the feed say them, and the page of the same JSON has the rows that they count. */
export interface News {
  /** The news in one line. */
  short: string;
  lines: string[];
}

const MOST_NAMED = 10;
const MOST_NAME_CHARS = 60;

const UNCHANGED: News = { short: "nothing changed", lines: ["Nothing changed since the night before."] };
const NOISE: News = {
  short: "nothing changed beyond the noise",
  lines: ["Rates changed no more than they do by chance."],
};
/** A filter knows nothing of what it leaves out. */
const NOISE_THAT_FITS: News = {
  short: "nothing that fits changed beyond the noise",
  lines: ["Nothing that fits the filters changed beyond the noise."],
};

export function tellNews(changes: Tellable | null, isUnfiltered = true): News {
  if (!changes) return UNCHANGED;
  const { heroes, rates, matchups, texts } = changes;
  const listed = changes.tables.filter(({ kind }) => kind === "row" || kind === "text");
  const records = {
    added: listed.flatMap(({ added }) => added).length,
    gone: listed.flatMap(({ gone }) => gone).length,
    changed: listed.flatMap(({ kind, changed }) => (kind === "row" ? changed : [])).length,
  };
  const facts: [count: number, single: string, several: string][] = [
    [heroes.added.length, "new hero", "new heroes"],
    [heroes.gone.length, "hero gone", "heroes gone"],
    [rates.movers.length, "rate moved", "rates moved"],
    [matchups.matchups.length, "matchup moved", "matchups moved"],
    [texts.length, "text changed", "texts changed"],
    [records.added, "new record", "new records"],
    [records.gone, "record gone", "records gone"],
    [records.changed, "record changed", "records changed"],
    [changes.lists.length, "list changed", "lists changed"],
  ];
  const found = facts.filter(([count]) => count > 0);
  if (found.length === 0) return isUnfiltered ? NOISE : NOISE_THAT_FITS;
  const movers = inTurns(rates.movers, ({ rate }) => rate, MOST_NAMED);
  return {
    short: found.map(([count, single, several]) => `${count} ${count === 1 ? single : several}`).join(", "),
    lines: [
      ...nameAll("New heroes", heroes.added),
      ...nameAll("Gone heroes", heroes.gone),
      ...movers.map(describeMover),
      ...more(rates.movers.length - movers.length, "rate"),
      ...matchups.matchups.slice(0, MOST_NAMED).map(describeMatchup),
      ...more(matchups.matchups.length - MOST_NAMED, "matchup"),
      ...countEach("Changed texts", texts, ({ lang }) => lang),
      ...nameAll("New records", labelsOf(listed.flatMap(({ added }) => added))),
      ...nameAll("Gone records", labelsOf(listed.flatMap(({ gone }) => gone))),
      ...countEach("Changed lists", changes.lists, ({ table }) => table),
    ],
  };
}

/** The first of them; each kind has its share, what one leaves goes to the others. */
export function inTurns<Entry>(entries: readonly Entry[], kindOf: (entry: Entry) => string, most: number): Entry[] {
  const turns = [...Map.groupBy(entries, kindOf).values()].flatMap((same) =>
    same.map((entry, turn) => ({ entry, turn })),
  );
  const chosen = new Set(
    turns
      .sort((a, b) => a.turn - b.turn)
      .slice(0, most)
      .map(({ entry }) => entry),
  );
  return entries.filter((entry) => chosen.has(entry));
}

const nameOf = (name: string) => sanitizeLine(name.slice(0, MOST_NAME_CHARS));

/** Names each label once: a text that is new in every language has a row for each. */
const labelsOf = (rows: readonly { label: string }[]): { name: string }[] =>
  [...new Set(rows.map(({ label }) => label))].map((name) => ({ name }));

function nameAll(title: string, entries: readonly { name: string }[]): string[] {
  const names = entries.slice(0, MOST_NAMED).map(({ name }) => nameOf(name));
  const rest = entries.length - names.length;
  return names.length > 0 ? [`${title}: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`] : [];
}

const more = (count: number, what: string) => (count > 0 ? [`… and ${countOf(count, `more ${what}`)}`] : []);

function countEach<Entry>(title: string, entries: readonly Entry[], kindOf: (entry: Entry) => string): string[] {
  const counts = [...Map.groupBy(entries, kindOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return counts.length > 0
    ? [`${title}: ${counts.map(([kind, { length }]) => `${nameOf(kind)} ${length}`).join(", ")}`]
    : [];
}

const RATE_WORDS = { win_rate: "win rate", appearance_rate: "pick rate", ban_rate: "ban rate" };

const rankNames = new Map<string, string>(RANKS.map(({ code, name }) => [code, name]));
const rankOf = (rank: string) => rankNames.get(rank) ?? nameOf(rank);

const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)}%`;

function describeMover({ name, rank, days, rate, before, after }: RateMover): string {
  const [was, now] = numbersApart(before, after, percent, 2);
  return `${nameOf(name)}: ${RATE_WORDS[rate]} from ${was} to ${now} (${rankOf(rank)}, ${countOf(days, "day")})`;
}

function describeMatchup({ name, other, rank, before, after }: MatchupChanges["matchups"][number]): string {
  const [was, now] = numbersApart(before, after, signedPoints, 2);
  return `${nameOf(name)} against ${nameOf(other)}: from ${was} to ${now} points (${rankOf(rank)})`;
}
