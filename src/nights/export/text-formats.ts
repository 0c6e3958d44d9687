import { closeSync, openSync, writeSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import { sanitizeJson, sanitizeLines } from "../../api/sanitize.ts";
import type { ExportTable, Value } from "./tables.ts";

/**
 * CSV with a header. Texts are always quoted, which distinguishes an empty text from NULL. They are exact, unless they
 * are escaped for a spreadsheet.
 */
export function writeCsvFile(file: string, table: ExportTable, { spreadsheet }: { spreadsheet: boolean }): void {
  const head = stringify([table.columns.map(({ name }) => name)]);
  writeBatches(file, head, table, (rows) =>
    stringify(spreadsheet ? rows.map((row) => row.map(escapeFormula)) : rows, { quoted_string: true }),
  );
}

/** One JSON object per line. */
export function writeNdjsonFile(file: string, table: ExportTable): void {
  const keys = table.columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const toLine = (row: Value[]) => `{${keys.map((key, index) => key + toJsonValue(row[index] ?? null)).join()}}`;
  writeBatches(file, "", table, (rows) => rows.map((row) => `${sanitizeJson(toLine(row))}\n`).join(""));
}

/** Integers keep all their digits. JSON has no infinity: it becomes a string. */
function toJsonValue(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" && !Number.isFinite(value) ? `"${value}"` : String(value);
}

/** A spreadsheet runs a text that starts like this, also in full-width forms; some ignore white space before it. */
const FORMULA_START = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function escapeFormula(value: Value): Value {
  if (typeof value !== "string") return value;
  const text = sanitizeLines(value);
  return FORMULA_START.test(text) ? `'${text}` : text;
}

function writeBatches(file: string, head: string, table: ExportTable, encode: (rows: Value[][]) => string) {
  const handle = openSync(file, "w");
  try {
    writeAll(handle, head);
    for (const rows of table.batches()) writeAll(handle, encode(rows));
  } finally {
    closeSync(handle);
  }
}

/** A write may be partial. */
function writeAll(handle: number, text: string) {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}
