import { stringify } from "csv-stringify/sync";
import { nameIn } from "./format.ts";
import { heroLink } from "./hero-link.ts";
import { type Html, html, type Piece } from "./html.ts";
import type { CsvReport, PageContext } from "./page.ts";
import type { Choice } from "./query.ts";
import type { Messages } from "./words/messages.ts";

/** A table of a page: rows of a query, as people read them and as programs get them. */
export interface Report<Row extends object> extends Partial<Pick<CsvReport, "csv">> {
  caption: string;
  columns: readonly Column<Row>[];
  /** The rows, in their order. */
  rows: readonly Row[];
}

/** A column of a table. The kind of its values says how they are written and where they stand. */
export interface Column<Row> {
  head: Piece;
  show: (row: Row, context: PageContext) => Piece;
  isNumber?: boolean;
  /** Names the row; by default the first column does. */
  names?: boolean;
}

type Maybe<Value> = Value | null | undefined;

/** A column of values of a kind, which are a field of the rows, or made of them. */
interface MakeColumn<Value> {
  <Field extends string>(field: Field, head: Piece): Column<{ readonly [Name in Field]?: Value }>;
  <Row>(of: (row: Row, context: PageContext) => Value, head: Piece): Column<Row>;
}

const kind =
  <Value>(write: (value: Value, context: PageContext) => Piece, isNumber = false): MakeColumn<Value> =>
  <Row>(of: string | ((row: Row, context: PageContext) => Value), head: Piece): Column<Row> => ({
    head,
    isNumber,
    show: (row, context) =>
      write(typeof of === "string" ? ((row as Record<string, Value>)[of] as Value) : of(row, context), context),
  });

const NONE = "–";

const isThere = <Value>(value: Maybe<Value>): value is Value => value !== null && value !== undefined;

export const inColour = (difference: number, written: Piece): Html =>
  html`<span class="${difference < 0 ? "down" : "up"}">${written}</span>`;

/** A column by the kind of its values; its field, which is a column of a view as a rule, and its head. */
export const column = {
  hero: kind((id: number, context) => heroLink(id, context)),
  /** A hero without its picture, for tables with many. */
  plainHero: kind((id: number, context) => heroLink(id, { ...context, pictures: false })),
  /** A piece of HTML, or a word of ours. */
  text: kind((value: Piece) => value ?? NONE),
  /** A number, as it stands or as it is written. */
  number: kind((value: Piece) => value ?? NONE, true),
  /** A word of the data, in English. */
  word: kind((value: Maybe<string>) => (isThere(value) ? nameIn("en", value) : NONE)),
  /** A name of the data in the language of names. */
  name: kind((value: Maybe<string>, { lang }) => (isThere(value) ? nameIn(lang, value) : NONE)),
  code: kind((value: string) => html`<code>${value}</code>`),
  share: kind((value: Maybe<number>, { figures }) => figures.percent(value), true),
  points: kind((value: Maybe<number>, { figures }) => figures.points(value), true),
  /** Points in the colour of better or worse. */
  gain: kind((value: number, { figures }) => inColour(value, figures.points(value)), true),
  count: kind((value: Maybe<number>, { figures }) => figures.count(value), true),
  bytes: kind((value: number, { figures }) => figures.bytes(value), true),
  day: kind((value: Maybe<string>, { figures }) => figures.day(value)),
  time: kind((value: Maybe<string>, { figures }) => figures.time(value)),
};

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
export function showTable<Row extends object>(context: PageContext, { caption, columns, rows }: Report<Row>): Html {
  const head = Math.max(
    0,
    columns.findIndex(({ names }) => names),
  );
  const classes = columns.map(({ isNumber }) => isNumber && html` class="number"`);
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption><span>${caption}</span></caption>
<thead><tr>${columns.map((column, index) => html`<th scope="col"${classes[index]}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${columns.map(({ show }, index) =>
      index === head
        ? html`<th scope="row"${classes[index]}>${show(row, context)}</th>`
        : html`<td${classes[index]}>${show(row, context)}</td>`,
    )}</tr>
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
