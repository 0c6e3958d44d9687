import type { ColumnDefinition, TableDefinition } from "./definition.ts";
import type { CellSource, DefinedRows } from "./row-source.ts";

/** A table as it is written down: each column says what it means and what its cells are. */
export interface DefinedTable extends Omit<TableDefinition, "rows"> {
  rows?: readonly DefinedRows[];
}

/** A table whose sources have the cells that its columns name. */
export const withCells = ({ rows, ...table }: DefinedTable): TableDefinition => ({
  ...table,
  ...(rows && {
    rows: rows.map((source) => ({ ...source, cells: { ...cellsOf(table.columns, source), ...source.cells } })),
  }),
});

const cellsOf = (columns: Record<string, ColumnDefinition>, { datasets: [dataset = ""] }: DefinedRows) =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { from }]): [string, CellSource][] => {
      const cell = from && (isCell(from) ? from : from[dataset]);
      return cell ? [[name, cell]] : [];
    }),
  );

const isCell = (from: NonNullable<ColumnDefinition["from"]>): from is CellSource => typeof from.kind === "string";
