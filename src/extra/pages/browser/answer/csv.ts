import type { Value } from "../sql/messages.ts";

/** Writes CSV (RFC 4180). As in the CSV of the pages, texts that a spreadsheet would take for formulas are escaped. */
export const toCsv = (columns: readonly string[], rows: readonly (readonly Value[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");

const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

function toField(value: Value): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
