import type { Value } from "../sql/messages.ts";

/** An object for each row; of columns that share a name the later ones have a number after it. */
export function toJson(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const names = uniqueNames(columns).map((name) => JSON.stringify(name));
  const lines = rows.map((row) => `{${row.map((value, index) => `${names[index]}:${toText(value)}`).join(",")}}`);
  return `[${lines.join(",\n")}]\n`;
}

function uniqueNames(columns: readonly string[]): string[] {
  const names = new Set<string>();
  for (const column of columns) {
    let name = column;
    for (let place = 1; names.has(name); place += 1) name = `${column}:${place}`;
    names.add(name);
  }
  return [...names];
}

/** All digits of a large integer; an infinite number as sqlite3 writes it, which readers take for one. */
function toText(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return value > 0 ? "9.0e+999" : "-9.0e+999";
  return JSON.stringify(value);
}
