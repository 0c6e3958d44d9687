import { closeSync, openSync, writeSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import { harmlessJson, harmlessLines } from "../../api/harmless.ts";
import type { ExportTable, Value } from "./tables.ts";

/**
 * CSV with a header. Texts are always in quotes, so that an empty text and nothing at all stay apart; they are exactly
 * those of the snapshot, but for a spreadsheet.
 */
export function writeCsv(file: string, table: ExportTable, { spreadsheet }: { spreadsheet: boolean }): void {
  const head = stringify([table.columns.map(({ name }) => name)]);
  writeLots(file, head, table, (rows) =>
    stringify(spreadsheet ? rows.map((row) => row.map(forSpreadsheet)) : rows, { quoted_string: true }),
  );
}

/** One JSON object a line. */
export function writeNdjson(file: string, table: ExportTable): void {
  const keys = table.columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const toLine = (row: Value[]) => `{${keys.map((key, index) => key + toJsonValue(row[index] ?? null)).join()}}`;
  writeLots(file, "", table, (rows) => rows.map((row) => `${harmlessJson(toLine(row))}\n`).join(""));
}

/** Integers with all their digits; JSON has no infinity, so that it is the text of it. */
function toJsonValue(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" && !Number.isFinite(value) ? `"${value}"` : String(value);
}

/** A spreadsheet runs what begins so, in the wide forms of East Asia too; some pass over white space before it. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function forSpreadsheet(value: Value): Value {
  if (typeof value !== "string") return value;
  const text = harmlessLines(value);
  return FORMULA.test(text) ? `'${text}` : text;
}

function writeLots(file: string, head: string, table: ExportTable, encode: (rows: Value[][]) => string) {
  const handle = openSync(file, "w");
  try {
    writeAll(handle, head);
    for (const rows of table.batches()) writeAll(handle, encode(rows));
  } finally {
    closeSync(handle);
  }
}

/** A write may take less than it is given. */
function writeAll(handle: number, text: string) {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}
