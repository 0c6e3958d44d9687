/** Why something that was sent is not in a table as it came. The archive has it all. */
export const MISFITS = {
  unfit: "A value that does not fit its column is null, or a list that is none has no rows.",
  repaired: "A text that is no Unicode, or has a NUL, was mended: U+FFFD for halves of characters, NULs taken out.",
  incomplete: "A row was left out: a cell that it must have is missing, or does not fit.",
  taken: "A row was left out: an earlier one with other values has its key.",
  unknown: "A row was left out: it names something that no list has.",
  part: "A row was left out with the row that it belongs to.",
  repeated: "A record with the id of another one of its answer; both are archived.",
} as const;

export type MisfitKind = keyof typeof MISFITS;

/** One row of the table `misfit`. */
export interface Misfit {
  table_name: string;
  column_name: string | null;
  dataset: string;
  path: string;
  kind: MisfitKind;
  count: number;
  example: string;
}

/** Counts misfits, and keeps the first of each kind and place as an example. */
export interface MisfitCounter {
  /** `column` is null where a whole row was left out; `value` is what was sent. */
  add(kind: MisfitKind, table: string, column: string | null, dataset: string, path: string, value: unknown): void;
  /** In an order that does not depend on when each was found. */
  rows(): Misfit[];
}

export function createMisfitCounter(): MisfitCounter {
  const found = new Map<string, Misfit>();
  return {
    add(kind, table, column, dataset, path, value) {
      const id = [table, column, dataset, path, kind].join("\n");
      const known = found.get(id);
      if (known) known.count += 1;
      else {
        const names = { table_name: table, column_name: column, dataset, path };
        found.set(id, { ...names, kind, count: 1, example: toExample(value) });
      }
    },
    rows: () => [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, misfit]) => misfit),
  };
}

/** JSON, cut short. */
export const toExample = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 100).toWellFormed();
