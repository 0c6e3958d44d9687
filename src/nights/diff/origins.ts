import type SQLite from "better-sqlite3";
import type { RowSource } from "../../snapshot/schema/row-source.ts";
import { matchRows, matchSlices, sliceKeyOf } from "../../snapshot/schema/slices-of-rows.ts";
import type { DatasetMoments, Moments } from "./asked.ts";
import type { Cell, SharedTable } from "./shared-tables.ts";

type Row = Readonly<Record<string, Cell>>;
type Table = Pick<SharedTable, "key" | "rows">;

/** When the slices that rows come from were asked, for two snapshots of which one is rolling. */
export interface Origins {
  /** Whether a row, or a column of it, comes from a slice that one of the two was not asked for, so that nobody knows. */
  isUnknown(table: Table, row: Row, column?: string): boolean;
  /** Between which moments a row, or these columns of it, came, went or changed. */
  momentsOf(table: Table, row: Row, columns?: readonly string[]): Moments;
  /** The same for a row of a single slice; undefined where that was carried over, or not asked, and cannot be compared. */
  comparedAt(table: Table, row: Row): Moments | undefined;
}

interface Found {
  compared: number;
  unasked: number;
  changed_after: string | null;
  changed_before: string | null;
}

/** Reads `temp.asked`. */
export function createOrigins(db: SQLite.Database, datasets: readonly DatasetMoments[]): Origins {
  const finders = new Map<RowSource, (row: Row, key: readonly string[]) => Found>();
  const find = (source: RowSource, row: Row, key: readonly string[]) => {
    const lookup = finders.get(source) ?? createLookup(db, source, key);
    finders.set(source, lookup);
    return lookup(row, key);
  };
  const isUnknown: Origins["isUnknown"] = ({ key, rows }, row, column) =>
    sourcesOf(rows, column === undefined ? undefined : [column]).some((source) => find(source, row, key).unasked > 0);
  /** Where no slice of a row was asked anew, those of its datasets tell. */
  const momentsOf: Origins["momentsOf"] = ({ key, rows }, row, columns) => {
    const sources = sourcesOf(rows, columns);
    const moments = sources.map((source) => find(source, row, key)).filter(({ compared }) => compared > 0);
    const names = sources.flatMap((source) => source.datasets);
    return (
      join(moments) ?? join(datasets.filter(({ dataset }) => names.includes(dataset))) ?? (join(datasets) as Moments)
    );
  };
  const comparedAt: Origins["comparedAt"] = (table, row) => {
    const moments = sourcesOf(table.rows).map((source) => find(source, row, table.key));
    const isCompared = moments.some(({ compared }) => compared > 0) && moments.every(({ unasked }) => unasked === 0);
    return isCompared ? momentsOf(table, row) : undefined;
  };
  return { isUnknown, momentsOf, comparedAt };
}

/** Those that fill one of the columns; without columns, those that make the row. */
const sourcesOf = (rows: readonly RowSource[], columns?: readonly string[]) =>
  rows.filter(({ merge, cells }) => (columns ? columns.some((column) => column in cells) : merge !== "add"));

function join(moments: readonly (Found | Moments)[]): Moments | undefined {
  const after = moments.flatMap(({ changed_after }) => changed_after ?? []).sort();
  const before = moments.flatMap(({ changed_before }) => changed_before ?? []).sort();
  const [first, last] = [after.at(0), before.at(-1)];
  return first === undefined || last === undefined ? undefined : { changed_after: first, changed_before: last };
}

/** Many rows are of one slice: each is looked for once. */
function createLookup(db: SQLite.Database, source: RowSource, key: readonly string[]) {
  const constants = key.filter((column) => source.cells[column]?.kind === "constant");
  const columns = [...sliceKeyOf(key, source), ...constants];
  const parameterOf = (column: string) => `:${column}`;
  const conditions = [...matchSlices(key, source, parameterOf), ...matchRows(key, source, parameterOf)];
  const select = db.prepare<[Record<string, Cell>], Found>(
    `SELECT count(*) FILTER (WHERE state = 'compared') AS compared, count(*) FILTER (WHERE state = 'unasked') AS unasked,
       min(was_at) FILTER (WHERE state = 'compared') AS changed_after, max(now_at) FILTER (WHERE state = 'compared') AS changed_before
     FROM temp.asked AS slice WHERE ${conditions.join(" AND ")}`,
  );
  const momentsById = new Map<string, Found>();
  return (row: Row): Found => {
    const cells = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
    const id = JSON.stringify(cells);
    const moments = momentsById.get(id) ?? (select.get(cells) as Found);
    momentsById.set(id, moments);
    return moments;
  };
}
