import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import { sliceKey } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { BASE_LANG, LANG_CODES } from "../api/languages.ts";
import { RANK_CODES } from "../api/ranks.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import { hashContent, hashSlice } from "./hash.ts";
import { ATTRIBUTION, LICENCE } from "./licence.ts";
import { type Coverage, DDL, SCHEMA_VERSION, SNAPSHOT_APPLICATION_ID, USER_VERSION } from "./tables.ts";

/**
 * Makes the snapshot file of a journal: the same journal gives the same bytes. Nothing here looks at the clock, the
 * network or the order in which answers came. `file` must not exist; it is there whole, or not at all.
 */
export function buildSnapshot(journal: Journal, file: string): void {
  const draft = `${file}.draft`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  try {
    db.transaction(() => {
      const coverage = fillArchive(db, journal);
      writeHead(db, journal, coverage);
    })();
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    db.close();
    rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // The draft is thrown away when anything goes wrong: it needs neither a journal nor a sync.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma(`application_id = ${SNAPSHOT_APPLICATION_ID}`);
  db.pragma(`user_version = ${USER_VERSION}`);
  db.exec(DDL);
  return db;
}

function fillArchive(db: SQLite.Database, journal: Journal): Coverage[] {
  const insertCoverage = db.prepare(
    `INSERT INTO coverage VALUES (:dataset, :slice, :hero_id, :rank, :days, :lang, :status, :reason, :records, :sha256)`,
  );
  const insertRecord = db.prepare("INSERT INTO record (dataset, slice, position, json) VALUES (?, ?, ?, ?)");
  const coverage: Coverage[] = [];
  for (const stored of sortSlices(journal.slices())) {
    const records = stored.state === "captured" ? splitRecords(db, journal.pages(stored.id)) : undefined;
    const row = coverSlice(stored, records);
    insertCoverage.run(row);
    for (const [position, json] of (records ?? []).entries()) insertRecord.run(row.dataset, row.slice, position, json);
    coverage.push(row);
  }
  return coverage;
}

/** SQLite takes the records out of a body without reading its numbers, so that each keeps the digits it was sent with. */
function splitRecords(db: SQLite.Database, pages: readonly Buffer[]): string[] {
  const split = db.prepare<[string], string>("SELECT value FROM json_each(?, '$.data.records') ORDER BY key").pluck();
  return pages.flatMap((page) => split.all(page.toString("utf8")));
}

function coverSlice({ slice, state, reason }: StoredSlice, records: readonly string[] | undefined): Coverage {
  return {
    dataset: slice.dataset,
    slice: sliceKey(slice),
    hero_id: slice.hero ?? null,
    rank: slice.rank ?? null,
    days: slice.days === undefined ? null : Number(slice.days),
    lang: slice.lang,
    status: state !== "captured" ? "failed" : records?.length ? "captured" : "empty",
    reason: state === "captured" ? null : (reason ?? "not-asked"),
    records: records?.length ?? 0,
    sha256: records ? hashSlice(records) : null,
  };
}

/** By endpoint, language, rank, window and hero: an order that does not depend on when a slice was planned or asked. */
function sortSlices(slices: readonly StoredSlice[]): StoredSlice[] {
  const datasets = ENDPOINTS.map((endpoint) => endpoint.dataset);
  const place = ({ slice }: StoredSlice) => [
    datasets.indexOf(slice.dataset),
    LANG_CODES.indexOf(slice.lang),
    slice.rank ? RANK_CODES.indexOf(slice.rank) : -1,
    Number(slice.days ?? 0),
    slice.hero ?? 0,
  ];
  const placed = slices.map((stored) => ({ stored, key: place(stored) }));
  placed.sort((a, b) => {
    const differs = a.key.findIndex((part, index) => part !== b.key[index]);
    return differs < 0 ? 0 : (a.key[differs] ?? 0) - (b.key[differs] ?? 0);
  });
  return placed.map(({ stored }) => stored);
}

function writeHead(db: SQLite.Database, journal: Journal, coverage: readonly Coverage[]) {
  const startedAt = journal.header().started_at;
  const contentHash = hashContent(coverage);
  const heroes = coverage.find((row) => row.dataset === "heroes" && row.lang === BASE_LANG)?.records ?? 0;
  const gameVersion = db
    .prepare<[], string>(
      `SELECT json ->> '$.data.game_version' FROM record WHERE dataset = 'versions'
       ORDER BY json ->> '$.createdAt' DESC, json ->> '$.id' DESC LIMIT 1`,
    )
    .pluck()
    .get();
  db.prepare("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(
    nameVersion(startedAt, contentHash),
    contentHash,
    SCHEMA_VERSION,
    startedAt,
    gameVersion ?? null,
    heroes,
    LICENCE,
    ATTRIBUTION,
  );
}

/** `20261121T030000Z-1a2b3c4d`: start of the crawl and content, in an order that sorts by time. */
function nameVersion(startedAt: string, contentHash: string): string {
  return `${startedAt.replaceAll(/[-:]|\.\d+/g, "")}-${contentHash.slice(0, 8)}`;
}
