import type SQLite from "better-sqlite3";
import {
  type Compilable,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Tables } from "../schema/row-types.ts";

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Writes placeholders as `@name`, and the constants of a query into its text. */
class NamedCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown) {
    if (value instanceof Placeholder) this.append(`@${value.name}`);
    else this.appendImmediateValue(value);
  }
}

/** Only builds queries; `prepare` makes statements of better-sqlite3 from them. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new NamedCompiler(),
  },
});

/** A prepared query, which is run with its values by name. */
export type Statement<G, Row> = SQLite.Statement<[G], Row>;

/**
 * Compiles a Kysely query once, for better-sqlite3. `build` gets placeholders in place of the values; it must destructure each by
 * name (a rest object stays empty). Throws if one is missing.
 */
export function prepare<Row, G extends { [Name in keyof G]: string | number } = Record<never, never>>(
  db: SQLite.Database,
  build: (given: G) => Compilable<Row>,
): Statement<G, Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as G;
  return db.prepare<[G], Row>(build(placeholders).compile().sql);
}

/**
 * A value in a condition on an index. The cast hides it from SQLite's planner, which would otherwise plan the query anew for every value: that
 * takes as long as reading the rows.
 */
export const boundText = (value: string) => sql<string>`cast(${value} as text)`;
export const boundInteger = (value: number) => sql<number>`cast(${value} as integer)`;

export const selectSnapshotRow = () => query.selectFrom("snapshot").selectAll();
