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
import { type Reference, sliceKey } from "../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { createLists, type HeroName, localisedTexts, type Names, type Place } from "../api/localise.ts";
import type { WordParameter } from "../api/path-parameter.ts";
import { openSnapshotFile } from "./open.ts";
import type { Coverage, SnapshotTable, Tables } from "./tables.ts";

/** Builds SQL and runs nothing: better-sqlite3 runs it, from statements that are prepared once. */
const queries = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export type Snapshot = ReturnType<typeof openSnapshot>;

/** A published snapshot, open for reading. Records are handed through as the text they were sent as. */
export function openSnapshot(file: string) {
  const db = openSnapshotFile(file);
  const all = createReader(db);
  const names = readNames(all);
  const readList = (dataset: string, lang: Lang): unknown[] | undefined => {
    const records = all<{ json: string }>(recordsOf(dataset, sliceKey({ dataset, lang })).orderBy("position"));
    return records.length > 0 ? records.map(({ json }): unknown => JSON.parse(json)) : undefined;
  };
  const lists = createLists(readList);
  const head = all<SnapshotTable>(queries.selectFrom("snapshot").selectAll())[0] as SnapshotTable;

  return {
    file,
    head,
    /** Names by language and hero id; a language that is not in the snapshot has no entry. */
    names,

    coverage: (dataset: string, slice: string): Coverage | undefined =>
      all<Coverage>(
        queries.selectFrom("coverage").selectAll().where("dataset", "=", dataset).where("slice", "=", slice),
      )[0],

    /** All records of a slice, in the upstream's order. */
    records: (dataset: string, slice: string): string[] =>
      all<{ json: string }>(recordsOf(dataset, slice).orderBy("position")).map(({ json }) => json),

    record: (dataset: string, slice: string, position: number): string | undefined =>
      all<{ json: string }>(recordsOf(dataset, slice).where("position", "=", position))[0]?.json,

    /** The record with its texts in another language; nothing when they cannot be told from the lists of that language. */
    localise(json: string, rule: readonly Reference[], lang: Lang): string | undefined {
      const texts = localisedTexts(rule, JSON.parse(json), lang, lists);
      if (!texts || texts.length === 0) return texts && json;
      return all<{ json: string }>(queries.selectNoFrom(setTexts(json, texts).as("json")))[0]?.json;
    },

    /** The words that a path may name; nothing when the list that says so is not there. */
    words: ({ list, read }: WordParameter): string[] | undefined => readList(list, BASE_LANG)?.flatMap(read),

    close: () => void db.close(),
  };
}

const recordsOf = (dataset: string, slice: string) =>
  queries.selectFrom("record").select("json").where("dataset", "=", dataset).where("slice", "=", slice);

function setTexts(json: string, texts: readonly [Place, string][]) {
  const pairs = texts.map(([place, text]) => sql`, ${toJsonPath(place)}, ${text}`);
  return sql<string>`json_set(${json}${sql.join(pairs, sql``)})`;
}

const toJsonPath = (place: Place) =>
  `$${place.map((key) => (typeof key === "number" ? `[${key}]` : `."${key}"`)).join("")}`;

function createReader(db: SQLite.Database) {
  const statements = new Map<string, SQLite.Statement<unknown[]>>();
  return <R>(query: Compilable<R> | Compilable): R[] => {
    const { sql: text, parameters } = query.compile();
    let statement = statements.get(text);
    if (!statement) {
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement.all(parameters) as R[];
  };
}

function readNames(all: ReturnType<typeof createReader>): Names {
  const rows = all<{ lang: string; hero: number; name: string; head: string | null }>(
    queries
      .selectFrom("coverage")
      .innerJoin("record", (join) =>
        join.onRef("record.dataset", "=", "coverage.dataset").onRef("record.slice", "=", "coverage.slice"),
      )
      .select([
        "coverage.lang",
        sql<number>`json ->> '$.data.hero_id'`.as("hero"),
        sql<string>`json ->> '$.data.hero.data.name'`.as("name"),
        sql<string | null>`json ->> '$.data.hero.data.head'`.as("head"),
      ])
      .where("coverage.dataset", "=", "heroes"),
  );
  const names = new Map<string, Map<number, HeroName>>();
  for (const { lang, hero, name, head } of rows) {
    const heroes = names.get(lang) ?? new Map<number, HeroName>();
    names.set(lang, heroes.set(hero, { name, head }));
  }
  return names;
}
