import type { PreparedStatement } from "@sqlite.org/sqlite-wasm";
import { type OpenFile, prepareOne } from "./database.ts";
import { Fault, Spent } from "./fault.ts";
import type { Answer, Question, Value } from "./messages.ts";
import { findMistake } from "./mistake.ts";
import type { RangeFile } from "./range-file.ts";
import { scannedBytes } from "./scan.ts";

type Outcome = Answer extends infer One ? (One extends Answer ? Omit<One, "cost"> : never) : never;

/** The bound of all values of a result, in characters; an element for each cell costs too. */
const MOST_RESULT_CHARS = 8_000_000;
const CELL_CHARS = 30;
const READ_ONLY = "The file is read-only: nothing can be written to it.";
const MOST_BLOB_BYTES = 1000;
const LONG_BLOB = `The result has a blob of more than ${MOST_BLOB_BYTES} bytes: select hex(…) or length(…) of it.`;
const EXPLAINS = /^\s*(explain|pragma)\b/i;

/** Runs a query, until it has read what it may. */
export function run(open: OpenFile, file: RangeFile, question: Question): Outcome {
  const { sql, mostRows, mostBytes } = question;
  let statement: PreparedStatement | undefined;
  try {
    file.allow(mostBytes);
    statement = prepareOne(open, sql);
    if (!open.sqlite.capi.sqlite3_stmt_readonly(statement)) throw new Fault(READ_ONLY);
    const result = readRows(statement, mostRows);
    // Some pragmas have a row for what could not be read.
    if (file.fault) throw file.fault;
    return result;
  } catch (error) {
    if (file.fault instanceof Spent)
      return { kind: "spent", whole: EXPLAINS.test(sql) ? 0 : estimate(open, file, sql) };
    const text = explain(error as Error, open, file);
    return { kind: "fault", ...(error instanceof Fault || file.fault ? { text } : findMistake(open, sql, text)) };
  } finally {
    statement?.finalize();
  }
}

/** Estimates the bytes of whole tables that a query reads; 0 if the plan, or a page that it needs, cannot be read. */
function estimate(open: OpenFile, file: RangeFile, sql: string): number {
  try {
    file.allow(Number.POSITIVE_INFINITY);
    return scannedBytes(open, file, sql);
  } catch {
    return 0;
  }
}

function readRows(statement: PreparedStatement, mostRows: number): Outcome {
  if (statement.columnCount === 0) {
    statement.step();
    return { kind: "rows", columns: [], rows: [], more: false };
  }
  const columns = statement.getColumnNames();
  const rows: Value[][] = [];
  let chars = 0;
  while (statement.step()) {
    if (rows.length === mostRows || chars > MOST_RESULT_CHARS) return { kind: "rows", columns, rows, more: true };
    const row = columns.map((_, index) => toValue(statement.get(index)));
    for (const value of row) chars += typeof value === "string" ? value.length + CELL_CHARS : CELL_CHARS;
    rows.push(row);
  }
  return { kind: "rows", columns, rows, more: false };
}

function toValue(value: unknown): Value {
  if (!(value instanceof Uint8Array)) return value as Value;
  // Cut, it would go into the CSV as another value.
  if (value.length > MOST_BLOB_BYTES) throw new Fault(LONG_BLOB);
  return `x'${Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
}

/** One line: what the file or we have to say, else SQLite's own words. */
function explain(error: Error, { isLate, sqlite: { capi } }: OpenFile, file: RangeFile): string {
  if (error instanceof Fault) return error.message;
  if (file.fault) return file.fault.message;
  const code = Number((error as { resultCode?: number }).resultCode) & 0xff;
  if (code === capi.SQLITE_READONLY) return READ_ONLY;
  if (code === capi.SQLITE_INTERRUPT && isLate()) return "Stopped: the time is up.";
  if (code === capi.SQLITE_NOMEM) return "The query needs more memory than it may take.";
  return error.message.replace(/^\w+: sqlite3 result code \d+: /, "");
}
