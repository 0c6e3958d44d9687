import type SQLite from "better-sqlite3";
import { readBody } from "../api/body.ts";
import { type Slice, sliceKey } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { RECORDS_AT, unwrap } from "../api/wrapping.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import { batchName, findStale } from "../journal/stale.ts";
import type { Finder } from "./finder.ts";
import type { Finding } from "./findings.ts";
import { sortBySlice } from "./order.ts";
import type { Coverage } from "./tables.ts";

/** Slices that are handed over at once, and how many such batches may be on their way: a bound on memory. */
const BATCH = 64;
const UNDERWAY = 12;

/**
 * Fills `record` with all answers of the journal, and tells what they cover, in the order of the content hash. The records
 * of each slice are handed to `derive` on the way.
 */
export async function fillArchive(
  db: SQLite.Database,
  journal: Journal,
  finder: Finder,
  derive: (slice: Slice, records: readonly unknown[]) => void,
): Promise<Coverage[]> {
  const insertRecords = createSplitter(db);
  const slices = sortStored(journal.slices());
  const asked: Promise<Finding[]>[] = [];
  for (let start = 0; start < slices.length; start += BATCH) {
    const bodies = slices.slice(start, start + BATCH).map(({ id, slice, state }) => ({
      slice,
      pages: state === "captured" ? journal.pages(id) : [],
    }));
    asked.push(finder.find(bodies));
    for (const { slice, pages } of bodies) derive(slice, insertRecords(slice, pages));
    await asked.at(-UNDERWAY);
  }
  const findings = (await Promise.all(asked)).flat();
  const stale = new Set(findStale(slices).flatMap((batch) => batch.slices));
  return slices.map((stored, place) => coverSlice(stored, findings[place], stale.has(stored)));
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
export function createSplitter(db: SQLite.Database) {
  // Of what is no object the value is not its JSON.
  const elements = db.prepare(
    `INSERT INTO record SELECT :dataset, :slice, :held + key,
       CASE WHEN type IN ('object', 'array') THEN value ELSE CAST(:page AS TEXT) -> (:at || '[' || key || ']') END
     FROM json_each(CAST(:page AS TEXT), :at)`,
  );
  const single = db.prepare("INSERT INTO record VALUES (:dataset, :slice, :held, CAST(:page AS TEXT) -> :at)");
  return (slice: Slice, pages: readonly Buffer[]): unknown[] => {
    const { wrapping = "pages" } = endpointOf(slice.dataset);
    const insert = wrapping === "pages" ? elements : single;
    const key = { dataset: slice.dataset, slice: sliceKey(slice), at: RECORDS_AT[wrapping] };
    let held = 0;
    return pages.flatMap((page) => {
      const { json, text } = readBody(page);
      held += insert.run({ ...key, held, page: text }).changes;
      return unwrap(wrapping, json);
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
