import SQLite from "better-sqlite3";
import { readBody } from "../../api/body/body.ts";
import { sliceKey, sliceName } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createListLookup } from "../../api/localise.ts";
import { countParts } from "../build/closed-parts.ts";
import { cellsOf, toNumbered } from "../build/coverage-cells.ts";
import { writeMetadata, writeSnapshotRow } from "../build/metadata.ts";
import { createStatsCollector, type SliceStats } from "../build/slice-stats.ts";
import { createDeriver, createTables } from "../derive/deriver.ts";
import { readClosedParts, readEndpointStates } from "../read/standing.ts";
import type { TableDefinition } from "../schema/definition.ts";
import type { Coverage, DoubtRow, LanguageCheckRow, SnapshotTable } from "../schema/row-types.ts";
import { textRuleTable } from "../schema/tables/archive.ts";
import { CODE_TABLES } from "../schema/tables/codes.ts";
import { createNotes } from "../texts/note.ts";

/** The tables and figures that a build makes from the archive of a file. */
export interface Rebuilt extends Disposable {
  /** A temporary database with every table but `record`. */
  db: SQLite.Database;
  /** By the number of the slice; undefined if a record is no JSON, has a key twice, or is not at its position. */
  stats: ReadonlyMap<number, SliceStats | undefined>;
  /** Records with a note on their texts. */
  noted: number;
  /** The first slice with another note than a build makes. */
  wrongNote: string | undefined;
}

interface Row {
  position: number;
  json: Buffer;
  texts: string | null;
}

/**
 * Reads the archive once, slice by slice, and builds all other tables from it again: a table that differs was not made from these records.
 * The endpoints, languages, ranks, windows, roles and lanes of the file must be known here.
 */
export function rebuild(file: SQLite.Database, head: SnapshotTable, coverage: readonly Coverage[]): Rebuilt {
  // An unnamed temporary file: it is gone when this process is.
  const db = new SQLite("");
  db.pragma("foreign_keys = OFF");
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -8000");
  createTables(db);
  db.exec("BEGIN");
  const select = file.prepare<[number], Row>(
    "SELECT position, CAST(json AS BLOB) AS json, texts FROM record WHERE slice_id = ? ORDER BY position",
  );
  const list = file
    .prepare<[string, string], string>(
      "SELECT json FROM record JOIN coverage USING (slice_id) WHERE dataset = ? AND slice = ? ORDER BY position",
    )
    .pluck();
  const readList = (dataset: string, lang: Lang) =>
    list.all(dataset, sliceKey({ dataset, lang })).map((json): unknown => JSON.parse(json));
  const notes = createNotes(createListLookup(readList));
  const held = new Map(CODE_TABLES.map((table) => [table.name, readKeys(file, table)]));
  const deriver = createDeriver(db, (table, key) => held.get(table)?.has(key) ?? true);
  db.exec(NUMBER_RANKS);
  const collector = createStatsCollector();
  const stats = new Map<number, SliceStats | undefined>();
  let noted = 0;
  let wrongNote: string | undefined;

  function read(row: Coverage) {
    const of = toNumbered(row);
    const note = notes.noterOf(of.slice, (row.asked_at ?? "") < head.started_at);
    const records: unknown[] = [];
    for (const { position, json, texts } of select.iterate(row.slice_id)) {
      const record = readRecord(json);
      if (record === undefined || position !== records.length + 1) return undefined;
      if (texts !== (note?.(record, json.toString()) ?? null)) wrongNote ??= sliceName(of.slice);
      if (texts !== null) noted += 1;
      records.push(record);
    }
    deriver.add(of, records);
    return collector.add(of, records);
  }

  for (const row of coverage) if (row.status !== "failed") stats.set(row.slice_id, read(row));
  const languageChecks = file.prepare<[], LanguageCheckRow>("SELECT * FROM language_proof").all();
  const covered = coverage.map((row) => rebuildCoverage(row, stats.get(row.slice_id)));
  writeMetadata(db, {
    coverage: covered,
    texts: notes.texts(),
    languageChecks,
    stats: collector.summary(),
    misfits: deriver.misfits(),
    closed: countParts(readClosedParts(file), covered),
    endpoints: readEndpointStates(file),
    doubts: file.prepare<[], DoubtRow>("SELECT * FROM doubt").all(),
  });
  writeSnapshotRow(db, head, covered, head.archive_hash);
  keepHeld(file, db, textRuleTable);
  db.exec("COMMIT");
  return {
    db,
    stats,
    noted,
    wrongNote,
    [Symbol.dispose]: () => void db.close(),
  };
}

type Keyed = Pick<TableDefinition, "name" | "key">;

const readKeys = (file: SQLite.Database, { name, key: [column = ""] }: Keyed): ReadonlySet<unknown> =>
  new Set(file.prepare<[], unknown>(`SELECT ${column} FROM ${name}`).pluck().all());

/** Drops the rows of what came into the program after the file was made. */
function keepHeld(file: SQLite.Database, rebuilt: SQLite.Database, table: Keyed) {
  const { name, key } = table;
  rebuilt
    .prepare(`DELETE FROM ${name} WHERE ${key[0]} NOT IN (SELECT value FROM json_each(?))`)
    .run(JSON.stringify([...readKeys(file, table)]));
}

/** Gives the ranks of the file their places among one another. */
const NUMBER_RANKS = `UPDATE rank SET position = placed.position
FROM (SELECT rank, row_number() OVER (ORDER BY position) AS position FROM rank) AS placed WHERE placed.rank = rank.rank`;

/** Reads a record; undefined if it is no JSON in UTF-8, or has a key twice: parsers disagree on which one counts. */
function readRecord(bytes: Buffer): unknown {
  try {
    const { json, text } = readBody(bytes);
    return text.equals(bytes) ? json : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a row of `coverage` again. It keeps what does not follow from the records but came with the answers: reason, part_id, batch, stale,
 * times, suspect.
 */
function rebuildCoverage(row: Coverage, stats: SliceStats | undefined): Coverage {
  const rebuilt: Coverage = { ...row, ...cellsOf(toNumbered(row)) };
  if (row.status === "failed") return { ...rebuilt, records: 0, sha256: null };
  const { records, sha256 } = stats ?? { records: 0, sha256: null };
  return { ...rebuilt, status: records > 0 ? "captured" : "empty", records, sha256 };
}
