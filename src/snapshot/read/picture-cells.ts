import type SQLite from "better-sqlite3";
import { unwrapPicture } from "../../api/body/pictures.ts";
import { holdsAddresses } from "../schema/definition.ts";
import { quoteName } from "../schema/sql.ts";
import { hasPicturesAsSent } from "../schema/version.ts";

/** For a connection that reads cells by `cellAsNow`. Only its own statements may call it, no view of a file. */
export function definePicture(db: SQLite.Database): void {
  const options = { deterministic: true, directOnly: true };
  db.function("picture", options, (cell) => (typeof cell === "string" ? unwrapPicture(cell) : cell));
}

/** SQL for a cell of a snapshot of that schema as the newest schema has it. */
export const cellAsNow = (column: string, schemaVersion: string): string =>
  isOther(column, schemaVersion) ? `picture(${quoteName(column)})` : quoteName(column);

const isOther = (column: string, schemaVersion: string) => holdsAddresses(column) && hasPicturesAsSent(schemaVersion);

/** SQL for a table of a snapshot of that schema, with these columns as the newest schema has them. */
export function tableAsNow(table: string, columns: readonly string[], schemaVersion: string): string {
  if (!columns.some((column) => isOther(column, schemaVersion))) return table;
  const cells = columns.map((column) => `${cellAsNow(column, schemaVersion)} AS ${quoteName(column)}`);
  return `(SELECT ${cells.join(", ")} FROM ${table})`;
}
