import { BASE_LANG } from "../../../api/enumerations.ts";
import { nameIn } from "../format.ts";
import { type Html, html, joinPieces, type Piece } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Messages } from "../words/messages.ts";
import { type NightChanges, type NightDiff, parseChangedRow } from "./read.ts";
import { firstRows, MOST_ROWS, type NewsSection, newsTable, numberColumn } from "./sections.ts";
import { nameSides } from "./sides.ts";

/** Columns of a row at most: no row of this schema has as many. */
const MOST_COLUMNS = 40;

const nameRecord = (label: string, key: Readonly<Record<string, unknown>>) =>
  html`${nameIn(BASE_LANG, label)}${typeof key.lang === "string" && ` (${key.lang})`}`;

/** Skills, items, spells and the like; lists are told whole. */
export function records({ tables, lists }: NightChanges, { mirror, frame }: Messages): (NewsSection | undefined)[] {
  const { changes: words } = mirror;
  const owner = [{ head: words.of }, { head: words.table }];
  const listed = tables.filter(({ kind }) => kind === "row" || kind === "text");
  const moved = listed.flatMap(({ table: from, added, gone }) => [
    ...added.map(({ label, key }) => [nameRecord(label, key), from, words.new]),
    ...gone.map(({ label, key }) => [nameRecord(label, key), from, words.gone]),
  ]);
  // Texts are in another table.
  const changed = listed
    .filter(({ kind }) => kind === "row")
    .flatMap(({ table: name, changed }) => changed.map((row) => ({ table: name, row })))
    .map(({ table: of, row }, index) => (index < MOST_ROWS ? changedRow(of, row, frame) : []));
  const changedLists = lists.map(({ table: from, label, key, before, after }) => [
    nameRecord(label, key),
    from,
    ...nameSides(before.join(frame.comma), after.join(frame.comma)),
  ]);
  return [
    newsTable({
      id: "records",
      head: words.records,
      caption: words.recordsCaption,
      columns: [...owner, { head: words.whatHappened }],
      rows: moved,
      words,
    }),
    newsTable({
      id: "changed",
      head: words.changedRecords,
      caption: words.byTable,
      columns: [...owner, { head: words.change }],
      rows: changed,
      words,
      folded: true,
    }),
    newsTable({
      id: "lists",
      head: words.lists,
      caption: words.listsCaption,
      columns: [...owner, { head: words.before }, { head: words.after }],
      rows: changedLists,
      words,
    }),
  ];
}

function changedRow(of: string, row: unknown, { comma, stated }: Messages["frame"]): Piece[] {
  const { label = "?", key = {}, columns = {} } = parseChangedRow(row) ?? {};
  const values = Object.entries(columns)
    .slice(0, MOST_COLUMNS)
    .map(([column, { before, after }]) => {
      const [was, now] = nameSides(before, after);
      return stated({ title: nameIn(BASE_LANG, column), state: html`${was} → ${now}` });
    });
  return [nameRecord(label, key), of, joinPieces(values, comma)];
}

/** How much of each endpoint and table is not as it was. */
export function countsOf({ coverage, tables }: NightChanges, { messages, figures }: PageContext): Html {
  const { changes: words } = messages.mirror;
  const { count, writeDifference } = figures;
  const recordsOf = ({ languages }: NightChanges["coverage"][number], side: "before" | "after") =>
    languages.reduce((sum, counts) => sum + (counts[side]?.records ?? 0), 0);
  const endpoints = coverage.map((endpoint) => {
    const { added, gone, changed, same } = endpoint.slices;
    const more = recordsOf(endpoint, "after") - recordsOf(endpoint, "before");
    return [endpoint.dataset, ...[changed, added, gone, same].map(count), writeDifference(more)];
  });
  const rows = tables.map(({ table: name, counts: { added, gone, changed } }) => [
    name,
    ...[changed, added, gone].map(count),
  ]);
  const columns = [words.changed, words.new, words.gone].map(numberColumn);
  const byEndpoint = [
    ...[{ head: words.endpoint }, ...columns],
    ...[words.theSame, words.recordsColumn].map(numberColumn),
  ];
  return html`<h2>${words.howMuch}</h2>
<details><summary>${words.answersAndRows}</summary><div class="pair">${firstRows(words.answersCaption, byEndpoint, endpoints, words)}${firstRows(words.rowsCaption, [{ head: words.table }, ...columns], rows, words)}</div></details>`;
}

/** What rolling nights asked for anew: only those answers can have changed. */
export function askedAnew({ asked = [] }: NightDiff, { messages, figures }: PageContext): Html | undefined {
  const { changes: words } = messages.mirror;
  const { count, writeDay } = figures;
  const rows = asked.map(({ dataset, compared, carried, not_asked, changed_after, changed_before }) => [
    dataset,
    ...[compared, carried, not_asked].map(count),
    compared === 0 ? "–" : [...new Set([changed_after, changed_before].map(writeDay))].join(" – "),
  ]);
  const columns = [
    { head: words.endpoint },
    ...[words.compared, words.carriedOver, words.notAskedInOne].map(numberColumn),
    { head: words.betweenDays },
  ];
  const listing = firstRows(words.askedCaption, columns, rows, words);
  return (
    listing &&
    html`<h2>${words.askedAnew}</h2>
<p>${words.askedNote}</p>
${listing}`
  );
}
