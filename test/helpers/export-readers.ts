import { readFileSync } from "node:fs";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";

type Cell = string | number | bigint | null;

const columnsOf = (table: string) => Object.entries(TABLES.find(({ name }) => name === table)?.columns ?? {});

/** A cell by the words of the page: a text is in quotes, nothing is nothing, a number is as many digits as it has. */
function toCell(written: string, type: string): Cell {
  if (written === "") return null;
  if (written.startsWith('"')) return written.slice(1, -1).replaceAll('""', '"');
  return type === "INTEGER" ? BigInt(written) : Number(written);
}

/** RFC 4180, integers as bigint. */
export function readCsv(file: string, table: string): Cell[][] {
  const columns = columnsOf(table);
  const cells = [...readFileSync(file, "utf8").matchAll(/("(?:[^"]|"")*"|[^",\n]*)[,\n]/g)].map(
    ([, cell = ""]) => cell,
  );
  const lines = Array.from({ length: cells.length / columns.length }, (_, line) =>
    cells.slice(line * columns.length, (line + 1) * columns.length),
  );
  return lines.slice(1).map((line) => line.map((cell, index) => toCell(cell, columns[index]?.[1].type ?? "")));
}

/** JSON a line, integers as bigint from their digits. */
export function readNdjson(file: string, table: string): Cell[][] {
  const columns = columnsOf(table);
  const exact = (key: string, value: unknown, { source }: { source?: string }) =>
    columns.some(([name, { type }]) => name === key && type === "INTEGER") && source && value !== null
      ? BigInt(source)
      : value;
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const row = JSON.parse(line, exact as Parameters<typeof JSON.parse>[1]) as Record<string, Cell>;
    return columns.map(([name, { type }]) => {
      const value = row[name] ?? null;
      return type === "REAL" && typeof value === "string" ? Number(value) : value;
    });
  });
}
