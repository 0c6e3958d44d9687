import { closeSync, openSync, writeSync } from "node:fs";
import { zstdCompressSync } from "node:zlib";
import { type Options, stringify } from "csv-stringify/sync";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { sanitizeJson, sanitizeLines } from "../../../api/sanitize.ts";
import type { ExportColumn, ExportTable, Value } from "./tables.ts";

/** The form of CSV. */
export interface CsvForm {
  /** True for programs that open files by a double click. */
  spreadsheet: boolean;
  separator: "," | ";" | "\t";
  /** The decimal mark of numbers that are no integers. */
  decimal: "." | ",";
}

/** Without the mark Excel takes UTF-8 for the code page of its country. */
const BYTE_ORDER_MARK = "\u{feff}";

/**
 * Writes CSV with a header. Texts are always quoted, which distinguishes an empty text from NULL. They are exact, unless they are escaped
 * for a spreadsheet.
 */
export function writeCsvFile(file: string, table: ExportTable, { spreadsheet, separator, decimal }: CsvForm): void {
  const options: Options = {
    delimiter: separator,
    record_delimiter: spreadsheet ? "windows" : "unix",
    ...(decimal !== "." && { cast: { number: (value: number) => String(value).replace(".", decimal) } }),
  };
  const head = stringify([table.columns.map(({ name }) => name)], options);
  writeBatches(file, spreadsheet ? BYTE_ORDER_MARK + head : head, table, (rows) =>
    stringify(spreadsheet ? rows.map((row) => row.map(escapeFormula)) : rows, { ...options, quoted_string: true }),
  );
}

/** Writes one JSON object per line. */
export function writeNdjsonFile(file: string, table: ExportTable): void {
  const keys = table.columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const toLine = (row: Value[]) => `{${keys.map((key, index) => key + toJsonValue(row[index] ?? null)).join()}}`;
  writeBatches(file, "", table, (rows) => rows.map((row) => `${sanitizeJson(toLine(row))}\n`).join(""));
}

/** Writes a value as JSON. Integers keep all their digits. JSON has no infinity: it becomes a string. */
function toJsonValue(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" && !Number.isFinite(value) ? `"${value}"` : String(value);
}

/** The start of a text that a spreadsheet runs, also in full-width forms; some ignore white space before it. */
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

/** Writes all of a text: a single write may be partial. */
function writeAll(handle: number, text: string) {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}

const TYPES = {
  TEXT: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  INTEGER: { type: "INT64" },
  REAL: { type: "DOUBLE" },
} as const;

/** Writes one Parquet file: a row group per batch, compressed with zstd, with `metadata` as key-value pairs. */
export function writeParquetFile(
  file: string,
  { columns, batches }: ExportTable,
  { metadata }: { metadata: Readonly<Record<string, string>> },
): void {
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(toElement)],
    codec: "ZSTD",
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: "metasnap",
  });
  for (const rows of batches()) {
    const columnData = columns.map(({ name }, index) => ({ name, data: rows.map((row) => row[index] ?? null) }));
    void writer.write({ columnData, rowGroupSize: rows.length });
  }
  void writer.finish();
}

const toElement = ({ name, type, nullable }: ExportColumn) => ({
  name,
  ...TYPES[type],
  repetition_type: nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const),
});
