import type SQLite from "better-sqlite3";
import type { Misfit } from "../derive/misfits.ts";
import { nameVersion } from "../published/folder.ts";
import { ATTRIBUTION, LICENCE } from "../schema/licence.ts";
import type { Coverage, LanguageProof, ListedText, SnapshotTable } from "../schema/row-types.ts";
import { SCHEMA_VERSION } from "../schema/version.ts";
import { textRules } from "../texts/rules.ts";
import { hashArchive } from "./archive-hash.ts";
import { hashContent } from "./hash.ts";
import type { Summary } from "./slice-stats.ts";

/** What a snapshot says of its own records. */
export interface Told {
  /** In the order of the content hash. */
  coverage: readonly Coverage[];
  /** The texts that the notes on records name. */
  texts: readonly ListedText[];
  proof: readonly LanguageProof[];
  summary: Summary;
  misfits: readonly Misfit[];
}

/** Writes all tables that are neither the archive nor made of rows of it. */
export function writeTold(db: SQLite.Database, { coverage, texts, proof, summary, misfits }: Told): void {
  insertAll(db, "listed_text", texts);
  insertAll(db, "text_rule", textRules());
  insertAll(db, "coverage", coverage);
  insertAll(db, "shape", summary.shape);
  insertAll(db, "text_quality", summary.quality);
  insertAll(
    db,
    "misfit",
    misfits.map((misfit, place) => ({ misfit_id: place + 1, ...misfit })),
  );
  insertAll(db, "language_proof", proof);
}

/** Inserts objects whose keys are the columns of the table. */
function insertAll(db: SQLite.Database, table: string, rows: readonly object[]) {
  const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map((column) => `:${column}`).join(", ")})`);
  for (const row of rows) insert.run(row);
}

/** Writes the one row of `snapshot`, last: it tells of the other tables. */
export function writeHead(
  db: SQLite.Database,
  startedAt: string,
  coverage: readonly Coverage[],
  archiveHash = hashArchive(db, startedAt, coverage),
): void {
  const contentHash = hashContent(coverage);
  const heroes = db.prepare<[], number>("SELECT count(*) FROM hero").pluck().get() ?? 0;
  const newest = "SELECT game_version FROM game_version ORDER BY created_at_ms DESC, version_id DESC LIMIT 1";
  const head: SnapshotTable = {
    version: nameVersion(startedAt, contentHash),
    content_hash: contentHash,
    schema_version: SCHEMA_VERSION,
    started_at: startedAt,
    game_version: db.prepare<[], string>(newest).pluck().get() ?? null,
    heroes,
    licence: LICENCE,
    attribution: ATTRIBUTION,
    archive_hash: archiveHash,
  };
  insertAll(db, "snapshot", [head]);
}
