import { rmSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import { parseSlice, sliceId, sliceIdOf } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { makeFolder } from "../../base/files.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { conclude } from "../../journal/conclusion/conclusion.ts";
import type { Journal } from "../../journal/journal.ts";
import { createDeriver, createTables, finishTables } from "../derive/deriver.ts";
import type { SnapshotBase } from "../read/base.ts";
import type { Coverage, LanguageCheck, LanguageCheckRow } from "../schema/row-types.ts";
import { SCHEMA_VERSION, SNAPSHOT_APPLICATION_ID, toUserVersion } from "../schema/version.ts";
import { fillArchive } from "./archive.ts";
import { countParts, nameParts } from "./closed-parts.ts";
import { listDoubts } from "./doubts.ts";
import { writeMetadata, writeSnapshotRow } from "./metadata.ts";
import { startSliceStatsWorker } from "./slice-stats-worker.ts";
import { isRolling, listSources } from "./sources.ts";

/**
 * Makes the snapshot file of a journal and of what it carries over from its base: the same two give the same bytes. Nothing here looks at
 * the clock, the network or the order in which answers came. `file` must not exist; it is written whole or not at all. Rejects with the
 * reason of `stop` when that is aborted.
 */
export async function buildSnapshot(
  journal: Journal,
  file: string,
  { base, stop }: { base?: SnapshotBase | undefined; stop?: AbortSignal | undefined } = {},
): Promise<void> {
  const draft = `${file}.draft`;
  makeFolder(dirname(file));
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  const worker = startSliceStatsWorker();
  try {
    db.exec("BEGIN");
    const deriver = createDeriver(db);
    const conclusion = conclude(journal, base);
    const sources = listSources(journal, base, conclusion);
    const { coverage, texts } = await fillArchive(db, sources, journal.header().started_at, worker, deriver.add, stop);
    const languageChecks = joinLanguageChecks(journal.getState("proof") ?? [], base?.proof ?? [], coverage);
    const stats = await worker.summary();
    const closed = countParts(nameParts(journal, conclusion, coverage), coverage);
    const { endpoints } = conclusion;
    const doubts = listDoubts(journal, sources, base);
    writeMetadata(db, {
      coverage,
      texts,
      languageChecks,
      stats,
      misfits: deriver.misfits(),
      closed,
      endpoints,
      doubts,
    });
    await yieldOrAbort(stop);
    const sample = Number(journal.getState("sample") ?? false);
    const rolling = Number(isRolling(journal));
    writeSnapshotRow(db, { started_at: journal.header().started_at, sample, rolling }, coverage);
    await yieldOrAbort(stop);
    finishTables(db);
    db.exec("COMMIT");
    await yieldOrAbort(stop);
    // Denser by a fiftieth than pages that were filled out of their order.
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    await worker.stop();
    db.close();
    rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // A draft is thrown away when anything goes wrong: it needs neither journal nor sync. Foreign keys are checked once, before it
  // is published.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("foreign_keys = OFF");
  db.pragma("cache_size = -8000");
  db.pragma(`application_id = ${SNAPSHOT_APPLICATION_ID}`);
  db.pragma(`user_version = ${toUserVersion(SCHEMA_VERSION)}`);
  createTables(db);
  return db;
}

/**
 * The checks of this crawl, and those of the base for languages of a dataset that this crawl has not compared: a check holds
 * until the next one. Only of slices that are in the file.
 */
function joinLanguageChecks(
  now: readonly LanguageCheck[],
  before: readonly LanguageCheck[],
  coverage: readonly Pick<Coverage, "slice_id" | "dataset" | "slice">[],
): LanguageCheckRow[] {
  const checked = new Set(now.map(({ dataset, lang }) => `${dataset} ${lang}`));
  const numbers = new Map(coverage.map((row) => [sliceIdOf(row), row.slice_id]));
  const all = [...now, ...before.filter(({ dataset, lang }) => !checked.has(`${dataset} ${lang}`))];
  return all.flatMap(({ dataset, slice, lang, difference }) => {
    const slice_id = numbers.get(sliceId({ ...parseSlice(dataset, slice), lang: BASE_LANG }));
    return slice_id === undefined ? [] : [{ slice_id, lang, difference }];
  });
}
