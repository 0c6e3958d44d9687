import { maybe, type TableDefinition, text } from "../definition.ts";

/** The tables in which a file documents its own tables, views and columns. */
export const docTables: TableDefinition[] = [
  {
    name: "table_doc",
    kind: "internal",
    description: "Descriptions of the tables and views.",
    columns: { table_name: text("Table or view."), description: text("What the table or view holds.") },
    key: ["table_name"],
    withoutRowid: true,
  },
  {
    name: "column_doc",
    kind: "internal",
    description: "Descriptions of the columns of tables and views.",
    columns: {
      table_name: text("Table or view."),
      column_name: text("Column."),
      description: text("What the column holds."),
      unit: maybe.text("Unit of the values."),
      source: maybe.text("Endpoint and path that the value comes from."),
    },
    key: ["table_name", "column_name"],
    withoutRowid: true,
  },
];
