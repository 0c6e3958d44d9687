import { integer, maybe, type TableDefinition } from "./definition.ts";
import type { RowSource } from "./row-source.ts";

/** The column of the slice that made a row. */
const OWN = "slice_id";

/** The column with the number of the slice that a source's cells come from. */
export const sliceColumnOf = ({ slice = OWN }: RowSource): string => slice;

/**
 * Adds the numbers of the answers that the rows of a table come from: one column for each source that fills cells of its own. It is null if
 * that source has given nothing.
 */
export function withSlices(table: TableDefinition): TableDefinition {
  const { rows } = table;
  if (!rows) return table;
  const bySlice = Map.groupBy(rows, sliceColumnOf);
  const columns = [...bySlice].map(([name, sources]) => [name, describe(name, sources)] as const);
  return {
    ...table,
    columns: { ...table.columns, ...Object.fromEntries(columns) },
    rows: rows.map((source) => ({
      ...source,
      cells: { ...source.cells, [sliceColumnOf(source)]: { kind: "slice" } as const },
    })),
    slices: [...bySlice.keys()],
  };
}

function describe(name: string, sources: readonly RowSource[]) {
  const datasets = [...new Set(sources.flatMap((source) => source.datasets))].join(", ");
  if (name !== OWN)
    return maybe.integer(`Answer of ${datasets} that filled cells of the row, as in coverage. null: there was none.`);
  const canLack = sources.some(({ merge }) => merge);
  const description = "Answer that the row comes from, as in coverage: when it was asked, and which day it is of.";
  return canLack ? maybe.integer(`${description} null: the row was there without one.`) : integer(description);
}
