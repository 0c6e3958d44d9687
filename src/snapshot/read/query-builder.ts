import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { Tables } from "../schema/row-types.ts";

/** Only builds queries; `prepare` makes statements of better-sqlite3 from them. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/**
 * A text parameter in a query with ORDER BY. The cast hides its value from SQLite's planner, which would otherwise plan the query
 * anew for every value: that takes longer than reading the rows.
 */
export const boundText = (value: string) => sql<string>`cast(${value} as text)`;

export const selectSnapshotRow = () => query.selectFrom("snapshot").selectAll();
