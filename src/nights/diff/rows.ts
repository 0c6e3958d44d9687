import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { type Labels, labelOf } from "./labels.ts";
import type { Cell, Pair, SharedTable } from "./pair.ts";
import type { Scope } from "./scope.ts";

export type Row = Record<string, Cell>;

export interface NamedRow {
  label: string;
  key: Row;
}

/**
 * What happened to the rows of one table. Rows that came or went with what they belong to, and rows where nothing but a
 * stamp is new, are counted and not listed.
 */
export interface TableChange {
  table: string;
  kind: SharedTable["kind"];
  counts: { added: number; gone: number; changed: number };
  added: (NamedRow & { row: Row })[];
  gone: (NamedRow & { row: Row })[];
  changed: (NamedRow & { columns: Record<string, { before: Cell; after: Cell }> })[];
}

/** Keys that came or went, by table, as texts. */
type Moved = Map<string, Set<string>>;

/** Compares all typed tables by their keys, those that others refer to first. */
export function compareRows(pair: Pair, labels: Labels, scope: Scope): TableChange[] {
  const moved: Moved = new Map();
  return pair.tables
    .flatMap((table) => compareTable(pair, table, labels, scope, moved))
    .filter(({ counts }) => counts.added + counts.gone + counts.changed > 0);
}

function compareTable({ db }: Pair, table: SharedTable, labels: Labels, scope: Scope, moved: Moved): TableChange[] {
  const { name, key, kind } = table;
  // NOT IN would let SQLite choose an index that does not begin as the key does.
  const only = (here: string, there: string) =>
    db
      .prepare(
        `SELECT * FROM ${here}.${quoteName(name)} AS here WHERE NOT EXISTS
           (SELECT 1 FROM ${there}.${quoteName(name)} AS there WHERE (${listNames(key, "here.")}) = (${listNames(key, "there.")}))`,
      )
      .all() as Row[];
  const [came, went] = [only("main", "was"), only("was", "main")];
  moved.set(name, new Set([...came, ...went].map((row) => textOf(row, key))));
  const shown = scope.rows(name);
  if (!shown) return [];
  const [added, gone] = [came.filter(shown), went.filter(shown)];
  const alone = (row: Row) =>
    !table.references.some(({ columns, table: owner }) => moved.get(owner)?.has(textOf(row, columns)));
  const nameRow = (row: Row) => {
    const own = pick(row, key);
    return { label: labelOf(labels, own), key: own };
  };
  // Numbers move in every row every night: they are counted here and judged elsewhere. Lists are compared as lists.
  const listed = kind === "row" || kind === "text";
  const changes = readChanges(db, table, listed, shown);
  const change: TableChange = {
    table: name,
    kind,
    counts: { added: added.length, gone: gone.length, changed: changes.count },
    added: listed ? added.filter(alone).map((row) => ({ ...nameRow(row), row })) : [],
    gone: listed ? gone.filter(alone).map((row) => ({ ...nameRow(row), row })) : [],
    changed: changes.rows
      .map((row) => ({ ...nameRow(row), columns: readColumns(row, table.values) }))
      .filter(({ columns }) => Object.keys(columns).some((column) => !table.stamps.includes(column))),
  };
  return [change];
}

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
const textOf = (row: Row, columns: readonly string[]) => JSON.stringify(columns.map((column) => row[column]));

/** Rows whose key is in both and whose other columns differ; those of the older one are named `was …`. */
function readChanges(
  db: Pair["db"],
  { name, key, values }: SharedTable,
  listed: boolean,
  shown: (row: Row) => boolean,
): { count: number; rows: Row[] } {
  if (values.length === 0) return { count: 0, rows: [] };
  const old = values.map((column) => `old.${quoteName(column)} AS ${quoteName(`was ${column}`)}`);
  const select = [listNames(key), ...(listed ? [listNames(values, "now."), ...old] : [])].join(", ");
  const changed = db.prepare<[], Row>(
    `SELECT ${select} FROM main.${quoteName(name)} AS now JOIN was.${quoteName(name)} AS old USING (${listNames(key)})
     WHERE (${listNames(values, "now.")}) IS NOT (${listNames(values, "old.")}) ${listed ? `ORDER BY ${listNames(key)}` : ""}`,
  );
  const rows: Row[] = [];
  let count = 0;
  for (const row of changed.iterate()) {
    if (!shown(row)) continue;
    count += 1;
    if (listed) rows.push(row);
  }
  return { count, rows };
}

function readColumns(row: Row, values: readonly string[]) {
  const differing = values.filter((column) => row[column] !== row[`was ${column}`]);
  return Object.fromEntries(
    differing.map((column) => [column, { before: row[`was ${column}`] ?? null, after: row[column] ?? null }]),
  );
}
