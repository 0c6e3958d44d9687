import SQLite from "better-sqlite3";
import type { Diff } from "../../../src/extra/nights/diff/diff.ts";
import { OF_THE_CRAWL } from "../../helpers/judge-history.ts";

type Row = Record<string, string | number | null>;

/** Everything that a difference of two snapshots says otherwise than SQL on both of them. */
export function judgeDiff(diff: Diff, before: string, after: string): string[] {
  const db = new SQLite(after, { readonly: true, fileMustExist: true });
  try {
    db.prepare("ATTACH ? AS was").run(before);
    const hash = (schema: string) => db.prepare(`SELECT content_hash FROM ${schema}.snapshot`).pluck().get();
    const same = hash("main") === hash("was");
    if (diff.identical !== same) return [`identical: ${diff.identical}`];
    if (diff.identical) return [];
    const { changes } = diff;
    const told = (what: string, said: unknown, right: unknown) =>
      JSON.stringify(said) === JSON.stringify(right)
        ? []
        : [`${what}: ${JSON.stringify(said)}, not ${JSON.stringify(right)}`.slice(0, 1000)];
    return [
      ...told("days apart", changes.days_apart, daysApart(db)),
      ...told("heroes added", changes.heroes.added, heroes(db, "main", "was")),
      ...told("heroes gone", changes.heroes.gone, heroes(db, "was", "main")),
      ...told(
        "rows",
        Object.fromEntries(changes.tables.map(({ table, counts }) => [table, counts])),
        Object.fromEntries(tables(db).flatMap((table) => countRows(db, table))),
      ),
      ...changes.tables
        .filter(({ kind }) => kind === "row" || kind === "text")
        .flatMap(({ table, changed }) =>
          told(`cells of ${table}`, sort(changed.flatMap(cellsOf)), changedCells(db, table)),
        ),
      ...told(
        "answers",
        Object.fromEntries(changes.coverage.map(({ dataset, slices }) => [dataset, slices])),
        countSlices(db),
      ),
      ...changes.rates.movers.flatMap(({ rank, days, hero_id, rate, before, after }) =>
        told(
          `${rate} of ${hero_id}`,
          [before, after],
          [rateOf(db, "was"), rateOf(db, "main")].map((read) => read(rate, [rank, days, hero_id])),
        ),
      ),
    ];
  } finally {
    db.close();
  }
}

const quote = (name: string) => `"${name}"`;
const list = (columns: readonly string[], prefix = "") => columns.map((column) => prefix + quote(column)).join(", ");
const sort = (lines: readonly string[]) => lines.toSorted();

const tables = (db: SQLite.Database) =>
  db
    .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
    .filter((name) => !OF_THE_CRAWL.includes(name));

const heroes = (db: SQLite.Database, here: string, there: string) =>
  db
    .prepare(
      `SELECT hero_id, name FROM ${here}.hero WHERE hero_id NOT IN (SELECT hero_id FROM ${there}.hero) ORDER BY 1`,
    )
    .all();

const daysApart = (db: SQLite.Database) =>
  db
    .prepare(
      "SELECT CAST(abs(julianday((SELECT max(date) FROM main.hero_trend)) - julianday((SELECT max(date) FROM was.hero_trend))) AS INTEGER)",
    )
    .pluck()
    .get();

function columnsOf(db: SQLite.Database, table: string) {
  const columns = db
    .prepare<[string], { name: string; pk: number }>(
      "SELECT name, pk FROM pragma_table_info(?, 'main') WHERE name NOT LIKE '%slice_id'",
    )
    .all(table);
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    key: key.map(({ name }) => name),
    values: columns.filter(({ pk }) => pk === 0).map(({ name }) => name),
  };
}

function countRows(db: SQLite.Database, table: string): [string, object][] {
  const { key, values } = columnsOf(db, table);
  const keys = (schema: string) => `SELECT ${list(key)} FROM ${schema}.${quote(table)}`;
  const count = (sql: string) => db.prepare<[], number>(`SELECT count(*) FROM (${sql})`).pluck().get() ?? 0;
  const counts = {
    added: count(`${keys("main")} EXCEPT ${keys("was")}`),
    gone: count(`${keys("was")} EXCEPT ${keys("main")}`),
    changed: values.length === 0 ? 0 : readChanged(db, table).length,
  };
  return counts.added + counts.gone + counts.changed > 0 ? [[table, counts]] : [];
}

/** Rows of both that are not equal: what was, under other names. */
function readChanged(db: SQLite.Database, table: string): Row[] {
  const { key, values } = columnsOf(db, table);
  const was = values.map((column) => `was.${quote(column)} AS ${quote(`was ${column}`)}`).join(", ");
  const differs = values.map((column) => `now.${quote(column)} IS NOT was.${quote(column)}`).join(" OR ");
  return db
    .prepare<[], Row>(
      `SELECT ${list(key, "now.")}, ${list(values, "now.")}, ${was} FROM main.${quote(table)} AS now
       JOIN was.${quote(table)} AS was USING (${list(key)}) WHERE ${differs}`,
    )
    .all();
}

/** One line for each cell, without stamps of the upstream's bookkeeping: of rows with nothing else nobody wants to know. */
function changedCells(db: SQLite.Database, table: string): string[] {
  const { key, values } = columnsOf(db, table);
  const stamps = new Set(
    db
      .prepare<[string], string>(
        "SELECT column_name FROM column_doc WHERE table_name = ? AND unit = 'epoch milliseconds'",
      )
      .pluck()
      .all(table),
  );
  const cells = readChanged(db, table).flatMap((row) => {
    const differing = values.filter((column) => row[column] !== row[`was ${column}`]);
    if (differing.every((column) => stamps.has(column))) return [];
    const own = Object.fromEntries(key.map((column) => [column, row[column]]));
    return differing.map((column) => JSON.stringify([own, column, row[`was ${column}`], row[column]]));
  });
  return sort(cells);
}

type Changed = Extract<Diff, { identical: false }>["changes"]["tables"][number]["changed"][number];

const cellsOf = ({ key, columns }: Changed) =>
  Object.entries(columns).map(([column, { before, after }]) => JSON.stringify([key, column, before, after]));

/** By dataset, as the one table of answers has them. */
function countSlices(db: SQLite.Database) {
  const rows = db
    .prepare<[], { dataset: string }>(
      `WITH both AS (
         SELECT dataset, slice, max(side = 'now') AS now, max(side = 'was') AS was, count(DISTINCT ifnull(sha256, '') || status) AS states
         FROM (SELECT 'now' AS side, * FROM main.coverage UNION ALL SELECT 'was', * FROM was.coverage) GROUP BY 1, 2)
       SELECT dataset, sum(NOT was) AS added, sum(NOT now) AS gone, sum(now AND was AND states = 2) AS changed,
         sum(now AND was AND states = 1) AS same FROM both GROUP BY dataset ORDER BY dataset`,
    )
    .all();
  return Object.fromEntries(rows.map(({ dataset, ...slices }) => [dataset, slices]));
}

const rateOf = (db: SQLite.Database, schema: string) => (rate: string, of: (string | number)[]) =>
  db
    .prepare(`SELECT ${quote(rate)} FROM ${schema}.hero_rate WHERE (rank, days, hero_id) = (?, ?, ?)`)
    .pluck()
    .get(...of);
