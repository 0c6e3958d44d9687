import { stringify } from "csv-stringify/sync";
import { type Kinds, type Maybe, NUMBERS } from "../../snapshot/report/report.ts";
import { nameIn } from "./format.ts";
import { heroLink } from "./hero-link.ts";
import { type Html, html, type Piece } from "./html.ts";
import type { CsvReport, PageContext } from "./page.ts";
import type { Choice } from "./query.ts";
import type { Messages } from "./words/messages.ts";

/** A table of a page: rows of a query, as people read them and as programs get them. */
export interface PageReport<Row extends object> extends Partial<Pick<CsvReport, "csv">> {
  caption: string;
  columns: readonly PageColumn<Row>[];
  /** The rows, in their order. */
  rows: readonly Row[];
}

/** The kinds of values that a page writes, and what such a value is. */
interface PageKinds extends Omit<Kinds, "text"> {
  hero: number;
  /** A hero without its picture, for tables with many. */
  plainHero: number;
  /** A piece of HTML, or a word of ours. */
  text: Piece;
  /** A number, as it stands or as it is written. */
  number: Piece;
  /** A name of the data in the language of names. */
  name: Maybe<string>;
  code: string;
  /** Points in the colour of better or worse. */
  gain: number;
}

/** A column of a table, as in any report; its head may have links, and its values may be made for the page. */
export interface PageColumn<Row> {
  head: Piece;
  kind: keyof PageKinds;
  of: string | ((row: Row, context: PageContext) => PageKinds[keyof PageKinds]);
  /** Names the row; by default the first column does. */
  names?: boolean;
}

const NONE = "–";

const isThere = <Value>(value: Maybe<Value>): value is Value => value !== null && value !== undefined;

export const inColour = (difference: number, written: Piece): Html =>
  html`<span class="${difference < 0 ? "down" : "up"}">${written}</span>`;

/** How a page writes a value of each kind. */
const WRITE: { [Kind in keyof PageKinds]: (value: PageKinds[Kind], context: PageContext) => Piece } = {
  hero: (id, context) => heroLink(id, context),
  plainHero: (id, context) => heroLink(id, { ...context, pictures: false }),
  text: (value) => value ?? NONE,
  number: (value) => value ?? NONE,
  word: (value) => (isThere(value) ? nameIn("en", value) : NONE),
  name: (value, { lang }) => (isThere(value) ? nameIn(lang, value) : NONE),
  code: (value) => html`<code>${value}</code>`,
  share: (value, { figures }) => figures.percent(value),
  points: (value, { figures }) => figures.points(value),
  gain: (value, { figures }) => inColour(value, figures.points(value)),
  count: (value, { figures }) => figures.count(value),
  lack: (value, { figures: { count } }) => (value === 0 ? count(0) : html`<b class="down">${count(value)}</b>`),
  bytes: (value, { figures }) => figures.bytes(value),
  day: (value, { figures }) => figures.day(value),
  time: (value, { figures }) => figures.time(value),
  times: ([first, last], { figures: { time } }) =>
    first === last ? time(first) : html`${time(first)} to ${time(last)}`,
};

const NUMBERS_HERE: ReadonlySet<string> = new Set([...NUMBERS, "number", "gain"]);

/** A column of values of a kind, which are a field of the rows, or made of them. */
interface MakeColumn<Value> {
  <Field extends string>(field: Field, head: Piece): PageColumn<{ readonly [Name in Field]?: Value }>;
  <Row>(of: (row: Row, context: PageContext) => Value, head: Piece): PageColumn<Row>;
}

/** A column by the kind of its values; its field, which is a column of a view as a rule, and its head. */
export const column = Object.fromEntries(
  Object.keys(WRITE).map((kind) => [kind, (of: PageColumn<never>["of"], head: Piece) => ({ head, kind, of })]),
) as unknown as { [Kind in keyof PageKinds]: MakeColumn<PageKinds[Kind]> };

export type RateName = "win_rate" | "appearance_rate" | "ban_rate";

/** A row of a view with the rates of a hero. */
export interface RatesOfHero extends Record<RateName, number> {
  hero_id: number;
}

/** The columns of the rates of a hero. */
export const rateColumns = ({ frame: { rates: words } }: Messages) =>
  [
    column.share("win_rate", words.winRate),
    column.share("appearance_rate", words.pickRate),
    column.share("ban_rate", words.banRate),
  ] as const;

/** Scrolls by itself if it is too wide. */
export function showTable<Row extends object>(context: PageContext, { caption, columns, rows }: PageReport<Row>): Html {
  const head = Math.max(
    0,
    columns.findIndex(({ names }) => names),
  );
  const cells = columns.map(({ kind, of }) => ({
    of,
    place: NUMBERS_HERE.has(kind) && html` class="number"`,
    write: WRITE[kind] as (value: unknown, context: PageContext) => Piece,
  }));
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption><span>${caption}</span></caption>
<thead><tr>${columns.map((column, index) => html`<th scope="col"${cells[index]?.place}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${cells.map(({ of, place, write }, index) => {
      const value = typeof of === "string" ? (row as Record<string, unknown>)[of] : of(row, context);
      const written = write(value, context);
      return index === head ? html`<th scope="row"${place}>${written}</th>` : html`<td${place}>${written}</td>`;
    })}</tr>
`,
  )}</tbody></table></div>`;
}

/** Texts that a spreadsheet would take for formulas are escaped. */
export function writeCsv({ csv, rows }: CsvReport, nameOf: (heroId: number) => string): string {
  const named = csv.includes("hero")
    ? rows.map((row) => ({ ...row, hero: nameOf((row as { hero_id: number }).hero_id) }))
    : rows;
  return stringify([...named], { header: true, columns: [...csv], escape_formulas: true });
}

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
