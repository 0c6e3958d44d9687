import { BASE_LANG } from "../../api/enumerations.ts";
import { quoteName } from "../../snapshot/schema/sql.ts";
import type { Cell, Pair } from "./pair.ts";

/** What people call the thing that a column names by its number. */
export type Labels = (column: string, value: Cell) => string;

/** English names of all that have a number, from the tables that carry a name: heroes, skills, labels, items … */
export function readLabels({ db, tables }: Pair): Labels {
  const names = new Map<string, Map<Cell, string>>();
  for (const { name: table, key, label: name } of tables) {
    const id = key.filter((column) => column !== "lang").at(-1);
    if (!id || !name) continue;
    const english = key.includes("lang") ? `WHERE lang = '${BASE_LANG}'` : "";
    const known = names.get(id) ?? new Map<Cell, string>();
    for (const schema of ["was", "main"]) {
      const rows = db
        .prepare(`SELECT ${quoteName(id)}, ${quoteName(name)} FROM ${schema}.${quoteName(table)} ${english}`)
        .raw()
        .all();
      for (const [value, label] of rows as [Cell, string][]) if (label) known.set(value, label);
    }
    names.set(id, known);
  }
  return (column, value) => {
    const owner = [...names.keys()].find((id) => column === id || column.endsWith(`_${id}`));
    const known = owner && names.get(owner)?.get(value);
    return known || (column.endsWith("_id") ? `${column.slice(0, -3).replaceAll("_", " ")} ${value}` : String(value));
  };
}

/** The name of a row: what its key names, without the language. */
export const labelOf = (labels: Labels, key: Readonly<Record<string, Cell>>): string =>
  Object.entries(key)
    .filter(([column]) => column !== "lang")
    .map(([column, value]) => labels(column, value))
    .join(", ");
