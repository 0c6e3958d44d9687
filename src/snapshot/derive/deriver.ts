import type SQLite from "better-sqlite3";
import { recordKey } from "../../api/body/record-fields.ts";
import type { Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { type TableDefinition, toDdl, toIndexDdl } from "../schema/definition.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import { sourcesOf } from "../schema/sources.ts";
import { TABLES } from "../schema/tables/all.ts";
import { VIEWS } from "../schema/views/all.ts";
import { createMisfitCounter, type Misfit, type MisfitCounter } from "./misfits.ts";
import { createRowWriter, type Outcomes } from "./row-writer.ts";
import { type CellValue, createTableWriter } from "./table-writer.ts";

/** Makes all tables, empty. */
export function createTables(db: SQLite.Database): void {
  for (const table of TABLES) db.exec(toDdl(table));
}

/** Called with the name of a table and the key of one of its constant rows. */
type KnowsConstant = (table: string, key: CellValue | undefined) => boolean;

/** Fills the analysts' tables. Whatever a record holds, it makes rows or is counted as a misfit; nothing throws. */
export interface Deriver {
  /** Slices must come in the order of the archive. */
  add(of: NumberedSlice, records: readonly unknown[]): void;
  misfits(): Misfit[];
}

/** `knows` tells whether the maker of the file knew a constant row: a later program knows more. */
export function createDeriver(db: SQLite.Database, knows: KnowsConstant = () => true): Deriver {
  const misfits = createMisfitCounter();
  const writers = Map.groupBy(createWriters(db, misfits, knows), ({ dataset }) => dataset);

  return {
    add(of, records) {
      const { slice } = of;
      const writersOfSlice = (writers.get(slice.dataset) ?? []).filter(
        ({ langs }) => langs === "each" || slice.lang === BASE_LANG,
      );
      for (const { begin } of writersOfSlice) begin();
      for (const record of records) {
        const outcomes: Outcomes = new Map();
        for (const { write } of writersOfSlice) write(of, record, outcomes);
      }
      countRepeated(slice, records, misfits.add);
    },
    misfits: () => misfits.rows(),
  };
}

/** One for each table and dataset that gives it rows, in the order of the tables: referenced tables come first. */
function createWriters(db: SQLite.Database, misfits: MisfitCounter, knows: KnowsConstant) {
  const named = new Set(
    TABLES.flatMap(({ references = [], partOf }) =>
      references.map(({ table }) => table).filter((referred) => referred !== partOf),
    ),
  );
  const open = new Map(
    TABLES.map((definition) => [definition.name, createTableWriter(db, definition, named.has(definition.name))]),
  );
  return TABLES.flatMap((definition) => {
    const table = open.get(definition.name);
    if (!table) return [];
    const unsliced = (definition.slices ?? []).map(() => null);
    for (const row of definition.constants ?? [])
      if (knows(definition.name, row[0])) table.insert([...row, ...unsliced]);
    return (definition.rows ?? []).flatMap((rows) =>
      rows.datasets.map((dataset) => ({
        dataset,
        langs: rows.langs,
        ...createRowWriter(dataset, rows, table, open, misfits),
      })),
    );
  });
}

/** Two records of one slice with the same id: the upstream sends such. */
function countRepeated(slice: Slice, records: readonly unknown[], count: MisfitCounter["add"]) {
  if (records.length < 2) return;
  const endpoint = endpointOf(slice.dataset);
  const seen = new Set<string>();
  for (const record of records) {
    const key = recordKey(endpoint, record);
    if (seen.has(key)) count("repeated", "record", null, slice.dataset, endpoint.key[0] ?? "", key);
    seen.add(key);
  }
}

/** Adds indexes, views and their documentation to full tables: an index made so has its rows in order, without gaps. */
export function finishTables(db: SQLite.Database): void {
  for (const table of TABLES) db.exec(toIndexDdl(table));
  for (const { name, select } of VIEWS) db.exec(`CREATE VIEW ${name} AS\n${select}`);
  documentTables(db);
}

function documentTables(db: SQLite.Database) {
  const insertTable = db.prepare("INSERT INTO table_doc VALUES (?, ?)");
  const insertColumn = db.prepare("INSERT INTO column_doc VALUES (?, ?, ?, ?, ?)");
  for (const table of TABLES) {
    const { name, description, columns }: TableDefinition = table;
    const sources = sourcesOf(table);
    insertTable.run(name, description);
    for (const [column, { description: meaning, unit }] of Object.entries(columns)) {
      insertColumn.run(name, column, meaning, unit, sources[column] ?? null);
    }
  }
  for (const { name, description, columns } of VIEWS) {
    insertTable.run(name, description);
    for (const [column, { description: meaning, unit, source }] of Object.entries(columns))
      insertColumn.run(name, column, meaning, unit, source);
  }
}
