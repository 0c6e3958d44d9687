import SQLite from "better-sqlite3";
import { createSchema } from "../../src/extra/nights/history/schema.ts";
import { HISTORY_VIEWS } from "../../src/extra/nights/history/views.ts";
import { finishTables } from "../../src/snapshot/derive/deriver.ts";
import {
  type ComputedType,
  type SnapshotView,
  toDdl,
  type ViewDefinition,
} from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";

interface Column {
  name: string;
  type: ComputedType;
}

/** The suffix of a table whose rows a LEFT JOIN may not find. */
const MAYBE = "__maybe";

/** The types of `metasnap/tables`, from files that hold nothing yet: tables, views and their descriptions as each file has them. */
export function renderTableTypes(): string {
  return [
    `/** Rows of a snapshot of schema ${SCHEMA_VERSION}, as Kysely takes them. A file of an older schema lacks what is newer. */`,
    renderFile("Snapshot", VIEWS, (db) => {
      for (const table of TABLES) db.exec(toDdl(table));
      finishTables(db);
    }),
    "/** Rows of a history, as Kysely takes them. */",
    renderFile("History", HISTORY_VIEWS, createSchema),
  ].join("\n");
}

type View = ViewDefinition | SnapshotView;

function renderFile(name: string, views: readonly View[], create: (db: SQLite.Database) => void): string {
  const db = new SQLite(":memory:");
  try {
    create(db);
    for (const view of views) if (!isOfSnapshot(view)) createTyped(db, view);
    return `export interface ${name} {\n${listNames(db)
      .map((row) => renderRow(db, row, views))
      .join("")}}\n`;
  } finally {
    db.close();
  }
}

/** Makes a view again so that SQLite tells of each column whether a LEFT JOIN may leave it empty. */
function createTyped(db: SQLite.Database, { name, select }: ViewDefinition) {
  const typed = select.replaceAll(/\bLEFT JOIN (\w+)(?: AS (\w+))?/g, (_, table, alias = table) => {
    db.exec(`CREATE TABLE IF NOT EXISTS ${table}${MAYBE} AS SELECT * FROM ${table} WHERE false`);
    return `LEFT JOIN ${table}${MAYBE} AS ${alias}`;
  });
  db.exec(`DROP VIEW ${name}; CREATE VIEW ${name} AS ${typed}`);
}

const listNames = (db: SQLite.Database): string[] =>
  db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all()
    .filter((name) => !name.endsWith(MAYBE))
    .sort();

function renderRow(db: SQLite.Database, name: string, views: readonly View[]): string {
  const view = views.find((one) => one.name === name);
  const columns = view ? columnsOfView(db, view) : columnsOfTable(db, name);
  const lines = columns.map(
    (column) => `${describeColumn(db, name, column.name)}    ${column.name}: ${toType(column.type)};\n`,
  );
  const about = db
    .prepare<[string], string>("SELECT description FROM table_doc WHERE table_name = ?")
    .pluck()
    .get(name);
  return `${comment("  ", about)}  ${name}: {\n${lines.join("")}  };\n`;
}

interface TableColumn {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

const columnsOfTable = (db: SQLite.Database, table: string): Column[] =>
  (db.pragma(`table_info(${table})`) as TableColumn[]).map(({ name, type, notnull, pk }) => {
    const isNullable = notnull === 0 && pk === 0;
    // SQLite says INT for a table that is made from another one.
    const written = type.replace(/^INT$/, "INTEGER") as "INTEGER";
    return { name, type: isNullable ? `${written} | null` : written };
  });

const isOfSnapshot = (view: View): view is SnapshotView => "example" in view;

function columnsOfView(db: SQLite.Database, view: View): Column[] {
  if (isOfSnapshot(view))
    return Object.entries(view.columns).map(([name, { type, nullable }]) => ({
      name,
      type: nullable ? `${type} | null` : type,
    }));
  const { name, computed = {} } = view;
  const columns = db.prepare(`SELECT * FROM ${name}`).columns();
  return columns.map(({ name: column, table, column: origin }) => {
    const known = table === null ? undefined : columnsOfTable(db, table).find((one) => one.name === origin)?.type;
    const type = computed[column] ?? known;
    if (type === undefined) throw new Error(`${name}.${column}: is an expression, name its type in computed`);
    return { name: column, type };
  });
}

const toType = (type: ComputedType): string => type.replace("TEXT", "string").replace(/INTEGER|REAL/, "number");

function describeColumn(db: SQLite.Database, table: string, column: string): string {
  const doc = db
    .prepare<[string, string], { description: string; unit: string | null }>(
      "SELECT description, unit FROM column_doc WHERE table_name = ? AND column_name = ?",
    )
    .get(table, column);
  return comment("    ", doc?.unit ? `${doc.description} Unit: ${doc.unit}.` : doc?.description);
}

const comment = (indent: string, text: string | undefined): string =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
