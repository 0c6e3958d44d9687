import { isUtf8 } from "node:buffer";
import type SQLite from "better-sqlite3";
import { sliceKey } from "../api/endpoint.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import type { Finder } from "./finder.ts";
import type { Finding } from "./findings.ts";
import { sortBySlice } from "./order.ts";
import type { Coverage } from "./tables.ts";

/** Slices that are handed over at once, and how many such batches may be on their way: a bound on memory. */
const BATCH = 64;
const UNDERWAY = 8;

/** Fills `record` with all answers of the journal, and tells what they cover, in the order of the content hash. */
export async function fillArchive(db: SQLite.Database, journal: Journal, finder: Finder): Promise<Coverage[]> {
  const insertRecords = createSplitter(db);
  const sorted = sortStored(journal.slices());
  const underway: { batch: StoredSlice[]; findings: Promise<Finding[]> }[] = [];
  const coverage: Coverage[] = [];
  const settle = async () => {
    const first = underway.shift();
    const findings = await first?.findings;
    for (const [place, stored] of first?.batch.entries() ?? []) coverage.push(coverSlice(stored, findings?.[place]));
  };
  for (let start = 0; start < sorted.length; start += BATCH) {
    const batch = sorted.slice(start, start + BATCH);
    const pages = batch.map(({ id, state }) => (state === "captured" ? journal.pages(id) : []));
    for (const [place, stored] of batch.entries()) insertRecords(stored, pages[place] ?? []);
    const bodies = batch.map(({ slice }, place) => ({ slice, pages: pages[place] ?? [] }));
    underway.push({ batch, findings: finder.find(bodies) });
    if (underway.length === UNDERWAY) await settle();
  }
  while (underway.length > 0) await settle();
  return coverage;
}

function sortStored(slices: readonly StoredSlice[]): StoredSlice[] {
  return sortBySlice(slices, ({ slice: { dataset, lang, rank, days, hero } }) => ({
    dataset,
    lang,
    rank: rank ?? null,
    days: days === undefined ? null : Number(days),
    hero: hero ?? null,
  }));
}

/** SQLite takes the records out of a body without reading its numbers, so that each keeps the digits it was sent with. */
function createSplitter(db: SQLite.Database) {
  const insert = db.prepare(
    `INSERT INTO record SELECT :dataset, :slice, :held + key, value
     FROM json_each(CAST(:page AS TEXT), '$.data.records')`,
  );
  return ({ slice }: StoredSlice, pages: readonly Buffer[]) => {
    const key = { dataset: slice.dataset, slice: sliceKey(slice) };
    let held = 0;
    for (const page of pages) held += insert.run({ ...key, held, page: toUtf8(page) }).changes;
  };
}

/** SQLite takes bytes as they come; some that are no text would make a file that other readers refuse. */
const toUtf8 = (page: Buffer) => (isUtf8(page) ? page : Buffer.from(page.toString("utf8")));

function coverSlice({ slice, state, reason }: StoredSlice, found: Finding | undefined): Coverage {
  const captured = state === "captured" ? found : undefined;
  return {
    dataset: slice.dataset,
    slice: sliceKey(slice),
    hero_id: slice.hero ?? null,
    rank: slice.rank ?? null,
    days: slice.days === undefined ? null : Number(slice.days),
    lang: slice.lang,
    status: !captured ? "failed" : captured.records > 0 ? "captured" : "empty",
    reason: captured ? null : (reason ?? "not-asked"),
    records: captured?.records ?? 0,
    sha256: captured?.sha256 ?? null,
  };
}
