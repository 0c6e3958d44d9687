import { listNames, quoteName } from "../../../../snapshot/schema/sql.ts";
import type { Moments } from "../asked.ts";
import { type LabelLookup, labelOfKey } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import type { Cell, SharedTable } from "../shared-tables.ts";

export type NamedCells = Record<string, Cell>;

/** A row with its name; if one of the snapshots is rolling, with the moments between which it changed. */
export interface NamedRow extends Partial<Moments> {
  label: string;
  key: NamedCells;
}

/**
 * Changed rows of one table. Rows that were added or removed together with the row they refer to, rows in which only a timestamp changed,
 * and new and gone heroes, which have a list of their own, are counted but not listed.
 */
export interface TableChange {
  table: string;
  kind: SharedTable["kind"];
  counts: { added: number; gone: number; changed: number };
  added: (NamedRow & { row: NamedCells })[];
  gone: (NamedRow & { row: NamedCells })[];
  changed: (NamedRow & { columns: Record<string, { before: Cell; after: Cell }> })[];
}

/** Keys that were added or removed, as JSON, by table. */
type ChangedKeys = Map<string, Set<string>>;

/** Compares all shared tables by their keys. They come in an order in which references point backwards. */
export function compareRows(pair: Pair, labels: LabelLookup, scope: Scope): TableChange[] {
  const changedKeys: ChangedKeys = new Map();
  return pair.tables
    .flatMap((table) => compareTable(pair, table, labels, scope, changedKeys))
    .filter(({ counts }) => counts.added + counts.gone + counts.changed > 0);
}

function compareTable(
  { db, origins }: Pair,
  table: SharedTable,
  labels: LabelLookup,
  scope: Scope,
  changedKeys: ChangedKeys,
): TableChange[] {
  const { name, key, kind } = table;
  // With NOT IN, SQLite may choose an index that does not start with the key.
  const rowsOnlyIn = (here: "was" | "main", there: "was" | "main") =>
    db
      .prepare(
        `SELECT * FROM ${table[here]} AS here WHERE NOT EXISTS
           (SELECT 1 FROM ${there}.${quoteName(name)} AS there WHERE (${listNames(key, "here.")}) = (${listNames(key, "there.")}))`,
      )
      .all() as NamedCells[];
  const [allAdded, allGone] = [rowsOnlyIn("main", "was"), rowsOnlyIn("was", "main")];
  changedKeys.set(name, new Set([...allAdded, ...allGone].map((row) => keyText(row, key))));
  const shown = scope.rowFilter(name);
  if (!shown) return [];
  const isKnown = (row: NamedCells) => shown(row) && !origins?.isUnknown(table, row);
  const [added, gone] = [allAdded.filter(isKnown), allGone.filter(isKnown)];
  const isOnItsOwn = (row: NamedCells) =>
    name !== "hero" &&
    !table.references.some(({ columns, table: owner }) => changedKeys.get(owner)?.has(keyText(row, columns)));
  const nameRow = (row: NamedCells, columns?: readonly string[]) => {
    const rowKey = pickColumns(row, key);
    return { label: labelOfKey(labels, rowKey), key: rowKey, ...origins?.momentsOf(table, row, columns) };
  };
  // Statistics change in every row every night, and lists are compared as a whole: both are only counted here.
  const listed = kind === "row" || kind === "text";
  const differing = (row: NamedCells) => {
    const columns = table.values.filter((column) => row[column] !== row[`was ${column}`]);
    return origins ? columns.filter((column) => !origins.isUnknown(table, row, column)) : columns;
  };
  const changes = readChanges(
    db,
    table,
    listed,
    origins && listed ? (row) => shown(row) && differing(row).length > 0 : shown,
  );
  const change: TableChange = {
    table: name,
    kind,
    counts: { added: added.length, gone: gone.length, changed: changes.count },
    added: listed ? added.filter(isOnItsOwn).map((row) => ({ ...nameRow(row), row })) : [],
    gone: listed ? gone.filter(isOnItsOwn).map((row) => ({ ...nameRow(row), row })) : [],
    changed: changes.rows
      .map((row) => ({ ...nameRow(row, differing(row)), columns: readColumns(row, differing(row)) }))
      .filter(({ columns }) => Object.keys(columns).some((column) => !table.stamps.includes(column))),
  };
  return [change];
}

const pickColumns = (row: NamedCells, columns: readonly string[]): NamedCells =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
const keyText = (row: NamedCells, columns: readonly string[]) => JSON.stringify(columns.map((column) => row[column]));

/** Reads rows whose key is in both snapshots and whose values differ; the older values are in columns named `was …`. */
function readChanges(
  db: Pair["db"],
  { key, values, was, main }: SharedTable,
  listed: boolean,
  shown: (row: NamedCells) => boolean,
): { count: number; rows: NamedCells[] } {
  if (values.length === 0) return { count: 0, rows: [] };
  const old = values.map((column) => `old.${quoteName(column)} AS ${quoteName(`was ${column}`)}`);
  const select = [listNames(key), ...(listed ? [listNames(values, "now."), ...old] : [])].join(", ");
  const changed = db.prepare<[], NamedCells>(
    `SELECT ${select} FROM ${main} AS now JOIN ${was} AS old USING (${listNames(key)})
     WHERE (${listNames(values, "now.")}) IS NOT (${listNames(values, "old.")}) ${listed ? `ORDER BY ${listNames(key)}` : ""}`,
  );
  const rows: NamedCells[] = [];
  let count = 0;
  for (const row of changed.iterate()) {
    if (!shown(row)) continue;
    count += 1;
    if (listed) rows.push(row);
  }
  return { count, rows };
}

const readColumns = (row: NamedCells, differing: readonly string[]) =>
  Object.fromEntries(
    differing.map((column) => [column, { before: row[`was ${column}`] ?? null, after: row[column] ?? null }]),
  );
