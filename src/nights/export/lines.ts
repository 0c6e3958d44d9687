import { closeSync, openSync, writeSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import type { ExportTable, Value } from "./tables.ts";

/** CSV with a header. Texts are always in quotes, so that an empty text and nothing at all stay apart. */
export function writeCsv(file: string, table: ExportTable): void {
  const head = stringify([table.columns.map(({ name }) => name)]);
  writeLots(file, head, table, (rows) => stringify(rows, { quoted_string: true }));
}

/** One JSON object a line. */
export function writeNdjson(file: string, { columns, ...table }: ExportTable): void {
  const toObject = (row: Value[]) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
  writeLots(file, "", { columns, ...table }, (rows) =>
    rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join(""),
  );
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
