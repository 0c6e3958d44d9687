import { endpointOf } from "../../api/endpoints.ts";
import { cellPath } from "../derive/walk.ts";
import type { TableDefinition } from "./definition.ts";
import type { CellSource, RowSource } from "./row-source.ts";

/**
 * Returns the endpoints and paths of the values by column, as `equipment data.equipid, equipment-expanded data.equipid`. They follow from
 * the rows, unless the column says its own.
 */
export function sourcesOf({ columns, rows = [] }: TableDefinition): Record<string, string | null> {
  const sources = Object.entries(columns).map(([column, { source }]) => {
    const paths = rows.flatMap((each) => sourcesIn(each, each.cells[column]));
    return [column, source ?? (paths.length > 0 ? [...new Set(paths)].join(", ") : null)];
  });
  return Object.fromEntries(sources);
}

function sourcesIn(rows: RowSource, cell: CellSource | undefined): string[] {
  if (!cell) return [];
  return rows.datasets.flatMap((dataset) => pathsOf(dataset, rows, cell).map((path) => `${dataset} ${path}`));
}

function pathsOf(dataset: string, rows: RowSource, cell: CellSource): string[] {
  if (cell.kind === "record") return [...cell.paths];
  const { identity } = endpointOf(dataset);
  const asked = cell.kind === "asked" ? { hero: identity?.hero, subject: identity?.subject } : {};
  const path = cell.kind === "asked" ? asked[cell.name as keyof typeof asked] : cellPath(cell, rows);
  return path === undefined ? [] : [path.replaceAll(/\.(\d+)/g, "[$1]")];
}
