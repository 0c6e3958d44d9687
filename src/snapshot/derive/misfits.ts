/** Reasons why a value is not in a table as it came. The archive has all of them. */
export const MISFITS = {
  unfit: "A value does not fit its column and is null, or a value that should be a list has no rows.",
  repaired: "A text was repaired: U+FFFD replaces half characters, and NULs are removed.",
  cut: "A text was cut because it is too long: a name of more than 200 characters, a title or an address of more than 2,000, another text of more than 65,536.",
  incomplete: "A row was left out because a required cell is missing or does not fit.",
  taken: "A row was left out because an earlier row with other values has its key.",
  unknown: "A row was left out because it names an entry that no list has.",
  part: "A row was left out together with the row that it belongs to.",
  repeated: "A record has the id of another record of the same answer. Both are archived.",
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
  /** Adds a misfit. `column` is null if a whole row was left out; `value` is as it came. */
  add(kind: MisfitKind, table: string, column: string | null, dataset: string, path: string, value: unknown): void;
  /** Returns the misfits in an order that does not depend on when each was found. */
  rows(): Misfit[];
}

export function createMisfitCounter(): MisfitCounter {
  const misfits = new Map<string, Misfit>();
  return {
    add(kind, table, column, dataset, path, value) {
      const id = [table, column, dataset, path, kind].join("\n");
      const counted = misfits.get(id);
      if (counted) counted.count += 1;
      else {
        const names = { table_name: table, column_name: column, dataset, path };
        misfits.set(id, { ...names, kind, count: 1, example: toExample(value) });
      }
    },
    rows: () => [...misfits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, misfit]) => misfit),
  };
}

/** JSON, cut short. */
const toExample = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 100).toWellFormed();
