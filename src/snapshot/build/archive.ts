import type SQLite from "better-sqlite3";
import { readBody } from "../../api/body/body.ts";
import { RECORDS_AT, unwrap } from "../../api/body/wrapping.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import type { Coverage, ListedText } from "../schema/row-types.ts";
import { createNotes, type TextNoter } from "../texts/note.ts";
import { cellsOf } from "./coverage-cells.ts";
import type { SliceStats } from "./slice-stats.ts";
import type { SliceStatsWorker } from "./slice-stats-worker.ts";
import { readLists, type SliceSource } from "./sources.ts";

/** The most of one batch for the stats worker, and how many batches it may lag behind: a bound on memory. */
const MAX_BATCH = { slices: 64, bytes: 2 ** 20 };
const MAX_BATCHES_IN_FLIGHT = 4;

interface Archive {
  /** Rows in the order of the archive. */
  coverage: Coverage[];
  /** Rows of `listed_text`: the texts that the notes in `record.texts` name by number. */
  texts: readonly ListedText[];
}

/**
 * Fills the table `record` with all answers of the journal and those that it carries over, slice by slice. `derive` gets the records of
 * each slice as they are inserted. `startedAt` is when the run began that the file is of. Rejects with the reason of `stop` when that is
 * aborted, and if the worker fails.
 */
export async function fillArchive(
  db: SQLite.Database,
  sources: readonly SliceSource[],
  startedAt: string,
  worker: SliceStatsWorker,
  derive: (of: NumberedSlice, records: readonly unknown[]) => void,
  stop?: AbortSignal,
): Promise<Archive> {
  await yieldOrAbort(stop);
  const notes = createNotes(readLists(sources));
  const askedAt = new Map(sources.map(({ id, told }) => [id, told.asked_at ?? ""]));
  const insertRecords = createRecordInserter(db, ({ id, slice }) =>
    notes.noterOf(slice, (askedAt.get(id) ?? "") < startedAt),
  );
  const pending: Promise<SliceStats[]>[] = [];
  await yieldOrAbort(stop);
  for (const batch of readBatches(sources)) {
    pending.push(worker.add(batch));
    for (const { pages, ...of } of batch) derive(of, insertRecords(of, pages));
    await pending.at(-MAX_BATCHES_IN_FLIGHT);
    await yieldOrAbort(stop);
  }
  const stats = (await Promise.all(pending)).flat();
  return { coverage: sources.map((source, index) => coverSlice(source, stats[index])), texts: notes.texts() };
}

interface CapturedSlice extends NumberedSlice {
  pages: Buffer[];
}

function* readBatches(sources: readonly SliceSource[]): Generator<CapturedSlice[]> {
  let batch: CapturedSlice[] = [];
  let bytes = 0;
  for (const { id, slice, bodies } of sources) {
    const pages = bodies?.() ?? [];
    batch.push({ id, slice, pages });
    bytes += pages.reduce((sum, page) => sum + page.length, 0);
    if (batch.length < MAX_BATCH.slices && bytes < MAX_BATCH.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Makes the function that inserts the records of a slice and returns them parsed. SQLite cuts them out of the bodies, so that each number
 * keeps the digits it was sent with.
 */
export function createRecordInserter(
  db: SQLite.Database,
  noterOf: (of: NumberedSlice) => TextNoter | undefined = () => undefined,
) {
  // `value` is JSON only for objects and arrays.
  const cutElements = db
    .prepare<{ page: Buffer; at: string }, [number, string]>(
      `SELECT key, CASE WHEN type IN ('object', 'array') THEN value ELSE CAST(:page AS TEXT) -> (:at || '[' || key || ']') END
       FROM json_each(CAST(:page AS TEXT), :at)`,
    )
    .raw();
  const cutSingle = db
    .prepare<{ page: Buffer; at: string }, [number, string]>("SELECT 0, CAST(:page AS TEXT) -> :at")
    .raw();
  const insert = db.prepare("INSERT INTO record (slice_id, position, json, texts) VALUES (?, ?, ?, ?)");
  return ({ id, slice }: NumberedSlice, pages: readonly Buffer[]): unknown[] => {
    const { wrapping = "pages" } = endpointOf(slice.dataset);
    const cut = wrapping === "pages" ? cutElements : cutSingle;
    const note = noterOf({ id, slice });
    let before = 0;
    return pages.flatMap((page) => {
      const body = readBody(page);
      const records = unwrap(wrapping, body.json);
      for (const [index, json] of cut.all({ page: body.text, at: RECORDS_AT[wrapping] }))
        insert.run(id, before + index + 1, json, note?.(records[index], json) ?? null);
      before += records.length;
      return records;
    });
  };
}

function coverSlice({ told, bodies, ...of }: SliceSource, stats: SliceStats | undefined): Coverage {
  const captured = bodies && stats;
  const { asked_at, tried_at, suspect, reason, part_id, batch, data_date, stale } = told;
  return {
    ...cellsOf(of),
    status: !captured ? "failed" : captured.records > 0 ? "captured" : "empty",
    reason,
    part_id,
    records: captured?.records ?? 0,
    sha256: captured?.sha256 ?? null,
    batch,
    data_date,
    stale,
    asked_at,
    tried_at,
    suspect,
  };
}
