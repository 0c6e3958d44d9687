/** Odd values drawn by chance: in memory, one body each; and over the wire, one of each dataset in a night. */
import { isDeepStrictEqual } from "node:util";
import SQLite from "better-sqlite3";
import { test as base, describe, expect } from "vitest";
import { parseBody } from "../../src/api/body/body.ts";
import { hashSlice } from "../../src/api/body/canonical.ts";
import { type NeededField, neededFields } from "../../src/api/body/needed-fields.ts";
import { readPath } from "../../src/api/body/path.ts";
import { unwrap } from "../../src/api/body/wrapping.ts";
import { type Identity, type Slice, sliceId } from "../../src/api/endpoint.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { LANES, RANKS, ROLES } from "../../src/api/enumerations.ts";
import { readSliceFacts } from "../../src/api/slice-facts.ts";
import { createSlicePages } from "../../src/crawl/validate/pages.ts";
import { validateResponse } from "../../src/crawl/validate/validate.ts";
import { createRecordInserter } from "../../src/snapshot/build/archive.ts";
import { createStatsCollector } from "../../src/snapshot/build/slice-stats.ts";
import { createDeriver, createTables } from "../../src/snapshot/derive/deriver.ts";
import { stripMarkup } from "../../src/snapshot/derive/make.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { type Json, numberText, partsAt, readJson, writeJson } from "../helpers/json.ts";
import { ODD_KINDS } from "../helpers/mutation/kinds.ts";
import {
  answerRecords,
  type Change,
  type Mutation,
  mutateRecords,
  replaceRecords,
  toOddLine,
} from "../helpers/mutation/mutate.ts";
import { isNeeded, startProver } from "../helpers/mutation/prover.ts";
import type { MutatingUpstream } from "../helpers/mutation/upstream.ts";
import { createRandom, type Random, SEED } from "../helpers/random.ts";
import { toRequest } from "../helpers/slice-requests.ts";

const BODIES = 2800;
const NIGHTS = 9;

const test = base
  .extend("prover", { scope: "file" }, async ({}, { onCleanup }) => {
    const prover = await startProver();
    onCleanup(() => prover[Symbol.asyncDispose]());
    return prover;
  })
  .extend("bodies", { scope: "file" }, ({ prover }) => readBodies(prover.upstream));

/** By dataset: the bodies of a clean night, and all paths in them. */
function readBodies({ clean }: MutatingUpstream) {
  return [...Map.groupBy(clean(), ({ slice }) => slice.dataset)].map(([dataset, bodies]) => {
    const paths = new Set<string>();
    for (const { body } of bodies)
      for (const record of answerRecords(endpointOf(dataset).wrapping, readJson(body))) addPaths(record, "", paths);
    return { dataset, bodies, paths: [...paths].sort() };
  });
}

type Bodies = ReturnType<typeof readBodies>[number];

function addPaths(node: Json, path: string, paths: Set<string>): void {
  paths.add(path);
  if (node === null || typeof node !== "object" || numberText(node) !== undefined) return;
  if (Array.isArray(node)) for (const element of node) addPaths(element, `${path}[]`, paths);
  else for (const [key, value] of Object.entries(node)) addPaths(value, path === "" ? key : `${path}.${key}`, paths);
}

/** A body of a dataset, and the same with something odd in it. */
interface Pair extends Change {
  slice: Slice;
  clean: string;
  mutated: string;
}

/** Draws until a kind applies. */
function drawPair({ dataset, bodies, paths }: Bodies, random: Random): Pair {
  for (;;) {
    const [{ slice, body }, other] = [random.pick(bodies), random.pick(bodies)];
    const path = random.pick(paths);
    const kind = random.pick(Object.keys(ODD_KINDS));
    const how = random.pick(["one", "all"] as const);
    const change: Change = { path, kind, how, draw: random.below(1000) };
    const { wrapping } = endpointOf(dataset);
    const json = readJson(body);
    const others = answerRecords(wrapping, readJson(other.body));
    const changed = mutateRecords(answerRecords(wrapping, json), change, others)?.values();
    if (!changed) continue;
    const mutated = writeJson(replaceRecords(wrapping, json, () => changed.next().value ?? null));
    return { ...change, slice, clean: body, mutated };
  }
}

describe("an odd value", () => {
  test("is taken, archived and counted, or refused for what is needed", ({ prover, bodies }) => {
    const random = createRandom("odd bodies");
    using draft = openDraft(contextsOf(prover.upstream));
    const faults: string[] = [];
    const kinds = new Set<string>();
    for (let count = 0; count < BODIES; count += 1) {
      const pair = drawPair(bodies[count % bodies.length] as Bodies, random);
      kinds.add(pair.kind);
      const line = toOddLine({ ...pair, at: toRequest(pair.slice) });
      try {
        faults.push(...judge(pair, draft).map((fault) => `${line}: ${fault}`));
      } catch (error) {
        faults.push(`${line}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")}`);
      }
    }
    expect(faults.slice(0, 20), `SEED=${SEED}`).toEqual([]);
    expect(bodies).toHaveLength(28);
    expect([...kinds].sort()).toEqual(Object.keys(ODD_KINDS).sort());
  });

  test.for(Array.from({ length: NIGHTS }, (_, night) => night))(
    "of each dataset that need not be refused costs no night, and is served as it was sent (%i)",
    async (night, { prover, bodies }) => {
      const random = createRandom(`odd night ${night}`);
      const mutations = bodies.map((own) => drawMutation(own, random));
      const nights = (["first", "second", "before"] as const)[night % 3];
      const idle = await prover.prove(mutations, nights).catch((error: Error) => {
        throw new Error(`SEED=${SEED} ${nights}: ${error.message}`, { cause: error });
      });
      // Another hero may say the same.
      expect(idle.length).toBeLessThan(mutations.length / 2);
    },
  );
});

/** Lists whose ids say what else is asked. */
const NAMING = ["heroes", "ratings"];

function drawMutation(own: Bodies, random: Random): Mutation {
  for (;;) {
    const { slice, mutated, path, kind, how, draw } = drawPair(own, random);
    const endpoint = endpointOf(slice.dataset);
    const isPlain = !isNeeded(endpoint, path) && !Object.values(endpoint.identity ?? {}).includes(path);
    if (mayRefuse(slice, mutated) !== undefined || (NAMING.includes(slice.dataset) && !isPlain)) continue;
    const { lang: _, ...place } = slice;
    const request = toRequest({ ...place, lang: "en" }).replace(/[?&]lang=en/, "");
    const at = isPlain ? random.pick([slice.dataset, request]) : request;
    const lang = random.pick([undefined, undefined, "en" as const]);
    return { at, path, kind, how, draw, ...(lang && { lang }) };
  }
}

type Context = ReturnType<typeof contextsOf>[number];

/** The lists that records of other slices name heroes and votes of, in the order of the archive. */
const contextsOf = ({ clean }: MutatingUpstream) =>
  clean()
    .filter(({ slice }) => NAMING.includes(slice.dataset) && slice.lang === "en")
    .map(({ slice, body }) => ({ slice, records: unwrap(endpointOf(slice.dataset).wrapping, JSON.parse(body)) }))
    .sort((a, b) => (a.slice.dataset < b.slice.dataset ? -1 : 1));

const ANALYSTS = TABLES.filter(({ rows }) => rows);

/** A file in memory that holds the records of one body and their rows. */
function openDraft(contexts: readonly Context[]) {
  const db = new SQLite(":memory:");
  createTables(db);
  db.pragma("foreign_keys = OFF");
  db.exec(
    `INSERT INTO coverage (slice_id, dataset, slice, lang, status, records, stale, suspect)
     SELECT value, 'x', value, 'en', 'captured', 1, 0, 0 FROM json_each('[1, 2]')`,
  );
  const insertRecords = createRecordInserter(db);
  const selectRecords = db.prepare<[], string>("SELECT json FROM record ORDER BY position").pluck();
  const counts = ANALYSTS.map(({ name }) => ({
    name,
    count: db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck(),
  }));
  const known = new Map<string, Filled["rows"]>();

  /** Fills it, and empties it after the work: with what is stored, the rows of each table, and what did not fit. */
  function inside<R>(slice: Slice, body: string, work: (filled: Filled) => R): R {
    db.exec("SAVEPOINT pair");
    try {
      const tables = createDeriver(db);
      for (const context of contexts)
        if (context.slice.dataset !== slice.dataset) tables.add({ id: 1, slice: context.slice }, context.records);
      tables.add({ id: 2, slice }, insertRecords({ id: 2, slice }, [Buffer.from(body)]));
      const rows = new Map(counts.map(({ name, count }) => [name, count.get() ?? 0]));
      return work({ stored: selectRecords.all(), rows, misfits: tables.misfits() });
    } finally {
      db.exec("ROLLBACK TO pair; RELEASE pair");
    }
  }

  return {
    db,
    contexts,
    inside,
    /** How many rows of each table a clean body makes. */
    rowsOf(slice: Slice, clean: string) {
      const rows = known.get(sliceId(slice)) ?? inside(slice, clean, (filled) => filled.rows);
      known.set(sliceId(slice), rows);
      return rows;
    },
    [Symbol.dispose]: () => void db.close(),
  };
}

type Draft = ReturnType<typeof openDraft>;

interface Filled {
  stored: string[];
  rows: ReadonlyMap<string, number>;
  misfits: ReturnType<ReturnType<typeof createDeriver>["misfits"]>;
}

/** All that is wrong with what becomes of an odd body. */
function judge(pair: Pair, draft: Draft): string[] {
  const { slice, clean, mutated } = pair;
  const reason = mayRefuse(slice, mutated);
  const refused = refusalOf(slice, mutated);
  if (mayRefuse(slice, clean) !== undefined) return ["a clean body may be refused"];
  if (refused !== undefined) return reason === undefined ? [`refused without need: ${refused}`] : [];
  if (reason?.endsWith("is needed")) return ["taken without what is needed"];
  const before = draft.rowsOf(slice, clean);
  return draft.inside(slice, mutated, (filled) => [
    ...judgeArchive(pair, filled),
    ...judgeRows(draft, pair, filled),
    ...judgeLosses(pair, before, filled),
  ]);
}

function refusalOf(slice: Slice, text: string): string | undefined {
  const endpoint = endpointOf(slice.dataset);
  const body = Buffer.from(text);
  const headers = { "content-type": "application/json" };
  const verdict = validateResponse(endpoint, slice, { host: "", at: 0, status: 200, headers, body });
  if (!verdict.ok) return verdict.detail;
  const step = createSlicePages(endpoint).check(verdict, body);
  readSliceFacts(endpoint, verdict.records);
  return step.ok ? undefined : step.detail;
}

const sentRecords = ({ slice, mutated }: Pair) =>
  unwrap(endpointOf(slice.dataset).wrapping, parseBody(Buffer.from(mutated)));

/** The archive has it as it was sent, to the digit; what is hashed is what is stored. */
function judgeArchive(pair: Pair, { stored }: Filled): string[] {
  const wanted = answerRecords(endpointOf(pair.slice.dataset).wrapping, readJson(pair.mutated));
  const { sha256 } = createStatsCollector().add({ id: 2, slice: pair.slice }, sentRecords(pair));
  return [
    ...(isDeepStrictEqual(stored.map(readJson), wanted) ? [] : ["is stored otherwise"]),
    ...(sha256 === hashSlice(stored.map((text): unknown => JSON.parse(text))) ? [] : ["has another hash"]),
  ];
}

/** Rows refer to what is there, and hold nothing that no record says. */
function judgeRows({ db, contexts }: Draft, pair: Pair, { misfits }: Filled): string[] {
  const broken = db.pragma("foreign_key_check") as { table: string }[];
  const { slice } = pair;
  const known = new Set<unknown>([...Object.values(slice), Number(slice.days), Number(slice.subject), ...OWN]);
  for (const record of [...sentRecords(pair), ...contexts.flatMap(({ records }) => records)]) addScalars(record, known);
  const wrong = ANALYSTS.filter(({ rows = [] }) =>
    rows.some(({ datasets }) => datasets.includes(slice.dataset)),
  ).flatMap(({ name, columns }) => {
    const isCounted = misfits.some(({ kind, table_name: table }) => kind === "cut" && table === name);
    const rows = db.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw().all();
    return Object.keys(columns).flatMap((column, at) =>
      rows.flatMap((row) => {
        const fault = judgeCell(column, row[at], known, isCounted);
        return fault ? [`${name}.${column} ${fault}`] : [];
      }),
    );
  });
  // Coverage is not there.
  const isBroken = broken.some(({ table }) => table !== "record");
  return [...(isBroken ? ["rows refer to nothing"] : []), ...wrong.slice(0, 1)];
}

/** How long a text may be in a table, by its column. */
const MOST_CHARS: readonly [column: RegExp, chars: number][] = [
  [/(^|_)name$/, 200],
  [/^title$|_url$/, 2000],
  [/./, 65_536],
];

/** A cell says what was sent, or the beginning of what was longer than it may be. */
function judgeCell(column: string, cell: unknown, known: ReadonlySet<unknown>, isCounted: boolean): string | undefined {
  if (cell === null) return undefined;
  const most = MOST_CHARS.find(([pattern]) => pattern.test(column))?.[1] ?? 0;
  if (typeof cell === "string" && cell.length > most) return `has more than ${most} characters`;
  if (known.has(cell)) return undefined;
  const isCut =
    typeof cell === "string" &&
    cell.length === most &&
    known.values().some((sent) => typeof sent === "string" && sent.length > most && sent.startsWith(cell));
  if (!isCut) return "holds what was never sent";
  return isCounted ? undefined : "is cut, and that is not counted";
}

/** The words that tables say of their own: places, words for the publisher's numbers, sides and kinds. */
const OWN = [
  ...Array.from({ length: 1000 }, (_, place) => place),
  ...[...ROLES, ...LANES].flatMap(({ code, id }) => [code, id]),
  ...["assist", "strong", "weak", "best", "worst", "en", "ja"],
];

/** Every value of a record in the forms that a column may hold it in. */
function addScalars(value: unknown, known: Set<unknown>): void {
  const toNumber = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));
  if (typeof value === "number") known.add(value).add(String(value));
  else if (typeof value === "string") {
    const whole = value.toWellFormed().replaceAll("\0", "");
    known.add(whole).add(stripMarkup(whole)).add(toNumber(value));
    if (value.length < 1000) for (const part of value.split(/[^\w.+-]+/)) known.add(toNumber(part));
  } else if (value !== null && typeof value === "object")
    for (const inner of Object.values(value)) addScalars(inner, known);
}

/** Kinds that take rows away because the upstream says so: what is not there, what is empty, and known padding. */
const TAKES_AWAY = ["delete", "emptied", "empty-text", "zero", "minus-zero"];
/** Kinds that put what was said elsewhere: whole records and lists then say the same again, or less. */
const SAME_AGAIN = ["foreign", "collide"];
/** Rows that many records may say: where all name the same, the others are not said any more. */
const isShared = (table: string) => table === "tag" || table.endsWith("_text");

/** Each row that is gone is counted, unless the change means it. */
function judgeLosses({ slice, path, kind, clean }: Pair, before: ReadonlyMap<string, number>, filled: Filled) {
  const places = answerRecords(endpointOf(slice.dataset).wrapping, readJson(clean)).flatMap((one) =>
    partsAt(one, path),
  );
  const isContainer = places.some(({ value }) => typeof value === "object" && value !== null && !numberText(value));
  return [...filled.rows].flatMap(([table, count]) => {
    const lost = (before.get(table) ?? 0) - count;
    // A whole record that is another value, or is there twice, is counted once, and not for each list in it.
    const isWhole = path === "" || path === "data";
    const isCounted = filled.misfits.some(({ table_name: name }) => isWhole || name === table || name === "record");
    const isAgain = SAME_AGAIN.includes(kind) && (isContainer || isShared(table) || path.endsWith("[]"));
    // It is read as the numbers in a text or a list: there are none.
    const isNoNumber = ["empty-list", "null"].includes(kind) && path === "data.targetequipid";
    if (lost <= 0 || isCounted || isAgain || isNoNumber || TAKES_AWAY.includes(kind)) return [];
    return [`${table} loses ${lost} rows, none is counted`];
  });
}

/**
 * Why the records of an answer may be refused, in words; nothing where they must be taken. The fields come from the table, what is right in
 * them is said here once more, so that the crawl is not its own judge.
 */
function mayRefuse(slice: Slice, text: string): string | undefined {
  const { wrapping } = endpointOf(slice.dataset);
  const records = unwrap(wrapping, JSON.parse(text));
  const [data] = records;
  if (wrapping === "data" && (data === null || typeof data !== "object" || Array.isArray(data)))
    return "data is no object";
  return records.map((record) => mayRefuseRecord(slice, record)).find((reason) => reason !== undefined);
}

function mayRefuseRecord(slice: Slice, record: unknown): string | undefined {
  const endpoint = endpointOf(slice.dataset);
  const unmet = neededFields(endpoint)
    .filter((need) => !need.base || slice.lang === "en")
    .find((need) => !isMet(need, record, need.path));
  return unmet ? `${unmet.path} is needed` : findStrange(endpoint.identity ?? {}, slice, record);
}

function isMet(need: NeededField, node: unknown, path: string): boolean {
  const [first = "", ...rest] = path.split("[].");
  const value = readPath(node, first);
  if (rest.length === 0) return FITS[need.kind](value);
  if (!Array.isArray(value)) return false;
  const entries = value.filter((entry) => entry !== null && typeof entry === "object");
  return entries.every((entry) => isMet(need, entry, rest.join("[].")));
}

const isWhole = (value: unknown) =>
  (typeof value === "number" && Number.isSafeInteger(value)) ||
  (typeof value === "string" && /^-?(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value)));

/** 12, 12.0 and "12" are one word. */
function wordOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

const FITS: Record<NeededField["kind"], (value: unknown) => boolean> = {
  hero: (value) => isWhole(value) && Number(value) >= 1,
  id: isWhole,
  number: (value) => isWhole(value) || (typeof value === "number" && Number.isFinite(value)),
  word: (value) => wordOf(value) !== undefined,
  name: (value) => typeof value === "string",
  segment: (value) => /^[\w-]{1,64}$/.test(wordOf(value) ?? ""),
};

/** The values of these that are real: only another one of them says that the answer is another's. */
const REAL: Partial<Record<keyof Identity, readonly string[]>> = {
  road: LANES.map(({ id }) => id),
  bigrank: RANKS.map(({ bigrank }) => bigrank),
  match_type: ["0", "1"],
};

function findStrange(identity: Identity, slice: Slice, record: unknown): string | undefined {
  const asked: Record<keyof Identity, string | undefined> = {
    hero: slice.hero?.toString(),
    subject: slice.subject,
    road: LANES.find(({ code }) => code === slice.lane)?.id,
    bigrank: RANKS.find(({ code }) => code === slice.rank)?.bigrank,
    match_type: endpointOf(slice.dataset).matchType,
  };
  for (const [name, path] of Object.entries(identity) as [keyof Identity, string][]) {
    const [found, expected] = [wordOf(readPath(record, path)), asked[name]];
    if (found === undefined || expected === undefined || found === expected) continue;
    if (REAL[name]?.includes(found) ?? true) return `${path} is that of another ${name}`;
  }
  return undefined;
}
