import type SQLite from "better-sqlite3";
import { isSample } from "../../api/sample-data.ts";
import type { Misfit } from "../derive/misfits.ts";
import { readRateErrors } from "../derive/rate-errors.ts";
import { nameVersion } from "../published/folder.ts";
import type {
  ClosedPartRow,
  Coverage,
  DoubtRow,
  EndpointStateRow,
  LanguageCheckRow,
  ListedText,
  SnapshotTable,
} from "../schema/row-types.ts";
import { SCHEMA_VERSION } from "../schema/version.ts";
import { textRules } from "../texts/note.ts";
import { hashArchive, hashContent, type SnapshotOrigin } from "./hashes.ts";
import type { ArchiveStats } from "./slice-stats.ts";

/** The owner of the data, and where it comes from. */
const CREDITS = {
  licence: "Data © the game's publisher; no licence is granted by this file. The code of metasnap is MIT.",
  attribution: "data through Rone Arena, https://arena.rone.dev; game data © Moonton; unofficial",
};

/** The credits of made-up numbers. */
const SAMPLE_CREDITS = {
  licence:
    "The numbers are made up and free to use; names of the game are its publisher's. The code of metasnap is MIT.",
  attribution: "made-up numbers of metasnap's sample upstream, no game data; unofficial",
};

/** A snapshot's description of its own records. */
export interface SnapshotMetadata {
  coverage: readonly Coverage[];
  /** Rows of `listed_text`. */
  texts: readonly ListedText[];
  languageChecks: readonly LanguageCheckRow[];
  stats: ArchiveStats;
  misfits: readonly Misfit[];
  closed: readonly ClosedPartRow[];
  endpoints: readonly EndpointStateRow[];
  doubts: readonly DoubtRow[];
}

/** Fills the tables that are neither the archive nor derived from it row by row. */
export function writeMetadata(
  db: SQLite.Database,
  { coverage, texts, languageChecks, stats, misfits, closed, endpoints, doubts }: SnapshotMetadata,
): void {
  insertAll(db, "listed_text", texts);
  insertAll(db, "text_rule", textRules());
  insertAll(db, "closed_part", closed);
  insertAll(db, "coverage", coverage);
  insertAll(db, "shape", stats.shape);
  insertAll(db, "text_quality", stats.quality);
  insertAll(db, "text_issue", stats.issues);
  insertAll(
    db,
    "misfit",
    misfits.map((misfit, index) => ({ misfit_id: index + 1, ...misfit })),
  );
  insertAll(db, "language_proof", languageChecks);
  insertAll(db, "endpoint_state", endpoints);
  insertAll(db, "doubt", doubts);
  insertAll(db, "hero_rate_error", readRateErrors(db));
}

/** Inserts objects whose keys are the columns of the table. */
function insertAll(db: SQLite.Database, table: string, rows: readonly object[]) {
  const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map((column) => `:${column}`).join(", ")})`);
  for (const row of rows) insert.run(row);
}

/** Writes the one row of the table `snapshot`, last: it sums up the other tables. */
export function writeSnapshotRow(
  db: SQLite.Database,
  origin: SnapshotOrigin,
  coverage: readonly Coverage[],
  archiveHash = hashArchive(db, origin),
): void {
  const { started_at, sample, rolling } = origin;
  const contentHash = hashContent(coverage);
  const heroes = db.prepare<[], number>("SELECT count(*) FROM hero").pluck().get() ?? 0;
  const newest = "SELECT game_version FROM game_version ORDER BY created_at_ms DESC, version_id DESC LIMIT 1";
  const row: SnapshotTable = {
    version: nameVersion(started_at, contentHash),
    content_hash: contentHash,
    schema_version: SCHEMA_VERSION,
    started_at,
    game_version: db.prepare<[], string>(newest).pluck().get() ?? null,
    heroes,
    ...(isSample({ sample }) ? SAMPLE_CREDITS : CREDITS),
    archive_hash: archiveHash,
    sample,
    rolling,
  };
  insertAll(db, "snapshot", [row]);
}
