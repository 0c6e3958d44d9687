import type { Selectable } from "kysely";
import * as z from "zod";
import type { ColumnDefinition, RowOf } from "../schema/definition.ts";

interface Columns {
  columns: Record<string, ColumnDefinition>;
}

/** The rows of a table as JSON, with the descriptions of its columns. */
export function rowSchemaOf<T extends Columns>({ columns }: T) {
  const cells = Object.entries(columns).map(([name, column]) => [name, cellSchema(column)]);
  return z.object(Object.fromEntries(cells)) as unknown as z.ZodObject<{
    [Name in keyof Selectable<RowOf<T>>]: z.ZodType<Selectable<RowOf<T>>[Name]>;
  }>;
}

function cellSchema({ type, nullable, description }: ColumnDefinition): z.ZodType {
  const cell = type === "TEXT" ? z.string() : type === "INTEGER" ? z.int() : z.number();
  return (nullable ? cell.nullable() : cell).meta({ description });
}
