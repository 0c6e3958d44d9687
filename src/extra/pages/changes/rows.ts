import { BASE_LANG } from "../../../api/enumerations.ts";
import { nameIn } from "../format.ts";
import { type Html, html, joinPieces } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageColumn } from "../report.ts";
import type { Messages } from "../words/messages.ts";
import { type NightChanges, type NightDiff, parseChangedRow } from "./read.ts";
import { firstRows, type NewsSection, newsTable } from "./sections.ts";
import { nameSides } from "./sides.ts";

/** Columns of a row at most: no row of this schema has as many. */
const MOST_COLUMNS = 40;

interface Named {
  label: string;
  key: Readonly<Record<string, unknown>>;
}

const nameRecord = ({ label, key }: Named) =>
  html`${nameIn(BASE_LANG, label)}${typeof key.lang === "string" && ` (${key.lang})`}`;

/** Skills, items, spells and the like; lists are told whole. */
export function records({ tables, lists }: NightChanges, context: PageContext): (NewsSection | undefined)[] {
  const { mirror, frame } = context.messages;
  const { changes: words } = mirror;
  const of = column.text(nameRecord, words.of);
  const table = column.text("table", words.table);
  const listed = tables.filter(({ kind }) => kind === "row" || kind === "text");
  const moved = listed.flatMap(({ table, added, gone }) => [
    ...added.map((row) => ({ ...row, table, what: words.new })),
    ...gone.map((row) => ({ ...row, table, what: words.gone })),
  ]);
  // Texts are in another table.
  const changed = listed
    .filter(({ kind }) => kind === "row")
    .flatMap(({ table, changed }) => changed.map((row) => ({ table, row })));
  const side = (index: 0 | 1, head: string) =>
    column.text(
      ({ before, after }: NightChanges["lists"][number]) =>
        nameSides(before.join(frame.comma), after.join(frame.comma))[index],
      head,
    );
  return [
    newsTable(context, {
      id: "records",
      head: words.records,
      caption: words.recordsCaption,
      columns: [of, table, column.text("what", words.whatHappened)],
      rows: moved,
    }),
    newsTable(context, {
      id: "changed",
      head: words.changedRecords,
      caption: words.byTable,
      columns: [
        column.text(({ row }: ChangedRow) => nameRecord(parseRow(row)), words.of),
        table,
        column.text(({ row }: ChangedRow) => changesOf(parseRow(row), frame), words.change),
      ],
      rows: changed,
      folded: true,
    }),
    newsTable(context, {
      id: "lists",
      head: words.lists,
      caption: words.listsCaption,
      columns: [of, table, side(0, words.before), side(1, words.after)],
      rows: lists,
    }),
  ];
}

interface ChangedRow {
  table: string;
  row: unknown;
}

/** Parses a row when it is shown: a night may have many. */
const parseRow = (row: unknown) => parseChangedRow(row) ?? { label: "?", key: {}, columns: {} };

const changesOf = ({ columns }: ReturnType<typeof parseRow>, { comma, stated }: Messages["frame"]): Html => {
  const values = Object.entries(columns)
    .slice(0, MOST_COLUMNS)
    .map(([column, { before, after }]) => {
      const [was, now] = nameSides(before, after);
      return stated({ title: nameIn(BASE_LANG, column), state: html`${was} → ${now}` });
    });
  return joinPieces(values, comma);
};

/** Counts what has changed in each endpoint and table. */
export function countsOf({ coverage, tables }: NightChanges, context: PageContext): Html {
  const { changes: words } = context.messages.mirror;
  const recordsIn = (languages: NightChanges["coverage"][number]["languages"], side: "before" | "after") =>
    languages.reduce((sum, counts) => sum + (counts[side]?.records ?? 0), 0);
  const changed = [
    column.count("changed", words.changed),
    column.count("added", words.new),
    column.count("gone", words.gone),
  ];
  const endpoints = firstRows(context, {
    caption: words.answersCaption,
    columns: [
      column.text("dataset", words.endpoint),
      ...changed,
      column.count("same", words.theSame),
      column.number(({ more }: { more: number }) => context.figures.writeDifference(more), words.recordsColumn),
    ],
    rows: coverage.map(({ dataset, slices, languages }) => ({
      dataset,
      ...slices,
      more: recordsIn(languages, "after") - recordsIn(languages, "before"),
    })),
  });
  const rows = tables.map(({ table, counts }) => ({ table, ...counts }));
  const ofTables = { caption: words.rowsCaption, columns: [column.text("table", words.table), ...changed], rows };
  return html`<h2>${words.howMuch}</h2>
<details><summary>${words.answersAndRows}</summary><div class="pair">${endpoints}${firstRows(context, ofTables)}</div></details>`;
}

/** Shows the answers that rolling nights asked for anew: only those can have changed. */
export function askedAnew({ asked = [] }: NightDiff, context: PageContext): Html | undefined {
  const { changes: words } = context.messages.mirror;
  const { writeDay } = context.figures;
  const columns: PageColumn<(typeof asked)[number]>[] = [
    column.text("dataset", words.endpoint),
    column.count("compared", words.compared),
    column.count("carried", words.carriedOver),
    column.count("not_asked", words.notAskedInOne),
    column.text(
      ({ compared, changed_after, changed_before }) =>
        compared === 0 ? "–" : [...new Set([changed_after, changed_before].map(writeDay))].join(" – "),
      words.betweenDays,
    ),
  ];
  const listing = firstRows(context, { caption: words.askedCaption, columns, rows: asked });
  return (
    listing &&
    html`<h2>${words.askedAnew}</h2>
<p>${words.askedNote}</p>
${listing}`
  );
}
