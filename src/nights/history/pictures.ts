import { isDeepStrictEqual } from "node:util";
import type SQLite from "better-sqlite3";
import { holdsAddresses } from "../../snapshot/schema/definition.ts";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import type { HistoryTable } from "./tables.ts";

interface Version {
  from_night: number;
  to_night: number | null;
  gap: number | null;
  [cell: string]: unknown;
}

/**
 * Earlier programs folded addresses of pictures as they were sent. Takes the proxies out, and makes one of versions that then say the
 * same one after the other.
 */
export function unwrapFolded(db: SQLite.Database, table: HistoryTable): void {
  const { versionTable, key, values } = table;
  const columns = values.filter(holdsAddresses).map(quoteName);
  if (columns.length === 0) return;
  const unwrapped = columns.map((column) => `picture(${column})`);
  const { changes } = db
    .prepare(
      `UPDATE ${versionTable} SET (${columns.join(", ")}) = (${unwrapped.join(", ")})
       WHERE (${columns.join(", ")}) IS NOT (${unwrapped.join(", ")})`,
    )
    .run();
  if (changes === 0) return;
  const versions = db
    .prepare<[], Version>(`SELECT * FROM ${versionTable} ORDER BY ${listNames([...key, "from_night"])}`)
    .all();
  const isOf = ["from_night", ...key].map((column) => `${quoteName(column)} = :${column}`).join(" AND ");
  const remove = db.prepare(`DELETE FROM ${versionTable} WHERE ${isOf}`);
  const extend = db.prepare(`UPDATE ${versionTable} SET to_night = :to_night, gap = :gap WHERE ${isOf}`);
  const cellsOf = (version: Version) => [...key, ...values].map((column) => version[column]);
  let last: Version | undefined;
  for (const version of versions) {
    const goesOn = last?.to_night === version.from_night && last.gap === null;
    if (last && goesOn && isDeepStrictEqual(cellsOf(last), cellsOf(version))) {
      remove.run(version);
      Object.assign(last, { to_night: version.to_night, gap: version.gap });
      extend.run(last);
    } else last = version;
  }
}
