import { BASE_LANG } from "../../../api/enumerations.ts";
import { quoteName } from "../../../snapshot/schema/sql.ts";
import type { Pair } from "./pair.ts";
import type { Cell } from "./shared-tables.ts";

/** Returns the English name for an id in this column; the id itself if it has none. */
export type LabelLookup = (column: string, value: Cell) => string;

/** Reads the names from all tables that have a label column: heroes, skills, items … */
export function readLabels({ db, tables }: Pair): LabelLookup {
  const names = new Map<string, Map<Cell, string>>();
  for (const { name: table, key, label: name } of tables) {
    const id = key.filter((column) => column !== "lang").at(-1);
    if (!id || !name) continue;
    const english = key.includes("lang") ? `WHERE lang = '${BASE_LANG}'` : "";
    const labels = names.get(id) ?? new Map<Cell, string>();
    for (const schema of ["was", "main"]) {
      const rows = db
        .prepare(`SELECT ${quoteName(id)}, ${quoteName(name)} FROM ${schema}.${quoteName(table)} ${english}`)
        .raw()
        .all();
      for (const [value, label] of rows as [Cell, string][]) if (label) labels.set(value, label);
    }
    names.set(id, labels);
  }
  return (column, value) => {
    const owner = [...names.keys()].find((id) => column === id || column.endsWith(`_${id}`));
    const label = owner && names.get(owner)?.get(value);
    return label || (column.endsWith("_id") ? `${column.slice(0, -3).replaceAll("_", " ")} ${value}` : String(value));
  };
}

/** The name of a row: the labels of its key, without the language. */
export const labelOfKey = (labels: LabelLookup, key: Readonly<Record<string, Cell>>): string =>
  Object.entries(key)
    .filter(([column]) => column !== "lang")
    .map(([column, value]) => labels(column, value))
    .join(", ");
