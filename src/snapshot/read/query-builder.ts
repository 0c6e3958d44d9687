import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { Tables } from "../schema/row-types.ts";

/** Writes queries and asks none: `prepare` makes statements of them. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/**
 * A text to compare with in a query that orders. SQLite looks at the value of a bare parameter there, and because the driver
 * takes values back after each use, it would plan the query anew each time: that takes longer than the rows.
 */
export const boundText = (value: string) => sql<string>`cast(${value} as text)`;

export const selectSnapshotRow = () => query.selectFrom("snapshot").selectAll();
