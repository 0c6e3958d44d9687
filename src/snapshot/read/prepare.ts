import type SQLite from "better-sqlite3";
import type { Compilable } from "kysely";

/** The values that a query is run with, by name. */
type Values<G> = { [Name in keyof G]: string | number };

/** Stands for a value while the query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A prepared query with named values. */
export interface Statement<G, Row> {
  all(given: G): Row[];
  get(given: G): Row | undefined;
}

/**
 * Compiles a Kysely query once, for better-sqlite3. `build` gets placeholders in place of the values; it must destructure each by
 * name (a rest object stays empty). Throws a TypeError where one is missing.
 */
export function prepare<Row, G extends Values<G> = Record<never, never>>(
  db: SQLite.Database,
  build: (given: G) => Compilable<Row>,
): Statement<G, Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as G;
  const { sql, parameters } = build(placeholders).compile();
  if (parameters.includes(undefined)) throw new TypeError(`a value is missing in ${sql}`);
  const statement = db.prepare<unknown[], Row>(sql);
  const order = (given: G) => parameters.map((one) => (one instanceof Placeholder ? given[one.name as keyof G] : one));
  return {
    all: (given) => statement.all(...order(given)),
    get: (given) => statement.get(...order(given)),
  };
}
