import { BASE_LANG } from "../../api/enumerations.ts";
import { TABLES } from "../../snapshot/schema/tables/all.ts";
import { count, nameIn } from "../format.ts";
import { type Html, html, type Piece } from "../html.ts";
import { type NightChanges, type NightDiff, parseChangedRow } from "./read.ts";
import { firstRows, MOST_ROWS, type NewsSection, newsTable, numberColumn } from "./sections.ts";
import { nameSides } from "./sides.ts";

/** Columns of a row at most: no row of this schema has as many. */
const MOST_COLUMNS = 40;

const kinds = new Map(TABLES.map(({ name, kind }) => [name, kind]));

/** Parts of statistics, as the items of builds: they change every night. */
const OF_STATISTICS = new Set(
  TABLES.flatMap(({ name, partOf }) => (partOf !== undefined && kinds.get(partOf) === "statistic" ? name : [])),
);

const nameRecord = (label: string, key: Readonly<Record<string, unknown>>) =>
  html`${nameIn(BASE_LANG, label)}${typeof key.lang === "string" && ` (${key.lang})`}`;

const [OF, FROM] = [{ head: "Of" }, { head: "Table" }];

/** Skills, items, spells and the like; lists are told whole. */
export function records({ tables, lists }: NightChanges): (NewsSection | undefined)[] {
  const listed = tables.filter(({ table, kind }) => (kind === "row" || kind === "text") && !OF_STATISTICS.has(table));
  const moved = listed.flatMap(({ table: from, added, gone }) => [
    ...added.map(({ label, key }) => [nameRecord(label, key), from, "new"]),
    ...gone.map(({ label, key }) => [nameRecord(label, key), from, "gone"]),
  ]);
  // Texts are in another table.
  const changed = listed
    .filter(({ kind }) => kind === "row")
    .flatMap(({ table: name, changed }) => changed.map((row) => ({ table: name, row })))
    .map(({ table: of, row }, index) => (index < MOST_ROWS ? changedRow(of, row) : []));
  const changedLists = lists.map(({ table: from, label, key, before, after }) => [
    nameRecord(label, key),
    from,
    ...nameSides(before.join(", "), after.join(", ")),
  ]);
  return [
    newsTable({
      id: "records",
      head: "New and gone records",
      caption: "By table, without what came or went with its owner",
      columns: [OF, FROM, { head: "What happened" }],
      rows: moved,
    }),
    newsTable({
      id: "changed",
      head: "Changed records",
      caption: "By table",
      columns: [OF, FROM, { head: "Change" }],
      rows: changed,
      folded: true,
    }),
    newsTable({
      id: "lists",
      head: "Roles, lanes, relations and other lists",
      caption: "Each list as a whole",
      columns: [OF, FROM, { head: "Before" }, { head: "After" }],
      rows: changedLists,
    }),
  ];
}

function changedRow(of: string, row: unknown): Piece[] {
  const { label = "?", key = {}, columns = {} } = parseChangedRow(row) ?? {};
  const values = Object.entries(columns)
    .slice(0, MOST_COLUMNS)
    .map(([column, { before, after }], index) => {
      const [was, now] = nameSides(before, after);
      return html`${index > 0 && ", "}${nameIn(BASE_LANG, column)}: ${was} → ${now}`;
    });
  return [nameRecord(label, key), of, html`${values}`];
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
  const columns = ["Changed", "New", "Gone"].map(numberColumn);
  const byEndpoint = [{ head: "Endpoint" }, ...columns, numberColumn("The same"), numberColumn("Records")];
  return html`<h2>How much changed</h2>
<details><summary>Answers by endpoint and rows by table</summary><div class="pair">${firstRows("Answers that both nights were asked for", byEndpoint, endpoints)}${firstRows("Rows that came, went or hold other values", [{ head: "Table" }, ...columns], rows)}</div></details>`;
}

/** What rolling nights asked for anew: only those answers can have changed. */
export function askedAnew({ asked = [] }: NightDiff): Html | undefined {
  const rows = asked.map(({ dataset, compared, carried, not_asked, changed_after, changed_before }) => [
    dataset,
    ...[compared, carried, not_asked].map(count),
    compared === 0 ? "–" : [...new Set([changed_after.slice(0, 10), changed_before.slice(0, 10)])].join(" – "),
  ]);
  const columns = [
    { head: "Endpoint" },
    ...["Compared", "Carried over", "Not asked in one"].map(numberColumn),
    { head: "Between" },
  ];
  const listing = firstRows("Answers by endpoint, and between which days they may have changed", columns, rows);
  return (
    listing &&
    html`<h2>What was asked anew</h2>
<p>At least one of the two nights is rolling. Only answers that were asked for anew are compared: an answer that was carried over from an earlier night is the same in both, which says nothing.</p>
${listing}`
  );
}
