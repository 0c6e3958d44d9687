import { existsSync, readFileSync, statSync } from "node:fs";
import type SQLite from "better-sqlite3";
import { EXIT, type ExitCode } from "../api/failure.ts";
import { hashFile } from "./durable.ts";
import { manifestOf } from "./folder.ts";
import { hashContent, hashSlice } from "./hash.ts";
import { sortBySlice } from "./order.ts";
import { pointerSchema } from "./publish.ts";
import { isPoor } from "./quality.ts";
import { readQuality } from "./summary.ts";
import type { Coverage, SnapshotTable } from "./tables.ts";
import { checkNotes } from "./texts/check.ts";

export interface Check {
  name: string;
  state: "ok" | "none" | "warning" | "FAILED";
  figure: string;
}

/** What the checks look at, read once. */
interface Subject {
  file: string;
  sha256: string;
  db: SQLite.Database;
  head: SnapshotTable;
  /** In the order of the content hash. */
  coverage: readonly Coverage[];
  /** By dataset and slice, from the records themselves. */
  held: ReadonlyMap<string, { records: number; sha256: string }>;
}

type Verdict = Omit<Check, "name">;

const COVERAGE = "coverage";

const CHECKS: [name: string, check: (subject: Subject) => Verdict][] = [
  ["whole file", checkIntegrity],
  ["foreign keys", checkForeignKeys],
  ["manifest", checkManifest],
  ["schema version", checkSchema],
  ["hash of each slice", checkSlices],
  ["content hash", checkContent],
  ["records", checkRecords],
  ["notes on texts", checkTextNotes],
  [COVERAGE, checkCoverage],
  ["texts", checkTexts],
];

/** Every check, also after one has failed. The database is that of `file`. */
export async function verifySnapshot(file: string, db: SQLite.Database): Promise<Check[]> {
  const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
  const rows = db.prepare<[], Coverage>("SELECT * FROM coverage").all();
  const coverage = sortBySlice(rows, ({ hero_id, ...parts }) => ({ ...parts, hero: hero_id }));
  const subject = { file, sha256: await hashFile(file), db, head, coverage, held: hashRecords(db) };
  return CHECKS.map(([name, check]) => ({ name, ...check(subject) }));
}

/** Holes are no damage: the file is what it says it is. */
export function exitOf(checks: readonly Check[]): ExitCode {
  const failed = checks.filter(({ state }) => state === "FAILED");
  if (failed.length === 0) return EXIT.done;
  return failed.every(({ name }) => name === COVERAGE) ? EXIT.incomplete : EXIT.usage;
}

const judge = (fits: boolean, figure: string): Verdict => ({ state: fits ? "ok" : "FAILED", figure });
const idOf = ({ dataset, slice }: { dataset: string; slice: string }) => `${dataset} ${slice}`;
const short = (hash: string) => hash.slice(0, 16);

function checkIntegrity({ file, db }: Subject): Verdict {
  const damage = String(db.pragma("integrity_check(1)", { simple: true }));
  return judge(damage === "ok", damage === "ok" ? `${statSync(file).size} bytes` : damage);
}

function checkForeignKeys({ db }: Subject): Verdict {
  const broken = db.pragma("foreign_key_check") as { table: string }[];
  const [first] = broken;
  return judge(!first, first ? `${broken.length} broken, the first in ${first.table}` : "0 broken");
}

function checkManifest({ file, sha256, head }: Subject): Verdict {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return { state: "none", figure: "no manifest beside the file" };
  const found = { version: head.version, content_hash: head.content_hash, sha256, size: statSync(file).size };
  try {
    const manifest = pointerSchema.parse(JSON.parse(readFileSync(beside, "utf8")));
    const names = Object.keys(found) as (keyof typeof found)[];
    const wrong = names.find((name) => manifest[name] !== found[name]);
    if (!wrong) return judge(true, `sha256 ${short(sha256)}…, ${found.size} bytes`);
    return judge(false, `${wrong} is ${found[wrong]}, the manifest says ${manifest[wrong]}`);
  } catch {
    return judge(false, "the file beside it is not a manifest");
  }
}

function checkSchema({ db, head }: Subject): Verdict {
  const version = Number(db.pragma("user_version", { simple: true }));
  const inside = [Math.floor(version / 10_000), Math.floor(version / 100) % 100, version % 100].join(".");
  const same = inside === head.schema_version;
  return judge(same, same ? inside : `${head.schema_version}, but user_version says ${inside}`);
}

function checkSlices({ coverage, held }: Subject): Verdict {
  const hashed = coverage.filter(({ sha256 }) => sha256 !== null);
  return judgeSlices(
    hashed.length,
    "slices",
    hashed.filter((row) => row.sha256 !== hashOf(held, row)),
  );
}

function checkContent({ head, coverage, held }: Subject): Verdict {
  const hash = hashContent(coverage.map((row) => ({ ...row, sha256: row.sha256 && hashOf(held, row) })));
  const same = hash === head.content_hash;
  return judge(same, same ? `${short(hash)}…` : `${short(hash)}…, the file says ${short(head.content_hash)}…`);
}

function checkRecords({ coverage, held }: Subject): Verdict {
  const known = new Set(coverage.map(idOf));
  const strays = [...held.keys()].filter((id) => !known.has(id));
  const total = [...held.values()].reduce((sum, { records }) => sum + records, 0);
  if (strays.length > 0) return judge(false, `${strays.length} slices without coverage, the first is ${strays[0]}`);
  const wrong = coverage.filter((row) => {
    const records = held.get(idOf(row))?.records ?? 0;
    return records !== row.records || records > 0 !== (row.status === "captured");
  });
  return judgeSlices(total, "records", wrong);
}

function checkTextNotes({ db, coverage }: Subject): Verdict {
  try {
    const found = checkNotes(db, coverage);
    if (!found) return { state: "none", figure: "of a schema before 1.4" };
    return judge(
      !found.wrong,
      found.wrong ? `others than a build makes, first ${found.wrong}` : `${found.noted} records`,
    );
  } catch (error) {
    return judge(false, (error as Error).message);
  }
}

function checkCoverage({ coverage }: Subject): Verdict {
  const { length: missing } = coverage.filter(({ status }) => status === "failed");
  return judge(missing === 0, `${missing} of ${coverage.length} slices missing`);
}

function checkTexts({ db }: Subject): Verdict {
  const quality = readQuality(db);
  const poor = quality.filter(isPoor);
  if (poor.length > 0) return { state: "warning", figure: `${poor.length} of ${quality.length} are poor` };
  return judge(true, `${quality.reduce((sum, { texts }) => sum + texts, 0)} texts`);
}

function judgeSlices(total: number, what: string, wrong: readonly Coverage[]): Verdict {
  const [first] = wrong;
  return judge(!first, first ? `${wrong.length} slices differ, the first is ${idOf(first)}` : `${total} ${what}`);
}

const NOTHING = hashSlice([]);
const hashOf = (held: Subject["held"], row: Coverage) => held.get(idOf(row))?.sha256 ?? NOTHING;

function hashRecords(db: SQLite.Database): Subject["held"] {
  const held = new Map<string, { records: number; sha256: string }>();
  const rows = db.prepare<[], { dataset: string; slice: string; texts: string }>(
    `SELECT dataset, slice, json_group_array(json ORDER BY position) AS texts FROM record GROUP BY dataset, slice`,
  );
  for (const row of rows.iterate()) {
    const texts = JSON.parse(row.texts) as string[];
    held.set(idOf(row), { records: texts.length, sha256: hashTexts(texts) });
  }
  return held;
}

function hashTexts(texts: readonly string[]): string {
  try {
    return hashSlice(texts.map((text): unknown => JSON.parse(text)));
  } catch {
    return "not JSON";
  }
}
