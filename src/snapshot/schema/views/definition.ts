/** A question that people ask, as a view. Columns are described like those of tables. */
export interface ViewDefinition {
  name: string;
  description: string;
  columns: Record<string, string>;
  select: string;
}

/** A view of the snapshot, with a query that shows what it is good for: the dictionary has its first rows. */
export interface SnapshotView extends ViewDefinition {
  example: string;
}
