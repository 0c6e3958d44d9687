import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import type { Journal } from "../../journal/journal.ts";
import { listen } from "../../journal/listen.ts";
import { createDeriver, createTables, finishTables } from "../derive/deriver.ts";
import type { LanguageProof } from "../schema/row-types.ts";
import { SNAPSHOT_APPLICATION_ID, USER_VERSION } from "../schema/version.ts";
import { fillArchive } from "./archive.ts";
import { writeHead, writeTold } from "./metadata.ts";
import { startFinder } from "./slice-stats-worker.ts";

/**
 * Makes the snapshot file of a journal: the same journal gives the same bytes. Nothing here looks at the clock, the
 * network or the order in which answers came. `file` must not exist; it is there whole, or not at all.
 */
export async function buildSnapshot(journal: Journal, file: string, stop?: AbortSignal): Promise<void> {
  const draft = `${file}.draft`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  const finder = startFinder();
  try {
    db.exec("BEGIN");
    const tables = createDeriver(db);
    const { coverage, texts } = await fillArchive(db, journal, finder, tables.add, stop);
    const proof = (journal.recall("proof") ?? []) as LanguageProof[];
    const told = { coverage, texts, proof, summary: await finder.summarise(), misfits: tables.misfits() };
    writeTold(db, told);
    await listen(stop);
    writeHead(db, journal.header().started_at, coverage);
    await listen(stop);
    finishTables(db);
    db.exec("COMMIT");
    await listen(stop);
    // Denser by a fiftieth than pages that were filled out of their order.
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    await finder.stop();
    db.close();
    rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // The draft is thrown away when anything goes wrong: it needs neither a journal nor a sync. References are checked
  // once, before it is published.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("foreign_keys = OFF");
  db.pragma("cache_size = -8000");
  db.pragma(`application_id = ${SNAPSHOT_APPLICATION_ID}`);
  db.pragma(`user_version = ${USER_VERSION}`);
  createTables(db);
  return db;
}
