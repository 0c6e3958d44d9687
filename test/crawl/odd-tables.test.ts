import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseBody } from "../../src/api/body/body.ts";
import { hashSlice } from "../../src/api/body/canonical.ts";
import { valuesAt } from "../../src/api/body/path.ts";
import { unwrap } from "../../src/api/body/wrapping.ts";
import type { Endpoint, Slice } from "../../src/api/endpoint.ts";
import { LANES, ROLES } from "../../src/api/enumerations.ts";
import { readSliceFacts } from "../../src/api/slice-facts.ts";
import { createSlicePages } from "../../src/crawl/validate/pages.ts";
import { validateResponse } from "../../src/crawl/validate/validate.ts";
import { createRecordInserter } from "../../src/snapshot/build/archive.ts";
import { createStatsCollector } from "../../src/snapshot/build/slice-stats.ts";
import { createDeriver, createTables } from "../../src/snapshot/derive/deriver.ts";
import { stripMarkup } from "../../src/snapshot/derive/make.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { drawn, FULL } from "../helpers/draw.ts";
import { compareTexts } from "../helpers/mutation/compare.ts";
import { parseJson } from "../helpers/mutation/json.ts";
import { recordsOf } from "../helpers/mutation/mutate.ts";
import { drawPairs, type Pair } from "../helpers/mutation/pairs.ts";
import { mayRefuse } from "../helpers/mutation/refusals.ts";
import { crawlSmall, type Small } from "../helpers/mutation/small.ts";
import { SEED } from "../helpers/random.ts";

const PAIRS = FULL ? 6000 : 600;
/** Kinds that take rows away because the upstream says so: what is not there, what is empty, and known padding. */
const TAKES_AWAY = new Set(["delete", "emptied", "empty-text", "zero", "minus-zero"]);
/** Rows that many records may say: where all name the same, the others are not said any more. */
const isShared = (table: string) => table === "tag" || table.endsWith("_text");
/** Kinds that put what was said elsewhere: whole records and lists then say the same again, or less. */
const SAME_AGAIN = new Set(["foreign", "collide"]);

const ANALYSTS = TABLES.filter(({ rows }) => rows);

let small: Small;
beforeAll(async () => {
  small = await crawlSmall();
});
afterAll(() => small.remove());

/** A draft with the tables that the records of a slice need. */
function openDraft() {
  const db = new SQLite(":memory:");
  createTables(db);
  db.pragma("foreign_keys = OFF");
  const insertRecords = createRecordInserter(db);
  const selectRecords = db.prepare<[], string>("SELECT json FROM record ORDER BY position").pluck();
  const counts = ANALYSTS.map(({ name }) => ({
    name,
    count: db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck(),
  }));

  return {
    db,
    /** The rows of each table, made from one body of a slice, and what did not fit. */
    fill(slice: Slice, body: Buffer) {
      const tables = createDeriver(db);
      for (const context of small.contexts)
        if (context.slice.dataset !== slice.dataset) tables.add(context.slice, context.records);
      const records = insertRecords(slice, [body]);
      tables.add(slice, records);
      return {
        stored: selectRecords.all(),
        counts: new Map(counts.map(({ name, count }) => [name, count.get() ?? 0])),
        misfits: tables.misfits(),
      };
    },
    inside<R>(work: () => R): R {
      db.exec("SAVEPOINT pair");
      try {
        return work();
      } finally {
        db.exec("ROLLBACK TO pair; RELEASE pair");
      }
    },
  };
}

describe("an odd value", () => {
  test(`is taken, archived and counted, wherever it is and whatever it is (${drawn})`, {
    timeout: 1_200_000,
  }, () => {
    const draft = openDraft();
    const clean = new Map<string, Map<string, number>>();
    const seen = { tried: 0, held: 0, refused: 0, gone: 0, lost: 0, counted: 0 };
    const refusedBy = new Map<string, number>();
    const faults: string[] = [];
    for (const pair of drawPairs(small.journal, { seed: SEED, limit: PAIRS })) {
      seen.tried += 1;
      const name = `${pair.slice.dataset}|${pair.path}|${pair.kind}|${pair.how}|${pair.draw}`;
      try {
        const refused = refusal(pair);
        if (refused) {
          seen.refused += 1;
          const reason = mayRefuse(pair.slice, pair.mutated);
          if (!reason) faults.push(`${name}: refused without need: ${refused}`);
          const needed = `${pair.slice.dataset}: ${reason}`;
          refusedBy.set(needed, (refusedBy.get(needed) ?? 0) + 1);
          continue;
        }
        seen.held += 1;
        if (mayRefuse(pair.slice, pair.mutated)?.endsWith("is needed"))
          faults.push(`${name}: taken without what is needed`);
        const before =
          clean.get(pair.clean) ?? draft.inside(() => draft.fill(pair.slice, Buffer.from(pair.clean)).counts);
        clean.set(pair.clean, before);
        draft.inside(() => check(pair, name, draft, before, seen, faults));
      } catch (error) {
        faults.push(`${name}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")}`);
      }
    }
    draft.db.close();
    process.stdout.write(`${JSON.stringify({ ...seen, refusedBy: Object.fromEntries(refusedBy) })}\n`);
    expect(faults.slice(0, 20)).toEqual([]);
    expect(seen.tried).toBe(PAIRS);
  });
});

const headers = { "content-type": "application/json" };

function refusal({ endpoint, slice, mutated }: Pair): string | undefined {
  const body = Buffer.from(mutated);
  const verdict = validateResponse(endpoint, slice, { host: "", at: 0, status: 200, headers, body });
  if (!verdict.ok) return verdict.detail;
  const step = createSlicePages(endpoint).check(verdict, body);
  readSliceFacts(endpoint, verdict.records);
  return step.ok ? undefined : step.detail;
}

type Draft = ReturnType<typeof openDraft>;

function check(
  { endpoint, slice, path, kind, clean, mutated }: Pair,
  name: string,
  draft: Draft,
  before: ReadonlyMap<string, number>,
  seen: { gone: number; lost: number; counted: number },
  faults: string[],
) {
  const body = Buffer.from(mutated);
  const sent = unwrap(endpoint.wrapping ?? "pages", parseBody(body));
  const { stored, counts, misfits } = draft.fill(slice, body);

  // The archive has it as it was sent, to the digit; what is hashed is what is stored.
  const wanted = recordTexts(mutated, endpoint.wrapping);
  const odd = wanted.findIndex((text, at) => compareTexts(stored[at] ?? "0", text) !== undefined);
  if (odd >= 0 || stored.length !== wanted.length) faults.push(`${name}: record ${odd} is stored otherwise`);
  const { sha256 } = createStatsCollector().add(slice, sent);
  if (sha256 !== hashSlice(stored.map((text): unknown => JSON.parse(text)))) faults.push(`${name}: another hash`);

  const broken = draft.db.pragma("foreign_key_check") as { table: string }[];
  // Coverage is not there.
  if (broken.some(({ table }) => table !== "record")) faults.push(`${name}: rows refer to nothing`);

  const invented = findInvented(draft.db, slice, sent);
  if (invented) faults.push(`${name}: ${invented} was never sent`);

  const isContainer = valuesAtOrRecord(clean, endpoint, path).some(
    (value) => value !== null && typeof value === "object",
  );
  for (const [table, count] of counts) {
    const lost = (before.get(table) ?? 0) - count;
    if (lost <= 0) continue;
    // A record that is there twice is counted where it is: its rows say the same again.
    const counted = misfits
      .filter(({ table_name }) => table_name === table || table_name === "record")
      .reduce((sum, one) => sum + one.count, 0);
    const isMeant =
      TAKES_AWAY.has(kind) || (SAME_AGAIN.has(kind) && (isContainer || isShared(table) || path.endsWith("[]")));
    if (isMeant) seen.gone += lost;
    else {
      seen.lost += lost;
      seen.counted += counted;
    }
    if (counted === 0 && !isMeant) faults.push(`${name}: ${table} loses ${lost} rows, none is counted`);
  }
}

const valuesAtOrRecord = (body: string, { wrapping = "pages" }: Endpoint, path: string): unknown[] =>
  unwrap(wrapping, JSON.parse(body)).flatMap((record) => (path === "" ? [record] : valuesAt(record, path)));

/** The records of a body as they were sent. */
const recordTexts = (body: string, wrapping: Endpoint["wrapping"]) =>
  recordsOf(wrapping, parseJson(body.replace(/^\ufeff/, ""))).map(({ text }) => text);

/** What tables say of their own: places, words for the publisher's numbers, sides and kinds. */
const OWN = new Set<unknown>([
  ...Array.from({ length: 1000 }, (_, place) => place),
  ...[...ROLES, ...LANES].flatMap(({ code, id }) => [code, id]),
  ...["assist", "strong", "weak", "best", "worst", "en", "ja"],
]);

/** A cell of a table that holds what no record says; nothing where there is none. */
function findInvented(db: SQLite.Database, slice: Slice, sent: readonly unknown[]): string | undefined {
  const known = new Set<unknown>([...Object.values(slice), Number(slice.days), Number(slice.subject)]);
  for (const record of [...sent, ...small.contexts.flatMap(({ records }) => records)]) addScalars(record, known);
  for (const { name, columns, rows = [] } of ANALYSTS) {
    if (!rows.some(({ datasets }) => datasets.includes(slice.dataset))) continue;
    for (const row of db.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw().iterate()) {
      const odd = row.findIndex((cell) => cell !== null && !known.has(cell) && !OWN.has(cell));
      if (odd >= 0) return `${name}.${Object.keys(columns)[odd]} = ${JSON.stringify(row[odd]).slice(0, 100)}`;
    }
  }
  return undefined;
}

/** Every value of a record in the forms that a column may hold it in. */
function addScalars(value: unknown, known: Set<unknown>): void {
  if (typeof value === "number") known.add(value).add(String(value));
  else if (typeof value === "string") {
    const whole = value.toWellFormed().replaceAll("\0", "");
    known
      .add(whole)
      .add(stripMarkup(whole))
      .add(value.trim() === "" ? Number.NaN : Number(value));
    if (value.length < 1000)
      for (const part of value.split(/[^\w.+-]+/)) known.add(part === "" ? Number.NaN : Number(part));
  } else if (value !== null && typeof value === "object")
    for (const inner of Object.values(value)) addScalars(inner, known);
}
