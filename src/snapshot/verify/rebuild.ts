import SQLite from "better-sqlite3";
import { readBody } from "../../api/body/body.ts";
import { type Slice, sliceKey } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createLists } from "../../api/localise.ts";
import { hashArchive } from "../build/archive-hash.ts";
import { writeHead, writeTold } from "../build/metadata.ts";
import { createFindings, type Finding } from "../build/slice-stats.ts";
import { createDeriver, createTables, documentTables } from "../derive/deriver.ts";
import type { Coverage, LanguageProof, SnapshotTable } from "../schema/row-types.ts";
import { createNotes } from "../texts/note.ts";

/** What a build would make of the archive of a file. */
export interface Again extends Disposable {
  /** Every table but the archive. */
  db: SQLite.Database;
  /** By dataset and slice, from the records themselves; nothing where one is no JSON, or has a key twice. */
  found: ReadonlyMap<string, Finding | undefined>;
  archiveHash: string;
  /** Records with a note, nothing where the file has none; and the first slice with another note than a build makes. */
  noted: number | undefined;
  wrongNote: string | undefined;
}

const DATASETS = new Set(ENDPOINTS.map(({ dataset }) => dataset));

export const idOf = ({ dataset, slice }: Pick<Coverage, "dataset" | "slice">) => `${dataset} ${slice}`;

interface Row {
  json: Buffer;
  texts: string | null;
}

/**
 * Reads the archive once, slice by slice, and makes all else from it again, as a build does: what differs was not made from
 * these records. `coverage` comes in the order of the content hash.
 */
export function makeAgain(file: SQLite.Database, head: SnapshotTable, coverage: readonly Coverage[]): Again {
  // A file of its own that nobody else can open; it is gone when this process is.
  const db = new SQLite("");
  db.pragma("foreign_keys = OFF");
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -8000");
  createTables(db);
  db.exec("BEGIN");
  const strange = coverage.find(({ dataset }) => !DATASETS.has(dataset));
  if (strange) throw new Error(`has an endpoint ${strange.dataset} that is not known here`);
  const isNoted = file.prepare("SELECT 1 FROM pragma_table_info('record') WHERE name = 'texts'").get() !== undefined;
  const select = file.prepare<[string, string], Row>(
    `SELECT CAST(json AS BLOB) AS json, ${isNoted ? "texts" : "NULL AS texts"} FROM record WHERE dataset = ? AND slice = ? ORDER BY position`,
  );
  const list = file
    .prepare<[string, string], string>("SELECT json FROM record WHERE dataset = ? AND slice = ? ORDER BY position")
    .pluck();
  const readList = (dataset: string, lang: Lang) =>
    list.all(dataset, sliceKey({ dataset, lang })).map((json): unknown => JSON.parse(json));
  const notes = createNotes(createLists(readList));
  const tables = createDeriver(db);
  const findings = createFindings();
  const found = new Map<string, Finding | undefined>();
  let noted = 0;
  let wrongNote: string | undefined;

  function read(row: Coverage) {
    const slice = toSlice(row);
    const note = isNoted ? notes.noterOf(slice) : undefined;
    const records: unknown[] = [];
    for (const { json, texts } of select.iterate(row.dataset, row.slice)) {
      const record = readRecord(json);
      if (record === undefined) return undefined;
      if (isNoted && texts !== (note?.(record, json.toString()) ?? null)) wrongNote ??= idOf(row);
      if (texts !== null) noted += 1;
      records.push(record);
    }
    tables.add(slice, records);
    return findings.add(slice, records);
  }

  for (const row of coverage) if (row.status !== "failed") found.set(idOf(row), read(row));
  const proof = file.prepare<[], LanguageProof>("SELECT * FROM language_proof").all();
  const made = coverage.map((row) => coverAgain(row, found.get(idOf(row))));
  writeTold(db, {
    coverage: made,
    texts: notes.texts(),
    proof,
    summary: findings.summary(),
    misfits: tables.misfits(),
  });
  const archiveHash = hashArchive(file, head.started_at, coverage);
  writeHead(db, head.started_at, made, archiveHash);
  documentTables(db);
  db.exec("COMMIT");
  return {
    db,
    found,
    archiveHash,
    noted: isNoted ? noted : undefined,
    wrongNote,
    [Symbol.dispose]: () => void db.close(),
  };
}

/** Nothing where it is no JSON in UTF-8, or has a key twice, which readers take differently. */
function readRecord(bytes: Buffer): unknown {
  try {
    const { json, text } = readBody(bytes);
    return text.equals(bytes) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** What is told of a slice beside its records stays: it came with the answers. */
function coverAgain(row: Coverage, found: Finding | undefined): Coverage {
  const { dataset: _, hero, ...parts } = partsOf(row);
  // Older schemas have no batches.
  const { batch = null, stale = 0 }: Partial<Coverage> = row;
  const own: Coverage = { ...row, ...parts, hero_id: hero, slice: sliceKey(toSlice(row)), batch, stale };
  if (row.status === "failed") return { ...own, records: 0, sha256: null };
  const { records, sha256 } = found ?? { records: 0, sha256: null };
  return { ...own, status: records > 0 ? "captured" : "empty", records, sha256 };
}

/** The same in cells. */
export function partsOf(row: Pick<Coverage, "dataset" | "slice">) {
  const { hero = null, subject = null, lane = null, rank = null, days, ...parts } = toSlice(row);
  return { ...parts, hero, subject, lane, rank, days: days === undefined ? null : Number(days) };
}

/** What its name says. The columns beside it say the same, or differ from those that are made again. */
function toSlice({ dataset, slice }: Pick<Coverage, "dataset" | "slice">): Slice {
  const { hero, ...parts } = Object.fromEntries(new URLSearchParams(slice));
  return { dataset, ...parts, ...(hero !== undefined && { hero: Number(hero) }) } as Slice;
}
