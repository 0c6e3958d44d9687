import { createHash } from "node:crypto";
import type SQLite from "better-sqlite3";
import { parseSlice, type Slice, sliceKey, sliceName } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { damaged, readHeaderOf } from "./file.ts";
import { type Header, PAGE_SLOTS } from "./schema.ts";

/**
 * Refuses a journal that does not hold what was written into it. Of a finished one most pages are looked at when they are
 * read; of one that goes on, here and now, before anything is asked that it might hold.
 */
export function checkJournal(db: SQLite.Database, file: string) {
  const header = readHeaderOf(db, file);
  if (header.finished_at === null) return checkUnfinished(db, file);
  if (header.seal !== sealHeader(db, header)) throw damaged(file, "its content has changed since it was finished");
  // Answers that no build reads.
  checkPages(db, file, "purpose = 'proof'");
}

/** The seal that a journal with this header has. What becomes of it later breaks no seal. */
export const sealHeader = (db: SQLite.Database, { seal: _, built, too_little, ...header }: Header) =>
  sealOf(db, header);

function checkUnfinished(db: SQLite.Database, file: string) {
  const broken = db.pragma("integrity_check(1)", { simple: true });
  if (broken !== "ok") throw damaged(file, String(broken));
  checkPages(db, file, "true");
}

function checkPages(db: SQLite.Database, file: string, where: string) {
  const rows = db.prepare<[], PageRow & { of: string | null }>(
    `SELECT dataset || '?' || slice AS of, answer_key AS key, host, answered_at AS at, facts, sha256, body
     FROM answer LEFT JOIN slice ON slice_id = answer_key / ${PAGE_SLOTS} WHERE ${where} ORDER BY answer_key`,
  );
  for (const { of, ...page } of rows.iterate()) checkPage(file, of ?? "", page);
}

/** Refuses a page that is not what was kept, or is of another slice. */
export function checkPage(file: string, of: string, page: PageRow) {
  if (hashPage(of, page).equals(page.sha256)) return;
  throw damaged(file, of === "" ? "an answer belongs to no slice" : `the answer of ${of} is not what was kept`);
}

const datasets = new Set(ENDPOINTS.map(({ dataset }) => dataset));

/** A slice out of its JSON, which must say what its row says. */
export function readSlice(file: string, row: { dataset: string; slice: string; json: string }): Slice {
  const slice = JSON.parse(row.json) as Slice | null;
  if (slice?.dataset === row.dataset && datasets.has(row.dataset) && sliceKey(slice) === row.slice) return slice;
  throw damaged(file, `the slice ${sliceName(parseSlice(row.dataset, row.slice))} is not a slice`);
}

/** All methods, so that damage they come upon ends in one line, whatever it looks like. */
export function guardDamage<T extends object>(file: string, methods: T): T {
  const guarded = Object.entries(methods).map(([name, method]) => [
    name,
    typeof method === "function" ? (...args: unknown[]) => guard(file, () => method(...args)) : method,
  ]);
  return Object.fromEntries(guarded) as T;
}

export function guard<R>(file: string, action: () => R): R {
  try {
    const result = action();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw explain(file, error);
    }) as R;
  } catch (error) {
    throw explain(file, error);
  }
}

function explain(file: string, error: unknown): unknown {
  const { code = "", message } = error as { code?: string; message: string };
  const isDamage = /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code) || error instanceof SyntaxError;
  return isDamage ? damaged(file, message, error) : error;
}

/** One page of a slice as it lies in the file. */
export interface PageRow {
  key: number;
  host: string;
  at: number;
  facts: string | null;
  sha256: Buffer;
  body: Buffer;
}

/** Hashes a page and the name of its slice: a row of the plan that is gone gives its number to another one. */
export function hashPage(of: string, { key, host, at, facts, body }: Omit<PageRow, "sha256">): Buffer {
  const said = JSON.stringify([of, key % PAGE_SLOTS, host, at, facts]);
  return createHash("sha256").update(said).update(body).digest();
}

/** Hashes everything else in a finished journal, the hashes of its pages among it: a row more or less is another seal. */
function sealOf(db: SQLite.Database, header: object): string {
  const seal = createHash("sha256").update(JSON.stringify(header));
  for (const sql of SEALED_ROWS) {
    for (const row of db.prepare<[], unknown[]>(sql).raw().iterate())
      seal.update(JSON.stringify(row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString("hex") : cell))));
  }
  return seal.digest("hex");
}

const SEALED_ROWS = [
  "SELECT 'slice', * FROM slice ORDER BY slice_id",
  "SELECT 'answer', answer_key, sha256 FROM answer ORDER BY answer_key",
  "SELECT 'state', * FROM state ORDER BY name",
  "SELECT 'attempt', * FROM attempt ORDER BY attempt_id",
];
