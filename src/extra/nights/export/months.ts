import { hash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type SQLite from "better-sqlite3";
import * as z from "zod";
import { EXIT, Failure } from "../../../api/failure.ts";
import { toDocument } from "../../../base/files.ts";
import { type Change, openStage } from "../../../base/release.ts";
import { readDocument } from "../../../snapshot/published/folder.ts";
import { latestFile } from "../../../snapshot/published/pointer.ts";
import { type ColumnDefinition, DAY } from "../../../snapshot/schema/definition.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";
import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { SCHEMA_VERSION } from "../../../snapshot/schema/version.ts";
import { historyFile, openHistory } from "../history/open.ts";
import { HISTORY_TABLES, type HistoryTable, isTermColumn } from "../history/tables.ts";
import { type ExportOptions, writeDrafts } from "./export.ts";
import { readHead } from "./table-package.ts";
import { type ExportTable, readBatches } from "./tables.ts";

/** The nights of one month, by their place in the history. */
interface Month {
  month: string;
  first: number;
  last: number;
  /** Names of the nights, with marks on those that are withdrawn. */
  nights: string;
}

export interface ExportedMonth {
  month: string;
  tables: number;
  rows: number;
  bytes: number;
}

/** The files in a folder, by month and table. `of` is a hash of the data that a file was written from. */
const monthsSchema = z.record(z.string(), z.record(z.string(), z.object({ bytes: z.int().min(0), of: z.string() })));
type WrittenMonths = z.infer<typeof monthsSchema>;

// A century of months and a hundred tables have 15 MB.
const MAX_BYTES = 64 * 1024 * 1024;

const NIGHT: Readonly<Record<string, Pick<ColumnDefinition, "type" | "nullable" | "unit">>> = {
  night_id: { type: "INTEGER", nullable: false, unit: null },
  version: { type: "TEXT", nullable: false, unit: null },
  date: { type: "TEXT", nullable: false, unit: DAY },
  game_version: { type: "TEXT", nullable: true, unit: null },
  withdrawn: { type: "INTEGER", nullable: false, unit: null },
};

const PERIOD: typeof NIGHT = {
  date_from: { type: "TEXT", nullable: false, unit: DAY },
  date_to: { type: "TEXT", nullable: true, unit: DAY },
};

/**
 * Writes the tables of a folder's history by month, with a table of the nights. A row stands once for as long as it holds within the month,
 * with the first day, and the day on which it no longer did (null: it holds until the end of the month). A month is written once: again
 * only if one of its nights came or was withdrawn. Returns how many could be skipped. Throws a Failure for usage without a history or a
 * night, and if parts of days lie there.
 */
export function exportMonths(data: string, options: ExportOptions, onMonth: (month: ExportedMonth) => void): number {
  const { out, format, tables } = options;
  const history = historyFile(data);
  if (!existsSync(history))
    throw new Failure(EXIT.usage, `${history}: does not exist`, "fold the nights into it with `npm run history`");
  refuseParts(out, "snapshot_date=", "by day");
  const head = readHead(latestFile(data));
  const db = openHistory(history);
  try {
    let there = 0;
    for (const month of listMonths(db)) {
      const all = openMonth(db, month).filter(({ name }) => name === "night" || tables.includes(name));
      const due = all.filter((table) => !isThere(readMonths(out, format), month, table, options));
      if (due.length > 0) onMonth(exportMonth(month, due, head, options));
      else there += 1;
    }
    return there;
  } finally {
    db.close();
  }
}

function exportMonth(
  month: Month,
  tables: readonly ExportTable[],
  head: SnapshotTable,
  options: ExportOptions,
): ExportedMonth {
  const { out, format } = options;
  using stage = openStage(out, format);
  const written = writeDrafts(tables, stage, head, options).map((table) => ({
    ...table,
    bytes: statSync(table.draft).size,
  }));
  const { [month.month]: before = {}, ...others } = readMonths(out, format);
  const kept = Object.entries(before).filter(([name]) => tables.every((table) => table.name !== name));
  const now = tables.map((table, at) => [table.name, { bytes: written[at]?.bytes, of: hashOf(month, table, options) }]);
  const index = (parts: unknown[]): Change => ({
    file: indexOf(out, format),
    text: toDocument({ ...others, [month.month]: Object.fromEntries(parts as [string, unknown][]) }),
  });
  stage.release([
    [index(kept)],
    written.map(({ table, draft }) => ({ file: fileOf(options, table, month), draft })),
    [index([...kept, ...now])],
  ]);
  const sum = (what: "rows" | "bytes") => written.reduce((total, table) => total + table[what], 0);
  return { month: month.month, tables: written.length, rows: sum("rows"), bytes: sum("bytes") };
}

const listMonths = (db: SQLite.Database): Month[] =>
  db
    .prepare<[], Month>(
      `SELECT substr(date, 1, 7) AS month, min(night_id) AS first, max(night_id) AS last,
         group_concat(night_id || ':' || version || iif(withdrawn, '-', '+'), ' ' ORDER BY night_id) AS nights
       FROM night GROUP BY 1 ORDER BY 1`,
    )
    .all();

/** Opens the tables of a month that the file has: it may be of an older schema. */
function openMonth(db: SQLite.Database, { first, last }: Month): ExportTable[] {
  const toColumns = (columns: typeof NIGHT) =>
    Object.entries(columns).map(([name, { type, nullable, unit }]) => ({ name, type, nullable, unit }));
  const nights = `SELECT ${listNames(Object.keys(NIGHT))} FROM night WHERE ${isOfMonthOf(first)} ORDER BY night_id`;
  const columnsOf = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck();
  return [
    { name: "night", columns: toColumns(NIGHT), batches: () => readBatches(db, nights) },
    ...HISTORY_TABLES.flatMap((table) => {
      const there = columnsOf.all(table.versionTable);
      const columns = Object.entries(table.columns).filter(([name]) => there.includes(name));
      if (columns.length === 0) return [];
      const sql = selectMonth(
        table,
        columns.map(([name]) => name),
        { first, last },
      );
      const shown = { ...Object.fromEntries(columns), ...PERIOD };
      return [{ name: table.name, columns: toColumns(shown), batches: () => readBatches(db, sql) }];
    }),
  ];
}

/** Selects rows in the order in which the file has them: sorted otherwise, a large table would not fit into memory. */
function selectMonth(
  table: HistoryTable,
  columns: readonly string[],
  { first, last }: Pick<Month, "first" | "last">,
): string {
  const cells = columns.map((column) =>
    isTermColumn(table, column)
      ? `(SELECT word FROM word WHERE word_id = fact.${quoteName(column)})`
      : `fact.${quoteName(column)}`,
  );
  // Nights are in the order of their publication: where a clock was set back, one of another month may lie between them.
  const nextOf = (column: string, night: string) =>
    `(SELECT ${column} FROM night WHERE night_id >= ${night} AND ${isOfMonthOf(first)} ORDER BY night_id LIMIT 1)`;
  const begun = `max(fact.from_night, ${first})`;
  const until = `iif(fact.to_night <= ${last}, ${nextOf("date", "fact.to_night")}, NULL)`;
  return `SELECT ${cells.join(", ")}, ${nextOf("date", begun)}, ${until}
FROM ${table.versionTable} AS fact
WHERE fact.from_night <= ${last} AND (fact.to_night IS NULL OR fact.to_night > ${nextOf("night_id", begun)})
ORDER BY fact.from_night, ${table.key.map((column) => `fact.${quoteName(column)}`).join(", ")}`;
}

/** A condition on a night: it is of the same month as this one. */
const isOfMonthOf = (night: number) =>
  `substr(date, 1, 7) = (SELECT substr(date, 1, 7) FROM night WHERE night_id = ${night})`;

const indexOf = (out: string, format: string) => join(out, `.exported-months-${format}.json`);

const fileOf = ({ out, format }: ExportOptions, table: string, { month }: Month) =>
  join(out, `table=${table}`, `month=${month}`, `${month}.${format}`);

/** Reads the index. Without it all is written again. */
function readMonths(out: string, format: string): WrittenMonths {
  try {
    return monthsSchema.parse(JSON.parse(readDocument(indexOf(out, format), MAX_BYTES)));
  } catch {
    return {};
  }
}

const hashOf = ({ nights }: Month, { columns }: ExportTable, { spreadsheet = false }: ExportOptions): string =>
  hash("sha256", JSON.stringify([nights, columns, spreadsheet, SCHEMA_VERSION]));

function isThere(written: WrittenMonths, month: Month, table: ExportTable, options: ExportOptions): boolean {
  const part = written[month.month]?.[table.name];
  const stats = statSync(fileOf(options, table.name, month), { throwIfNoEntry: false });
  return part !== undefined && part.bytes === stats?.size && part.of === hashOf(month, table, options);
}

/** Refuses a folder with other parts of tables: a reader takes all files of a table for one data set. */
export function refuseParts(out: string, prefix: "month=" | "snapshot_date=", by: string) {
  const tables = existsSync(out) ? readdirSync(out).filter((name) => name.startsWith("table=")) : [];
  const other = tables.find((table) => readdirSync(join(out, table)).some((name) => name.startsWith(prefix)));
  if (other === undefined) return;
  throw new Failure(EXIT.usage, `${join(out, other)}: has parts ${by}`, "name another folder with --out");
}
