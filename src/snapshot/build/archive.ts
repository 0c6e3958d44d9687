import type SQLite from "better-sqlite3";
import { readBody } from "../../api/body/body.ts";
import { RECORDS_AT, unwrap } from "../../api/body/wrapping.ts";
import { keyOf, type Slice, sliceKey } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createLists, type Lists } from "../../api/localise.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { listen } from "../../journal/listen.ts";
import { batchName, findStale } from "../../journal/stale.ts";
import type { Coverage, ListedText } from "../schema/row-types.ts";
import { createNotes, type Noter } from "../texts/note.ts";
import { sortBySlice } from "./slice-order.ts";
import type { Finding } from "./slice-stats.ts";
import type { Finder } from "./slice-stats-worker.ts";

/** Slices that are handed over at once, or bytes, and how many such batches may be on their way: a bound on memory. */
const BATCH = { slices: 64, bytes: 2 ** 20 };
const UNDERWAY = 12;

/** What it holds, and the texts that its notes name. */
interface Archive {
  coverage: Coverage[];
  texts: readonly ListedText[];
}

/**
 * Fills `record` with all answers of the journal, and tells what they cover, in the order of the content hash. The records
 * of each slice are handed to `derive` on the way.
 */
export async function fillArchive(
  db: SQLite.Database,
  journal: Journal,
  finder: Finder,
  derive: (slice: Slice, records: readonly unknown[]) => void,
  stop?: AbortSignal,
): Promise<Archive> {
  const slices = sortStored(journal.slices());
  await listen(stop);
  const notes = createNotes(listsOf(journal, slices));
  const insertRecords = createSplitter(db, notes.noterOf);
  const asked: Promise<Finding[]>[] = [];
  await listen(stop);
  for (const bodies of readBatches(journal, slices)) {
    asked.push(finder.find(bodies));
    for (const { slice, pages } of bodies) derive(slice, insertRecords(slice, pages));
    await asked.at(-UNDERWAY);
    await listen(stop);
  }
  const findings = (await Promise.all(asked)).flat();
  const stale = new Set(findStale(slices).flatMap((batch) => batch.slices));
  return {
    coverage: slices.map((stored, place) => coverSlice(stored, findings[place], stale.has(stored))),
    texts: notes.texts(),
  };
}

interface Answered {
  slice: Slice;
  pages: Buffer[];
}

function* readBatches(journal: Journal, slices: readonly StoredSlice[]): Generator<Answered[]> {
  let batch: Answered[] = [];
  let bytes = 0;
  for (const { id, slice, state } of slices) {
    const pages = state === "captured" ? journal.pages(id) : [];
    batch.push({ slice, pages });
    bytes += pages.reduce((sum, page) => sum + page.length, 0);
    if (batch.length < BATCH.slices && bytes < BATCH.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** What was captured of the lists whose texts others show. */
function listsOf(journal: Journal, slices: readonly StoredSlice[]): Lists {
  const captured = new Map(
    slices.filter(({ state }) => state === "captured").map(({ id, slice }) => [keyOf(slice), id] as const),
  );
  return createLists((dataset, lang) => {
    const id = captured.get(keyOf({ dataset, lang }));
    const { wrapping = "pages" } = endpointOf(dataset);
    return id === undefined ? undefined : journal.pages(id).flatMap((page) => unwrap(wrapping, readBody(page).json));
  });
}

function sortStored(slices: readonly StoredSlice[]): StoredSlice[] {
  return sortBySlice(slices, ({ slice: { dataset, lang, lane, rank, days, hero, subject } }) => ({
    dataset,
    lang,
    lane: lane ?? null,
    rank: rank ?? null,
    days: days === undefined ? null : Number(days),
    hero: hero ?? null,
    subject: subject ?? null,
  }));
}

/**
 * SQLite takes the records out of a body without reading its numbers, so that each keeps the digits it was sent with. Gives
 * the records as they are read.
 */
export function createSplitter(db: SQLite.Database, noterOf: (slice: Slice) => Noter | undefined = () => undefined) {
  let records: unknown[] = [];
  let note: Noter | undefined;
  db.function("note", (at: number, json: string) => note?.(records[at], json) ?? null);
  // Nearly all texts stand at the beginning: the whole of a record is made a text of JavaScript only for the others.
  const texts = (at: string) =>
    `CASE WHEN :noted THEN coalesce(note(${at}, substr(json, 1, 512)), note(${at}, json)) END`;
  // Of what is no object the value is not its JSON. The limit keeps SQLite from writing the JSON of a record twice.
  const elements = db.prepare(
    `INSERT INTO record SELECT :dataset, :slice, :held + key, json, ${texts("key")}
     FROM (SELECT key, CASE WHEN type IN ('object', 'array') THEN value ELSE CAST(:page AS TEXT) -> (:at || '[' || key || ']') END AS json
       FROM json_each(CAST(:page AS TEXT), :at) LIMIT -1)`,
  );
  const single = db.prepare(
    `INSERT INTO record SELECT :dataset, :slice, :held, json, ${texts("0")}
     FROM (SELECT CAST(:page AS TEXT) -> :at AS json LIMIT -1)`,
  );
  return (slice: Slice, pages: readonly Buffer[]): unknown[] => {
    const { wrapping = "pages" } = endpointOf(slice.dataset);
    const insert = wrapping === "pages" ? elements : single;
    note = noterOf(slice);
    const key = { dataset: slice.dataset, slice: sliceKey(slice), at: RECORDS_AT[wrapping], noted: Number(!!note) };
    let held = 0;
    return pages.flatMap((page) => {
      const { json, text } = readBody(page);
      records = unwrap(wrapping, json);
      held += insert.run({ ...key, held, page: text }).changes;
      return records;
    });
  };
}

function coverSlice(stored: StoredSlice, found: Finding | undefined, stale: boolean): Coverage {
  const { slice, state, reason } = stored;
  const captured = state === "captured" ? found : undefined;
  return {
    dataset: slice.dataset,
    slice: sliceKey(slice),
    hero_id: slice.hero ?? null,
    subject: slice.subject ?? null,
    lane: slice.lane ?? null,
    rank: slice.rank ?? null,
    days: slice.days === undefined ? null : Number(slice.days),
    lang: slice.lang,
    status: !captured ? "failed" : captured.records > 0 ? "captured" : "empty",
    reason: captured ? null : (reason ?? "not-asked"),
    records: captured?.records ?? 0,
    sha256: captured?.sha256 ?? null,
    batch: batchName(stored),
    stale: Number(stale),
  };
}
