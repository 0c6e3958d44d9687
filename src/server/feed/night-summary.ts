import * as z from "zod";
import { RANKS } from "../../api/enumerations.ts";
import { sanitizeLine } from "../../api/sanitize.ts";

/** What a feed says of a night. */
export interface NightSummary {
  /** In one line. */
  short: string;
  lines: readonly string[];
}

const MOST_NAMED = 10;
const MOST_NAME_CHARS = 60;

/** The entries that are as they should be: a mirror may have the file from elsewhere. */
const list = z.array(z.unknown()).catch([]);
const count = z.number().catch(0);

const diff = z.object({
  changes: z
    .object({
      heroes: z.object({ added: list, gone: list }),
      rates: z.object({ movers: list }),
      matchups: z.object({ matchups: list }),
      texts: list,
      tables: list,
    })
    .nullable(),
});

const hero = z.object({ name: z.string() });

const mover = z.object({
  name: z.string(),
  rank: z.string(),
  days: z.number(),
  rate: z.enum(["win_rate", "appearance_rate", "ban_rate"]),
  before: z.number(),
  after: z.number(),
});

const changedText = z.object({ lang: z.string() });

const table = z.object({ kind: z.string(), counts: z.object({ added: count, gone: count, changed: count }) });

/** Undefined if the text is no such JSON. */
export function summariseNight(json: string): NightSummary | undefined {
  const { data } = diff.safeParse(parse(json));
  if (!data) return undefined;
  const { changes } = data;
  if (!changes) return { short: "nothing changed", lines: ["Nothing changed since the night before."] };
  const { heroes, rates, matchups, texts, tables } = changes;
  const facts = [
    countOf(heroes.added.length, "new hero", "new heroes"),
    countOf(heroes.gone.length, "hero gone", "heroes gone"),
    countOf(rates.movers.length, "rate moved", "rates moved"),
    countOf(matchups.matchups.length, "matchup moved", "matchups moved"),
    countOf(texts.length, "text changed", "texts changed"),
  ].filter((fact) => fact !== undefined);
  const lines = [
    ...nameHeroes("New heroes", heroes.added),
    ...nameHeroes("Gone heroes", heroes.gone),
    ...readAll(mover, rates.movers.slice(0, MOST_NAMED)).map(describeMover),
    ...countTexts(texts),
    ...countRecords(tables),
  ];
  if (facts.length === 0) return lines.length === 0 ? NOISE : { short: "rows changed", lines };
  const short = facts.join(", ");
  return { short, lines: lines.length > 0 ? lines : [short] };
}

const NOISE: NightSummary = { short: "nothing but noise", lines: ["Rates changed no more than they do by chance."] };

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const readAll = <T>(schema: z.ZodType<T>, entries: readonly unknown[]): T[] =>
  entries.flatMap((entry) => schema.safeParse(entry).data ?? []);

const countOf = (total: number, single: string, several: string) =>
  total > 0 ? `${total} ${total === 1 ? single : several}` : undefined;

const nameOf = (name: string) => sanitizeLine(name.slice(0, MOST_NAME_CHARS));

function nameHeroes(title: string, entries: readonly unknown[]): string[] {
  const names = readAll(hero, entries.slice(0, MOST_NAMED)).map(({ name }) => nameOf(name));
  const more = entries.length - names.length;
  return names.length > 0 ? [`${title}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`] : [];
}

const RATES = { win_rate: "win rate", appearance_rate: "pick rate", ban_rate: "ban rate" };

const rankNames = new Map<string, string>(RANKS.map(({ code, name }) => [code, name]));

function describeMover({ name, rank, days, rate, before, after }: z.infer<typeof mover>): string {
  const window = days === 1 ? "1 day" : `${days} days`;
  const [was, now] = [before, after].map((share) => `${(100 * share).toFixed(2)}%`);
  return `${nameOf(name)}: ${RATES[rate]} from ${was} to ${now} (${rankNames.get(rank) ?? nameOf(rank)}, ${window})`;
}

function countTexts(texts: readonly unknown[]): string[] {
  const byLang = Map.groupBy(readAll(changedText, texts), ({ lang }) => nameOf(lang));
  const counts = [...byLang].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 2 * MOST_NAMED);
  return counts.length > 0
    ? [`Changed texts: ${counts.map(([lang, { length }]) => `${lang} ${length}`).join(", ")}`]
    : [];
}

/** Numbers change in every row every night. */
function countRecords(tables: readonly unknown[]): string[] {
  const rows = readAll(table, tables).filter(({ kind }) => kind === "row" || kind === "list");
  const [added, gone, changed] = (["added", "gone", "changed"] as const).map((name) =>
    rows.reduce((sum, { counts }) => sum + counts[name], 0),
  );
  return added || gone || changed
    ? [`Rows besides rates and texts: ${added} new, ${gone} gone, ${changed} changed`]
    : [];
}
