import type SQLite from "better-sqlite3";
import type { Compilable } from "kysely";

/** The values that a query is asked with, by name. */
type Values<G> = { [Name in keyof G]: string | number };

/** Stands in a query for a value that comes later. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A query that is ready to be asked again and again; what it is asked with has names. */
export interface Statement<G, Row> {
  all(given: G): Row[];
  get(given: G): Row | undefined;
}

/**
 * Compiles a query of Kysely once, for better-sqlite3. `build` writes it with the given values as if they were there; it must
 * name each of them, because what is not named is in no rest of an object.
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
