import zlib from "node:zlib";
import SQLite from "better-sqlite3";
import { type Slice, sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import type { Reason } from "./reasons.ts";
import { DDL, type Header, headerSchema, JOURNAL_APPLICATION_ID, JOURNAL_VERSION, type SliceState } from "./schema.ts";

const LEVEL = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

export interface StoredSlice {
  id: number;
  slice: Slice;
  state: SliceState;
  reason: Reason | null;
}

export interface Answer {
  host: string;
  at: number;
  body: Buffer;
}

export interface Attempt {
  host: string;
  at: number;
  reason: Reason;
  detail: string;
}

export type Journal = ReturnType<typeof openJournal>;

/**
 * The resumable archive of raw answers. Every change is one transaction, so that a kill at any moment loses only the
 * requests in flight. Bodies are kept as they came, compressed.
 */
export function openJournal(file: string, create?: Header) {
  const db = create ? createFile(file, create) : openFile(file);
  const insertSlice = db.prepare<[string, string, string]>(
    "INSERT INTO slice (dataset, slice, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const selectSlices = db.prepare<[], { id: number; json: string; state: SliceState; reason: Reason | null }>(
    "SELECT slice_id AS id, json, state, reason FROM slice ORDER BY slice_id",
  );
  const selectPages = db.prepare<[number], { page: number; body: Buffer }>(
    "SELECT page, body FROM answer WHERE slice_id = ? ORDER BY page",
  );
  const insertAnswer = db.prepare(
    "INSERT INTO answer (slice_id, page, host, answered_at, body) VALUES (?, ?, ?, ?, ?)",
  );
  const insertAttempt = db.prepare(
    "INSERT INTO attempt (slice_id, page, host, failed_at, reason, detail) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const updateState = db.prepare("UPDATE slice SET state = ?, reason = ? WHERE slice_id = ?");
  const deletePages = db.prepare("DELETE FROM answer WHERE slice_id = ?");
  const updateHeader = db.prepare("UPDATE header SET json = ?");

  return {
    file,
    header: (): Header => readHeaderOf(db, file),

    /** Adds slices to the plan; those already in it stay as they are. */
    expect: db.transaction((slices: readonly Slice[]) => {
      for (const slice of slices) insertSlice.run(slice.dataset, sliceKey(slice), JSON.stringify(slice));
    }),

    slices(): StoredSlice[] {
      return selectSlices.all().map(({ json, ...row }) => ({ ...row, slice: JSON.parse(json) as Slice }));
    },

    /** The bodies of a slice, by page. */
    pages: (sliceId: number) => selectPages.all(sliceId).map(({ body }) => zlib.zstdDecompressSync(body)),

    /** Takes one page; `complete` says that the slice has all of its records now. */
    keep: db.transaction((sliceId: number, page: number, answer: Answer, complete: boolean) => {
      const body = zlib.zstdCompressSync(answer.body, LEVEL);
      insertAnswer.run(sliceId, page, answer.host, answer.at, body);
      if (complete) updateState.run("captured", null, sliceId);
    }),

    /** Notes a failed attempt, and forgets the pages of a slice that must be asked again from the first. */
    note: db.transaction((sliceId: number, page: number, attempt: Attempt, forget: boolean) => {
      insertAttempt.run(sliceId, page, attempt.host, attempt.at, attempt.reason, attempt.detail);
      if (forget) deletePages.run(sliceId);
    }),

    /** Gives a slice up; asking for it again later is still possible. */
    fail: (sliceId: number, reason: Reason) => void updateState.run("failed", reason, sliceId),

    finish(at: string) {
      updateHeader.run(JSON.stringify({ ...readHeaderOf(db, file), finished_at: at }));
      db.pragma("wal_checkpoint(TRUNCATE)");
    },

    /** The last failed attempt of all, for an error message. */
    lastAttempt: () =>
      db
        .prepare<[], { reason: Reason; detail: string }>("SELECT reason, detail FROM attempt ORDER BY attempt_id DESC")
        .get(),

    /** What depends on luck and the clock: kept beside the snapshot, never in it. */
    report() {
      const count = (sql: string) => db.prepare<[], { name: string; count: number }>(sql).all();
      const toObject = (rows: { name: string; count: number }[]) =>
        Object.fromEntries(rows.map(({ name, count }) => [name, count]));
      const { started_at, finished_at, selection } = readHeaderOf(db, file);
      return {
        crawl: {
          started_at,
          finished_at,
          selection,
          answers: toObject(count("SELECT host AS name, count(*) AS count FROM answer GROUP BY host ORDER BY host")),
          faults: toObject(
            count("SELECT reason AS name, count(*) AS count FROM attempt GROUP BY reason ORDER BY reason"),
          ),
        },
      };
    },

    close: () => void db.close(),
  };
}

/** What a journal is for, without keeping it open. */
export function readHeader(file: string): Header {
  const db = openFile(file);
  try {
    return readHeaderOf(db, file);
  } finally {
    db.close();
  }
}

function createFile(file: string, header: Header): SQLite.Database {
  const db = configure(new SQLite(file));
  db.transaction(() => {
    db.exec(DDL);
    db.prepare("INSERT INTO header (json) VALUES (?)").run(JSON.stringify(header));
    db.pragma(`application_id = ${JOURNAL_APPLICATION_ID}`);
    db.pragma(`user_version = ${JOURNAL_VERSION}`);
  })();
  return db;
}

function openFile(file: string): SQLite.Database {
  const refuse = (message: string, cause?: unknown) =>
    new Failure(EXIT.usage, `${file}: ${message}`, "name another journal, or crawl anew with --fresh", cause);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { fileMustExist: true });
    const application = db.pragma("application_id", { simple: true });
    if (application !== JOURNAL_APPLICATION_ID) throw refuse("is not a journal of metasnap");
    const version = db.pragma("user_version", { simple: true });
    if (version !== JOURNAL_VERSION) throw refuse(`is a journal of version ${version}, this is ${JOURNAL_VERSION}`);
    return configure(db);
  } catch (error) {
    db?.close();
    throw error instanceof Failure ? error : refuse(`cannot be read as a journal (${String(error)})`, error);
  }
}

function configure(db: SQLite.Database): SQLite.Database {
  db.pragma("journal_mode = WAL");
  // A power cut may lose the last answers, never the file; a kill loses nothing.
  db.pragma("synchronous = NORMAL");
  return db;
}

function readHeaderOf(db: SQLite.Database, file: string): Header {
  const row = db.prepare<[], { json: string }>("SELECT json FROM header").get();
  const header = headerSchema.safeParse(row && JSON.parse(row.json));
  if (header.success) return header.data;
  throw new Failure(EXIT.usage, `${file}: has no readable header`, "crawl anew with --fresh", header.error);
}
