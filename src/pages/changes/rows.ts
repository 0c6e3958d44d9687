import { cellsApart, numbersApart } from "../../api/apart.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { type Column, count, figure, MOST_CHARS, nameIn, points, table, writePercent, writePoints } from "../format.ts";
import { type Html, html, type Piece } from "../html.ts";
import { type NightChanges, type NightDiff, parseChangedRow } from "./read.ts";

/** Rows of a table at most; the JSON has all. */
export const MOST_ROWS = 100;
/** Columns of a row at most: no row of this schema has as many. */
const MOST_COLUMNS = 40;

/** The first rows under a heading, and how many there are; undefined without rows. */
export function section(
  heading: string,
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Piece[])[],
  note?: Html,
  folded = false,
): Html | undefined {
  if (rows.length === 0) return undefined;
  const shown = rows.slice(0, MOST_ROWS);
  const said = shown.length < rows.length ? `${caption}; the first ${shown.length} of ${rows.length}` : caption;
  const listing = table(said, columns, shown);
  const part = folded
    ? html`<details><summary>${shown.length} of ${rows.length} as a table</summary>${listing}</details>`
    : listing;
  return html`<h2>${heading}</h2>${note}${part}`;
}

type Sides = [before: Html, after: Html];

/** Before and after of a row, so that they do not look the same. */
export const percentSides = (before: number, after: number): Sides => toFigures(before, after, writePercent, 2);

/** None is a dash. */
export const pointSides = (before: number | null, after: number | null): Sides =>
  before === null || after === null ? [points(before), points(after)] : toFigures(before, after, writePoints, 1);

function toFigures(
  before: number,
  after: number,
  write: (value: number, digits: number) => string,
  least: number,
): Sides {
  const [was, now] = numbersApart(before, after, write, least);
  return [figure(before, () => was), figure(after, () => now)];
}

type CellValue = string | number | null;

/** Cut to the length of a name, around the place where they differ. */
function nameSides(before: CellValue, after: CellValue): Sides {
  const [was, now] = cellsApart(before, after, MOST_CHARS.name);
  return [nameIn(BASE_LANG, was), nameIn(BASE_LANG, now)];
}

const number = (head: string): Column => ({ head, number: true });

export function heroes({ heroes: { added, gone } }: NightChanges): Html | undefined {
  const line = (what: string) => (hero: { hero_id: number; name: string }) => [
    nameIn(BASE_LANG, hero.name),
    what,
    String(hero.hero_id),
  ];
  const columns = [{ head: "Hero" }, { head: "What happened" }, number("Id")];
  return section("New and gone heroes", "By their English names", columns, [
    ...added.map(line("new")),
    ...gone.map(line("gone")),
  ]);
}

/** Skills, items, spells and the like; lists are told whole. */
export function records({ tables, lists }: NightChanges): Html {
  const name = (label: string, key: Readonly<Record<string, unknown>>) =>
    html`${nameIn(BASE_LANG, label)}${typeof key.lang === "string" && ` (${key.lang})`}`;
  const listed = tables.filter(({ kind }) => kind === "row" || kind === "text");
  const moved = listed.flatMap(({ table: from, added, gone }) => [
    ...added.map(({ label, key }) => [name(label, key), from, "new"]),
    ...gone.map(({ label, key }) => [name(label, key), from, "gone"]),
  ]);
  // Texts are in another table.
  const changed = listed
    .filter(({ kind }) => kind === "row")
    .flatMap(({ table: name, changed }) => changed.map((row) => ({ table: name, row })))
    .map(({ table: of, row }, index) => (index < MOST_ROWS ? changedRow(name, of, row) : []));
  const changedLists = lists.map(({ table: from, label, key, before, after }) => [
    name(label, key),
    from,
    ...nameSides(before.join(", "), after.join(", ")),
  ]);
  const of = { head: "Of" };
  const from = { head: "Table" };
  return html`${section("New and gone records", "By table, without what came or went with its owner", [of, from, { head: "What happened" }], moved)}
${section("Changed records", "By table", [of, from, { head: "Change" }], changed, undefined, true)}
${section("Roles, lanes, relations and other lists", "Each list as a whole", [of, from, { head: "Before" }, { head: "After" }], changedLists)}`;
}

function changedRow(
  name: (label: string, key: Readonly<Record<string, unknown>>) => Html,
  of: string,
  row: unknown,
): Piece[] {
  const { label = "?", key = {}, columns = {} } = parseChangedRow(row) ?? {};
  const values = Object.entries(columns)
    .slice(0, MOST_COLUMNS)
    .map(([column, { before, after }], index) => {
      const [was, now] = nameSides(before, after);
      return html`${index > 0 && ", "}${nameIn(BASE_LANG, column)}: ${was} → ${now}`;
    });
  return [name(label, key), of, html`${values}`];
}

/** How much of each endpoint and table is not as it was. */
export function countsOf({ coverage, tables }: NightChanges): Html {
  const recordsOf = ({ languages }: NightChanges["coverage"][number], side: "before" | "after") =>
    languages.reduce((sum, counts) => sum + (counts[side]?.records ?? 0), 0);
  const endpoints = coverage.map((endpoint) => {
    const { added, gone, changed, same } = endpoint.slices;
    const more = recordsOf(endpoint, "after") - recordsOf(endpoint, "before");
    return [
      endpoint.dataset,
      ...[changed, added, gone, same].map(count),
      `${more > 0 ? "+" : ""}${more}`.replace("-", "−"),
    ];
  });
  const rows = tables.map(({ table: name, counts: { added, gone, changed } }) => [
    name,
    ...[changed, added, gone].map(count),
  ]);
  const columns = ["Changed", "New", "Gone"].map(number);
  return html`${section("By endpoint", "Answers that both nights were asked for", [{ head: "Endpoint" }, ...columns, number("The same"), number("Records")], endpoints)}
${section("By table", "Rows that came, went or hold other values", [{ head: "Table" }, ...columns], rows)}`;
}

/** What rolling nights asked for anew: only those answers can have changed. */
export function askedAnew({ asked = [] }: NightDiff): Html | undefined {
  const rows = asked.map(({ dataset, compared, carried, not_asked, changed_after, changed_before }) => [
    dataset,
    ...[compared, carried, not_asked].map(count),
    compared === 0 ? "–" : [...new Set([changed_after.slice(0, 10), changed_before.slice(0, 10)])].join(" – "),
  ]);
  return section(
    "What was asked anew",
    "Answers by endpoint, and between which days they may have changed",
    [{ head: "Endpoint" }, number("Compared"), number("Carried over"), number("Not asked in one"), { head: "Between" }],
    rows,
    html`<p>At least one of the two nights is rolling. Only answers that were asked for anew are compared: an answer that was carried over from an earlier night is the same in both, which says nothing.</p>`,
  );
}
