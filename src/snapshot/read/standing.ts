import { hash } from "node:crypto";
import type SQLite from "better-sqlite3";
import { sliceIdOf } from "../../api/endpoint.ts";
import { partId } from "../../api/parts.ts";
import type { ClosedPartRow, EndpointStateRow, LanguageCheck, NamedDoubt } from "../schema/row-types.ts";
import { closedPartTable, endpointStateTable } from "../schema/tables/closed-part.ts";

/** Reads the closed parts of a file. */
export const readClosedParts = (db: SQLite.Database): ClosedPartRow[] => readAll<ClosedPartRow>(db, closedPartTable);

export const readEndpointStates = (db: SQLite.Database): EndpointStateRow[] =>
  readAll<EndpointStateRow>(db, endpointStateTable);

/** Reads the doubts that stayed, by check and `sliceId`. */
export const readDoubts = (db: SQLite.Database): ReadonlyMap<string, NamedDoubt> =>
  new Map(
    db
      .prepare<[], NamedDoubt>("SELECT doubt.*, dataset, slice FROM doubt JOIN coverage USING (slice_id) ORDER BY 1, 2")
      .all()
      .map((row) => [`${row.check_name} ${sliceIdOf(row)}`, row] as const),
  );

/** Reads the language checks, with the names of the slices that were compared. */
export const readLanguageChecks = (db: SQLite.Database): LanguageCheck[] =>
  db
    .prepare<[], LanguageCheck>(
      "SELECT dataset, slice, language_proof.lang, difference FROM language_proof JOIN coverage USING (slice_id)",
    )
    .all();

const readAll = <Row>(db: SQLite.Database, { name, key }: { name: string; key: readonly string[] }): Row[] =>
  db.prepare<[], Row>(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`).all();

/**
 * Makes a hash over what a file says about the upstream besides its data: the closed parts, the endpoints that are not open, and when the
 * answers were asked that it carries over although they were due.
 */
export function hashStanding(db: SQLite.Database): string {
  const carried = db
    .prepare(
      "SELECT dataset, slice, asked_at FROM coverage WHERE status <> 'failed' AND reason IS NOT NULL ORDER BY dataset, slice",
    )
    .raw()
    .all();
  const closed = readClosedParts(db).map((part) => [partId(part), part.since]);
  const states = readEndpointStates(db).flatMap(({ dataset, state }) => (state === "open" ? [] : [[dataset, state]]));
  return hash("sha256", JSON.stringify([closed.sort(), states, carried]));
}
