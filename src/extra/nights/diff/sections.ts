import { cellsApart } from "../../../api/apart.ts";
import { driftReport } from "../../../snapshot/report/held.ts";
import type { AnyReport, Column, LineKinds, Report } from "../../../snapshot/report/report.ts";
import type { DatasetMoments, Moments } from "./asked.ts";
import type { DatasetChange } from "./coverage.ts";
import type { Changes, Diff } from "./diff.ts";
import type { ToldHero } from "./news.ts";
import type { ListChange } from "./rows/lists.ts";
import type { NamedRow, TableChange } from "./rows/rows.ts";
import { MIN_SCORE } from "./statistics/noise.ts";
import type { RateMover } from "./statistics/rates.ts";

/** A table of what changed. */
export interface Section extends AnyReport {
  /** The kind of a row: if only some rows are told, each kind gets its share. */
  kindOf?: (row: never) => string;
}

interface SectionOf<Row extends object> extends Report<Row, LineKinds> {
  kindOf?: (row: Row) => string;
}

/** Adds a last column with the days between which each row changed, if one of the snapshots is rolling. */
const section = <Row extends object>(made: SectionOf<Row>): Section =>
  made.rows.some((row) => "changed_after" in row) ? { ...made, columns: [...made.columns, BETWEEN] } : made;

const BETWEEN: Column<Partial<Moments>> = { head: "Between", kind: "text", of: between };

const signed = (count: number) => (count > 0 ? `+${count}` : String(count).replace("-", "−"));

/** Writes in one line what is compared. */
export function headline({ before, after, identical, changes, asked }: Diff): string {
  if (identical) return `${before.version} and ${after.version} hold the same data${describeAsked(asked)}`;
  const apart = changes.days_apart === 1 ? "one night apart" : `${changes.days_apart} nights apart`;
  const game =
    before.game_version === after.game_version
      ? ""
      : `, game ${cellsApart(before.game_version, after.game_version).join(" → ")}`;
  return `${before.version} → ${after.version}, ${apart}${game}${describeAsked(asked)}`;
}

function describeAsked(asked: readonly DatasetMoments[] | undefined): string {
  if (!asked) return "";
  const sum = (what: "compared" | "carried" | "older" | "not_asked") =>
    asked.reduce((total, { [what]: count }) => total + count, 0);
  const [compared, carried, older, missing] = [sum("compared"), sum("carried"), sum("older"), sum("not_asked")];
  const parts = [
    `${compared} answers compared`,
    ...(older > 0 ? [`${older} of them older in the second`] : []),
    `${carried} carried over`,
    ...(missing > 0 ? [`${missing} not asked in one of them`] : []),
  ];
  return `; ${parts.join(", ")}`;
}

/** Writes the lines under the headline: the filters, and how much changed. */
export function preamble({ filters, news, changes }: Diff): string[] {
  if (!changes) return [];
  const named = Object.entries(filters).map(
    ([name, values]) => `${name} ${(values as (string | number)[]).join(", ")}`,
  );
  const only = named.length > 0 ? [`Only ${named.join("; ")}; what does not fit is left out.`] : [];
  return [...only, `${news.short}.`];
}

/** Makes the tables of what changed; those without a row are left out. */
export function toSections(changes: Changes, moments: readonly DatasetMoments[] = []): Section[] {
  const parts = [heroes, rates, matchups, texts, lists, rows, numbers, shape, coverage];
  return [...parts.map((part) => part(changes)), asked(moments)].filter(({ rows: found }) => found.length > 0);
}

function heroes({ heroes: { added, gone } }: Changes): Section {
  const told = (what: string) => (hero: ToldHero) => ({ ...hero, what });
  return section({
    caption: "Heroes",
    columns: [
      { head: "", kind: "text", of: "what" },
      { head: "Id", kind: "count", of: "hero_id" },
      { head: "Name", kind: "text", of: "name" },
    ],
    rows: [...added.map(told("added")), ...gone.map(told("gone"))],
  });
}

function rates({ rates: { movers, spread } }: Changes): Section {
  const idOf = ({ rank, days, rate }: { rank: string; days: number; rate: string }) => `${rank} ${days} ${rate}`;
  const medians = new Map(spread.map((group) => [idOf(group), group.median]));
  return section({
    caption: "Rates",
    note: `Changes of ${MIN_SCORE} deviations and more from what all heroes did in that rank and window (others), in points of a percent.`,
    columns: [
      { head: "Hero", kind: "text", of: "name" },
      { head: "Rank", kind: "text", of: "rank" },
      { head: "Days", kind: "count", of: "days" },
      { head: "Rate", kind: "text", of: ({ rate }) => rate.replace("_rate", "") },
      { head: "Before", kind: "shareSide", of: ({ before, after }) => [before, after, 0] },
      { head: "After", kind: "shareSide", of: ({ before, after }) => [before, after, 1] },
      { head: "Change", kind: "points", of: "change" },
      { head: "Others", kind: "points", of: (mover) => medians.get(idOf(mover)) ?? 0 },
      { head: "Far", kind: "deviations", of: "score" },
      { head: "Also in", kind: "text", of: alsoIn },
    ],
    rows: movers,
    kindOf: ({ rate }) => rate,
  });
}

const alsoIn = ({ also_in }: RateMover) =>
  also_in
    .map(({ days }) => days)
    .sort((a, b) => a - b)
    .join(" ");

const matchups = ({ matchups: { matchups: found } }: Changes): Section =>
  section({
    caption: "Matchups",
    note: "How much better a hero does against another than before, by the same measure.",
    columns: [
      { head: "Hero", kind: "text", of: "name" },
      { head: "Against", kind: "text", of: "other" },
      { head: "Rank", kind: "text", of: "rank" },
      { head: "Before", kind: "pointsSide", of: ({ before, after }) => [before, after, 0] },
      { head: "After", kind: "pointsSide", of: ({ before, after }) => [before, after, 1] },
      { head: "Change", kind: "points", of: "change" },
      { head: "Far", kind: "deviations", of: "score" },
    ],
    rows: found,
  });

const texts = ({ texts: found }: Changes): Section =>
  section({
    caption: "Texts",
    columns: [
      { head: "Of", kind: "text", of: "label" },
      { head: "Text", kind: "text", of: ({ column }) => column.replace("_plain", "") },
      { head: "Language", kind: "text", of: "lang" },
      { head: "Change", kind: "runs", of: "words" },
    ],
    rows: found,
  });

const nameRow = ({ label, key }: Pick<ListChange, "label" | "key">) => (key.lang ? `${label} (${key.lang})` : label);

function lists({ lists: found }: Changes): Section {
  const sides = ({ before, after }: ListChange) => [before.join(", "), after.join(", ")] as const;
  return section({
    caption: "Roles, lanes, relations and other lists",
    columns: [
      { head: "List", kind: "text", of: "table" },
      { head: "Of", kind: "text", of: nameRow },
      { head: "Before", kind: "wordSide", of: (list) => [...sides(list), 0] },
      { head: "After", kind: "wordSide", of: (list) => [...sides(list), 1] },
    ],
    rows: found,
  });
}

function rows({ tables }: Changes): Section {
  const found = tables.flatMap(({ table, kind, added, gone, changed }) => {
    const told = (what: string) => (row: NamedRow & { columns?: ChangedCells }) => ({
      columns: {},
      ...row,
      table,
      what,
    });
    if (kind !== "row" && kind !== "text") return [];
    // Changed texts are in another table.
    return [
      ...added.map(told("added")),
      ...gone.map(told("gone")),
      ...(kind === "row" ? changed : []).map(told("changed")),
    ];
  });
  return section({
    caption: "Rows",
    columns: [
      { head: "Table", kind: "text", of: "table" },
      { head: "", kind: "text", of: "what" },
      { head: "Of", kind: "text", of: nameRow },
      { head: "Change", kind: "text", of: ({ columns }) => describeChange(columns) },
    ],
    rows: found,
  });
}

type ChangedCells = TableChange["changed"][number]["columns"];

const describeChange = (columns: ChangedCells) =>
  Object.entries(columns)
    .map(([name, { before, after }]) => `${name}: ${cellsApart(before, after).join(" → ")}`)
    .join(", ");

const numbers = ({ tables }: Changes): Section =>
  section({
    caption: "Tables",
    note: "How many rows came, went and hold other values.",
    columns: [
      { head: "Table", kind: "text", of: "table" },
      { head: "Added", kind: "count", of: ({ counts }) => counts.added },
      { head: "Gone", kind: "count", of: ({ counts }) => counts.gone },
      { head: "Changed", kind: "count", of: ({ counts }) => counts.changed },
    ],
    rows: tables,
  });

const shape = ({ shape: drift }: Changes): Section => driftReport(drift);

/** Tells how counts changed; languages with the same changes share a row. */
function coverage({ coverage: datasets }: Changes): Section {
  const names = ["slices", "captured", "empty", "failed", "records"] as const;
  const describe = ({ before, after }: DatasetChange["languages"][number]) =>
    names
      .map((name) => [name, (after?.[name] ?? 0) - (before?.[name] ?? 0)] as const)
      .flatMap(([name, change]) => (change === 0 ? [] : `${signed(change)} ${name}`))
      .join(", ");
  return section({
    caption: "Coverage",
    columns: [
      { head: "Endpoint", kind: "text", of: "dataset" },
      { head: "Languages", kind: "text", of: ({ alike }) => alike.map(({ lang }) => lang).join(" ") },
      { head: "Change", kind: "text", of: "change" },
    ],
    rows: datasets.flatMap(({ dataset, languages }) =>
      [...Map.groupBy(languages, describe)].map(([change, alike]) => ({ dataset, alike, change })),
    ),
  });
}

function between({ changed_after = "", changed_before = "" }: Partial<Moments>): string {
  const days = new Set([changed_after, changed_before].map((moment) => moment.slice(0, 10)));
  return [...days].join(" – ");
}

const asked = (rows: readonly DatasetMoments[]): Section => ({
  caption: "What was asked",
  note: "Answers that both have from the same crawl are carried over, and not compared. Changes are of between these days.",
  columns: ASKED,
  rows,
});

const ASKED: readonly Column<DatasetMoments>[] = [
  { head: "Endpoint", kind: "text", of: "dataset" },
  { head: "Compared", kind: "count", of: "compared" },
  { head: "Older in the second", kind: "count", of: "older" },
  { head: "Carried over", kind: "count", of: "carried" },
  { head: "Not asked", kind: "count", of: "not_asked" },
  { head: "Between", kind: "text", of: (dataset) => (dataset.compared === 0 ? "" : between(dataset)) },
];
