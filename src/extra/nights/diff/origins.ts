import type SQLite from "better-sqlite3";
import type { RowSource } from "../../../snapshot/schema/row-source.ts";
import { quoteName } from "../../../snapshot/schema/sql.ts";
import { sliceColumnOf } from "../../../snapshot/schema/with-slices.ts";
import type { DatasetMoments, Moments } from "./asked.ts";
import type { Cell, SharedTable } from "./shared-tables.ts";

type Row = Readonly<Record<string, Cell>>;
type Table = Pick<SharedTable, "name" | "key" | "rows" | "was" | "main">;

/** The moments when the slices of rows were asked, for two snapshots of which one is rolling. */
export interface Origins {
  /** Tells whether a row, or a column of it, comes from a slice that one of the two was not asked for, so that nobody knows. */
  isUnknown(table: Table, row: Row, column?: string): boolean;
  /** Returns the moments between which a row, or these columns of it, came, went or changed. */
  momentsOf(table: Table, row: Row, columns?: readonly string[]): Moments;
  /** Returns them for a row of a single slice; undefined if that was carried over, or not asked, and cannot be compared. */
  comparedAt(table: Table, row: Row): Moments | undefined;
}

interface Found {
  compared: number;
  unasked: number;
  changed_after: string | null;
  changed_before: string | null;
}

/** Makes the lookup, from `temp.asked`. */
export function createOrigins(db: SQLite.Database, datasets: readonly DatasetMoments[]): Origins {
  const lookups = new Map<string, (row: Row) => Found>();
  const find = (table: Table, row: Row, sources: readonly RowSource[]): Found => {
    const columns = [...new Set(sources.map(sliceColumnOf))];
    if (columns.length === 0) return NONE;
    const id = [table.name, ...columns].join();
    const lookup = lookups.get(id) ?? createLookup(db, table, columns);
    lookups.set(id, lookup);
    return lookup(row);
  };
  const isUnknown: Origins["isUnknown"] = (table, row, column) =>
    find(table, row, sourcesOf(table.rows, column === undefined ? undefined : [column])).unasked > 0;
  /** Falls back to the moments of its datasets if no slice of a row was asked anew. */
  const momentsOf: Origins["momentsOf"] = (table, row, columns) => {
    const sources = sourcesOf(table.rows, columns);
    const names = sources.flatMap((source) => source.datasets);
    return (
      join([find(table, row, sources)]) ??
      join(datasets.filter(({ dataset }) => names.includes(dataset))) ??
      (join(datasets) as Moments)
    );
  };
  const comparedAt: Origins["comparedAt"] = (table, row) => {
    const { compared, unasked } = find(table, row, sourcesOf(table.rows));
    return compared > 0 && unasked === 0 ? momentsOf(table, row) : undefined;
  };
  return { isUnknown, momentsOf, comparedAt };
}

const NONE: Found = { compared: 0, unasked: 0, changed_after: null, changed_before: null };

/** Returns the sources that fill one of the columns; without columns, those that make the row. */
const sourcesOf = (rows: readonly RowSource[], columns?: readonly string[]) =>
  rows.filter(({ merge, cells }) => (columns ? columns.some((column) => column in cells) : merge !== "add"));

function join(moments: readonly (Found | Moments)[]): Moments | undefined {
  const after = moments.flatMap(({ changed_after }) => changed_after ?? []).sort();
  const before = moments.flatMap(({ changed_before }) => changed_before ?? []).sort();
  const [first, last] = [after.at(0), before.at(-1)];
  return first === undefined || last === undefined ? undefined : { changed_after: first, changed_before: last };
}

/** Makes the lookup by columns that hold the numbers of slices; a row is found by the columns of the table's key that it has. */
function createLookup(db: SQLite.Database, { key, was, main }: Table, columns: readonly string[]) {
  const statements = new Map<string, SQLite.Statement<[Row], Found>>();
  const founds = new Map<string, Found>();
  const prepare = (given: readonly string[]) => {
    const where = given.map((column) => `${quoteName(column)} = :${column}`).join(" AND ");
    const idsIn = (from: string) =>
      columns.map((column) => `SELECT ${column} FROM ${from} WHERE ${where}`).join(" UNION ");
    return db.prepare<[Row], Found>(
      `SELECT count(*) FILTER (WHERE state = 'compared') AS compared, count(*) FILTER (WHERE state = 'unasked') AS unasked,
         min(was_at) FILTER (WHERE state = 'compared') AS changed_after, max(now_at) FILTER (WHERE state = 'compared') AS changed_before
       FROM temp.asked WHERE was_id IN (${idsIn(was)}) OR now_id IN (${idsIn(main)})`,
    );
  };
  return (row: Row): Found => {
    const given = key.filter((column) => column in row);
    const columnsGiven = given.join();
    const id = JSON.stringify([columnsGiven, ...given.map((column) => row[column])]);
    const statement = statements.get(columnsGiven) ?? prepare(given);
    statements.set(columnsGiven, statement);
    const found = founds.get(id) ?? (statement.get(row) as Found);
    founds.set(id, found);
    return found;
  };
}
