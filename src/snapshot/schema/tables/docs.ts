import { maybe, type TableDefinition, text } from "../definition.ts";

/** What the file says of its own tables, views and columns. */
export const docTables: TableDefinition[] = [
  {
    name: "table_doc",
    kind: "internal",
    description: "What each table and view is.",
    columns: { table_name: text("Table or view."), description: text("What it is.") },
    key: ["table_name"],
    withoutRowid: true,
  },
  {
    name: "column_doc",
    kind: "internal",
    description: "What each column of each table and view is.",
    columns: {
      table_name: text("Table or view."),
      column_name: text("Column."),
      description: text("What it is."),
      unit: maybe.text("What it is measured in."),
      source: maybe.text("Endpoint and path it comes from."),
    },
    key: ["table_name", "column_name"],
    withoutRowid: true,
  },
];
