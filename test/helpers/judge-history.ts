import SQLite from "better-sqlite3";
import { HISTORY_TABLES } from "../../src/extra/nights/history/tables.ts";

/** Tables of a snapshot that tell of the file and its crawl, and one whose numbers stand in another. */
export const OF_THE_CRAWL = [
  ...["snapshot", "coverage", "record", "listed_text", "text_rule", "language_proof", "text_quality", "text_issue"],
  ...["shape", "misfit", "closed_part", "endpoint_state", "doubt", "table_doc", "column_doc"],
];
const LEFT_OUT = [...OF_THE_CRAWL, "hero_batch", "hero_rate_error"];

/** Columns that a history does not keep, as its page says. */
const COLUMNS_LEFT_OUT: Record<string, number> = {
  hero_pairing: 12,
  hero_trend_series: 1,
  hero_lane_rate: 1,
  hero_build: 1,
  skill_text: 2,
};

export interface FoldedNight {
  version: string;
  /** The file as it was published. */
  file: string;
  sequence: number | null;
  withdrawn: boolean;
  /** Answers that it lacks, and the same night with nothing failing. */
  failed: number;
  whole?: string;
}

/** Everything that a history says, by view and in no order. */
export function readHistory(file: string): Record<string, string[]> {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  const views = ["carried_slice", "failed_slice", "night", "text_change", ...HISTORY_TABLES.map(({ name }) => name)];
  const read = (name: string) => db.prepare(`SELECT * FROM "${name}"`).raw().all();
  const rows = views.map((name): [string, string[]] => [
    name,
    read(name)
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  db.close();
  return Object.fromEntries(rows);
}

/** Everything that a history says otherwise than these nights do, with nothing but SQL on the files. */
export function judgeHistory(file: string, nights: readonly FoldedNight[]): string[] {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  try {
    const [whole] = db.prepare<[], string>("PRAGMA integrity_check").pluck().all();
    return [
      ...(whole === "ok" ? [] : [`integrity: ${whole}`]),
      ...judgeNights(db, nights),
      ...nights.flatMap((night, at) => judgeNight(db, night, at + 1)),
    ];
  } finally {
    db.close();
  }
}

function judgeNights(db: SQLite.Database, nights: readonly FoldedNight[]): string[] {
  const said = db
    .prepare("SELECT night_id, version, sequence, withdrawn, failed_slices FROM night ORDER BY night_id")
    .all();
  const right = nights.map(({ version, sequence, withdrawn, failed }, at) => ({
    night_id: at + 1,
    version,
    sequence,
    withdrawn: Number(withdrawn),
    failed_slices: failed,
  }));
  const [a, b] = [JSON.stringify(said), JSON.stringify(right)];
  return a === b ? [] : [`nights: ${a}, not ${b}`];
}

const quote = (name: string) => `"${name}"`;
const list = (names: readonly string[], prefix = "") => names.map((name) => prefix + quote(name)).join(", ");

function judgeNight(db: SQLite.Database, { version, file, whole }: FoldedNight, night: number): string[] {
  db.prepare("ATTACH ? AS snap").run(file);
  if (whole !== undefined) db.prepare("ATTACH ? AS whole").run(whole);
  try {
    return sharedTables(db).flatMap((table) => [
      ...judgeState(db, table, night).map((fault) => `${table} as of night ${night}, ${version}: ${fault}`),
      ...judgeGaps(db, table, night, whole !== undefined).map(
        (fault) => `${table} until ${night}, ${version}: ${fault}`,
      ),
    ]);
  } finally {
    db.exec("DETACH snap");
    if (whole !== undefined) db.exec("DETACH whole");
  }
}

const names = (db: SQLite.Database, schema: string, type: string) =>
  db
    .prepare<[string], string>(`SELECT name FROM ${schema}.sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all(type);
const columnsOf = (db: SQLite.Database, schema: string, table: string, only = "true") =>
  db
    .prepare<[string, string], string>(`SELECT name FROM pragma_table_info(?, ?) WHERE ${only}`)
    .pluck()
    .all(table, schema);

/** The tables of the snapshot that the history describes as its own views. */
function sharedTables(db: SQLite.Database): string[] {
  const described = new Set(db.prepare<[], string>("SELECT table_name FROM main.table_doc").pluck().all());
  const views = new Set(names(db, "main", "view").filter((view) => described.has(view)));
  const tables = names(db, "snap", "table");
  const missing = tables.filter((table) => !views.has(table)).sort();
  if (missing.join() !== LEFT_OUT.toSorted().join()) throw new Error(`left out are ${missing.join()}`);
  return tables.filter((table) => views.has(table));
}

function judgeState(db: SQLite.Database, table: string, night: number): string[] {
  const kept = columnsOf(db, "main", table);
  // Numbers of slices are of one file.
  const own = columnsOf(db, "snap", table, "name NOT LIKE '%slice_id'");
  const columns = own.filter((column) => kept.includes(column));
  const dropped = own.length - columns.length;
  if (dropped !== (COLUMNS_LEFT_OUT[table] ?? 0)) return [`${dropped} columns are left out`];
  // With its type: 1 and 1.0 are equal for SQL, and not the same.
  const cells = columns.flatMap((column) => [quote(column), `typeof(${quote(column)})`]).join(", ");
  const then = `SELECT ${cells} FROM main.${quote(table)} WHERE from_night <= ${night} AND (to_night IS NULL OR to_night > ${night})`;
  const there = `SELECT ${cells} FROM snap.${quote(table)}`;
  const count = (sql: string) => db.prepare<[], number>(`SELECT count(*) FROM (${sql})`).pluck().get() ?? 0;
  const figures = {
    lacks: count(`${there} EXCEPT ${then}`),
    invents: count(`${then} EXCEPT ${there}`),
    doubles: count(then) - count(there),
  };
  return Object.values(figures).some((figure) => figure !== 0) ? [JSON.stringify(figures)] : [];
}

/** A row that ends with a night is a gap where that night lacks its key, and would have it had nothing failed. */
function judgeGaps(db: SQLite.Database, table: string, night: number, partial: boolean): string[] {
  const key = columnsOf(db, "snap", table, "pk > 0");
  const of = (schema: string) => `(${list(key)}) IN (SELECT ${list(key)} FROM ${schema}.${quote(table)})`;
  const gap = partial ? `(NOT ${of("snap")} AND ${of("whole")})` : "0";
  const wrong = db
    .prepare<[], Record<string, unknown>>(
      `SELECT * FROM main.${quote(table)} WHERE to_night = ${night} AND ifnull(gap, 0) IS NOT ${gap} LIMIT 1`,
    )
    .get();
  return wrong ? [`not so: ${JSON.stringify(wrong)}`] : [];
}
