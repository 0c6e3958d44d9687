import type SQLite from "better-sqlite3";
import { type Slice, sliceKey } from "../api/endpoint.ts";
import type { Facts } from "../api/facts.ts";
import { createBatch } from "./batch.ts";
import { checkJournal, checkPage, guard, guardDamage, readSlice, sealHeader } from "./check.ts";
import { createJournalFile, damaged, openJournalFile, readHeaderOf } from "./file.ts";
import { hashPage, type PageRow } from "./proof.ts";
import type { Reason } from "./reasons.ts";
import { reportOf } from "./report.ts";
import { type Header, MAX_PAGES, type Purpose, type SliceState } from "./schema.ts";

export interface StoredSlice {
  id: number;
  slice: Slice;
  purpose: Purpose;
  /** Pages in hand, also of a slice that is not whole yet. */
  pages: number;
  state: SliceState;
  reason: Reason | null;
  facts: Facts;
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

type Row = Omit<StoredSlice, "slice" | "state" | "facts"> & {
  dataset: string;
  key: string;
  json: string;
  facts: string | null;
};

export type Journal = ReturnType<typeof openJournal>;

/**
 * The resumable archive of raw answers. Every change is in one transaction, so that a kill at any moment loses only the
 * requests in flight. Bodies are kept as they came: compressing them would take longer than asking for them. What is read
 * is what was written, or is refused.
 */
export function openJournal(file: string, create?: Header) {
  const db = create ? createJournalFile(file, create) : openJournalFile(file);
  try {
    if (!create) guard(file, () => checkJournal(db, file));
    return guardDamage(file, createJournal(db, file));
  } catch (error) {
    db.close();
    throw error;
  }
}

function createJournal(db: SQLite.Database, file: string) {
  const insertSlice = db.prepare(
    `INSERT INTO slice (dataset, slice, json, purpose) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET purpose = 'answer' WHERE excluded.purpose = 'answer'`,
  );
  const selectSlices = db.prepare<[Purpose], Row>(
    `SELECT slice_id AS id, dataset, slice AS key, json, purpose, reason, count(answer_key) AS pages, max(facts) AS facts
     FROM slice LEFT JOIN answer ON answer_key BETWEEN slice_id * ${MAX_PAGES} AND slice_id * ${MAX_PAGES} + ${MAX_PAGES - 1}
     WHERE purpose = ? GROUP BY slice_id ORDER BY slice_id`,
  );
  const OF_SLICE = `answer_key BETWEEN :id * ${MAX_PAGES} AND :id * ${MAX_PAGES} + ${MAX_PAGES - 1}`;
  const selectPages = db.prepare<[{ id: number }], PageRow>(
    `SELECT answer_key AS key, host, answered_at AS at, facts, sha256, body FROM answer WHERE ${OF_SLICE} ORDER BY answer_key`,
  );
  const selectName = db
    .prepare<[number], string>("SELECT dataset || '?' || slice FROM slice WHERE slice_id = ?")
    .pluck();
  const selectTime = db
    .prepare<[{ id: number }], number>(`SELECT max(answered_at) FROM answer WHERE ${OF_SLICE}`)
    .pluck();
  const selectRemembered = db.prepare<[], number>("SELECT sum(length(facts)) FROM answer").pluck();
  const insertAnswer = db.prepare("INSERT INTO answer VALUES (:key, :host, :at, :facts, :sha256, :body)");
  const insertAttempt = db.prepare("INSERT INTO attempt VALUES (NULL, ?, ?, ?, ?, ?, ?)");
  const setReason = db.prepare("UPDATE slice SET reason = ? WHERE slice_id = ?");
  const deletePages = db.prepare(`DELETE FROM answer WHERE ${OF_SLICE}`);
  const deleteAttempts = db.prepare("DELETE FROM attempt WHERE slice_id = :id");
  const deleteSlice = db.prepare("DELETE FROM slice WHERE slice_id = :id");
  const putState = db.prepare("INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json");
  const getState = db.prepare<[string], string>("SELECT json FROM state WHERE name = ?").pluck();

  const writeHeader = (header: Header) => void db.prepare("UPDATE header SET json = ?").run(JSON.stringify(header));

  // Read again only after something has changed: a crawl looks at its plan many times between two changes.
  const views = new Map<Purpose, StoredSlice[]>();
  const changing = <A extends unknown[], R>(change: (...args: A) => R) => {
    return (...args: A): R => {
      views.clear();
      return change(...args);
    };
  };
  const keepLater = createBatch(
    changing(
      db.transaction((pages: readonly PageRow[]) => {
        for (const page of pages) insertAnswer.run(page);
      }),
    ),
  );
  const nameOf = (sliceId: number): string => {
    const name = selectName.get(sliceId);
    if (name === undefined) throw damaged(file, "an answer belongs to no slice");
    return name;
  };
  const readSlices = (purpose: Purpose) =>
    selectSlices.all(purpose).map(
      ({ dataset, key, json, facts, reason, ...row }): StoredSlice => ({
        ...row,
        slice: readSlice(file, { dataset, slice: key, json }),
        state: facts !== null ? "captured" : reason !== null ? "failed" : "pending",
        reason: facts === null ? reason : null,
        facts: facts === null ? {} : (JSON.parse(facts) as Facts),
      }),
    );

  return {
    file,
    header: (): Header => readHeaderOf(db, file),

    /** Adds slices to the plan; those already in it stay as they are. */
    expect: changing(
      db.transaction((slices: readonly Slice[], purpose: Purpose) => {
        for (const slice of slices) insertSlice.run(slice.dataset, sliceKey(slice), JSON.stringify(slice), purpose);
      }),
    ),

    slices(purpose: Purpose = "answer"): readonly StoredSlice[] {
      const view = views.get(purpose) ?? readSlices(purpose);
      views.set(purpose, view);
      return view;
    },

    /** The bodies of a slice, by page. */
    pages(sliceId: number): Buffer[] {
      const pages = selectPages.all({ id: sliceId });
      for (const page of pages) checkPage(file, nameOf(sliceId), page);
      return pages.map(({ body }) => body);
    },

    /** Characters of the facts of all slices. */
    remembered: () => selectRemembered.get() ?? 0,

    /** When the slice was answered, epoch milliseconds. */
    answeredAt: (sliceId: number) => selectTime.get({ id: sliceId }) ?? 0,

    /** Takes one page; facts come with the page that makes the slice whole. Resolves when the page is in the file. */
    keep(sliceId: number, page: number, { host, at, body }: Answer, facts: Facts | undefined) {
      const row = { key: sliceId * MAX_PAGES + page, host, at, body, facts: facts ? JSON.stringify(facts) : null };
      return keepLater({ ...row, sha256: hashPage(nameOf(sliceId), row) });
    },

    /** Notes a failed attempt, and forgets the pages of a slice that must be asked again from the first. */
    note: changing(
      db.transaction((sliceId: number, page: number, attempt: Attempt, forget: boolean) => {
        insertAttempt.run(sliceId, page, attempt.host, attempt.at, attempt.reason, attempt.detail);
        if (forget) deletePages.run({ id: sliceId });
      }),
    ),

    /** Gives a slice up; asking for it again later is still possible. */
    fail: changing((sliceId: number, reason: Reason) => void setReason.run(reason, sliceId)),

    /** Forgets the answers of slices, so that they are asked again. */
    reset: changing(
      db.transaction((sliceIds: readonly number[]) => {
        for (const id of sliceIds) {
          deletePages.run({ id });
          setReason.run(null, id);
        }
      }),
    ),

    /** Takes slices out of the plan. */
    drop: changing(
      db.transaction((sliceIds: readonly number[]) => {
        for (const id of sliceIds)
          for (const statement of [deletePages, deleteAttempts, deleteSlice]) statement.run({ id });
      }),
    ),

    /** Something to remember over a restart. */
    remember: (name: string, value: unknown) => void putState.run(name, JSON.stringify(value)),
    recall: (name: string): unknown => JSON.parse(getState.get(name) ?? "null"),

    /** Makes a finished journal unfinished again; `startedAt` is what its snapshot is named by from now on. */
    reopen(startedAt?: string) {
      const { started_at, ...header } = readHeaderOf(db, file);
      writeHeader({ ...header, started_at: startedAt ?? started_at, finished_at: null, seal: undefined });
    },

    finish(at: string) {
      const header = { ...readHeaderOf(db, file), finished_at: at };
      writeHeader({ ...header, seal: sealHeader(db, header) });
      db.pragma("wal_checkpoint(TRUNCATE)");
    },

    /** The last failed attempt, of one slice or of all, for an error message. */
    lastAttempt: (slice?: Slice) =>
      db
        .prepare<[{ dataset: string | null; slice: string | null }], Attempt>(
          `SELECT host, failed_at AS at, attempt.reason, detail FROM attempt JOIN slice USING (slice_id)
           WHERE :dataset IS NULL OR (dataset = :dataset AND slice = :slice) ORDER BY attempt_id DESC`,
        )
        .get({ dataset: slice?.dataset ?? null, slice: slice ? sliceKey(slice) : null }),

    report: () => reportOf(db, readHeaderOf(db, file)),

    close: () => void db.close(),
  };
}
