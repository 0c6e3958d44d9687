import { stringify } from "csv-stringify/sync";
import type { CsvTable } from "./page.ts";
import type { Choice, Values } from "./query.ts";

export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** Of pages with a table for programs. */
export const FORMAT_CHOICE: Choice = {
  name: "format",
  label: "Format",
  options: [
    { value: "html", label: "Page" },
    { value: "csv", label: "CSV" },
  ],
  fallback: "html",
};

export const isCsv = ({ format }: Values): boolean => format === "csv";

/** Texts that a spreadsheet would take for formulas are escaped. */
export const writeCsv = (table: CsvTable | undefined): string =>
  stringify((table?.rows ?? []) as unknown[][], {
    header: true,
    columns: [...(table?.columns ?? [])],
    escape_formulas: true,
  });
