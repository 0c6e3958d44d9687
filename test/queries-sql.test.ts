import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { expect, test } from "vitest";
import { SQL } from "../src/snapshot/queries.ts";
import type { Tables } from "../src/snapshot/tables.ts";

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (made) => new SqliteIntrospector(made),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const slice = db.selectFrom("record").select("json").where("dataset", "=", "").where("slice", "=", "");
const rowid = sql.ref<number>("rowid");

/** The same questions, with names and types checked against the tables. */
const TYPED = {
  head: db.selectFrom("snapshot").selectAll(),
  coverage: db.selectFrom("coverage").select(["status", "records"]).where("dataset", "=", "").where("slice", "=", ""),
  records: slice.orderBy("position"),
  page: slice.where("position", ">=", 0).where("position", "<", 0).orderBy("position"),
  rows: db.selectFrom("record").select("json").where(rowid, ">=", 0).where(rowid, "<", 0).orderBy(rowid),
  places: db
    .selectFrom("record")
    .select(["dataset", "slice"])
    .select([sql`min(rowid - position)`.as("first"), sql`max(rowid - position)`.as("last"), sql`count(*)`.as("count")])
    .groupBy(["dataset", "slice"]),
  languages: db.selectFrom("coverage").select(["lang", "slice"]).where("dataset", "=", ""),
  tables: db.selectFrom("sqlite_schema").select("name").where("type", "=", ""),
  misfits: db.selectFrom("misfit").select(sql`coalesce(sum("count"), 0)`.as("count")),
  setTexts: db.selectNoFrom(sql`json_set(${""}, ${""}, json(${""}), ${""}, json(${""}))`.as("json")),
} satisfies Record<keyof typeof SQL, { compile(): { sql: string } }>;

test.for(Object.keys(SQL) as (keyof typeof SQL)[])("the text of the query %s is the one that Kysely writes", (name) => {
  const text = name === "setTexts" ? SQL.setTexts(2) : SQL[name];
  expect(text).toBe(TYPED[name].compile().sql);
});
