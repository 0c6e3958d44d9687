import type SQLite from "better-sqlite3";
import { EXIT, type ExitCode } from "../../api/failure.ts";
import { hashContent } from "../build/hash.ts";
import { isPoor } from "../build/quality.ts";
import type { Pointer } from "../published/pointer.ts";
import { findDamage, toVersion } from "../read/open.ts";
import { readQuality } from "../read/summary.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { compareTables } from "./compare.ts";
import { type Again, idOf } from "./rebuild.ts";

export interface Check {
  name: string;
  state: "ok" | "none" | "warning" | "FAILED";
  figure: string;
}

/** What is known of a file before it is opened: from a pointer, or from its manifest. */
export type Promised = Pick<Pointer, "version" | "content_hash" | "sha256" | "size">;

/** What the checks look at, read once. */
export interface Subject {
  db: SQLite.Database;
  size: number;
  sha256: string;
  head: SnapshotTable;
  /** In the order of the content hash. */
  coverage: readonly Coverage[];
  again: Again;
  /** Nothing where no manifest is beside the file; the reason where it is none. */
  promised: Promised | string | undefined;
}

type Verdict = Omit<Check, "name">;

const COVERAGE = "coverage";
const MANIFEST = "manifest";
const DAY = 24 * 3_600_000;

const CHECKS: [name: string, check: (subject: Subject) => Verdict][] = [
  ["whole file", checkIntegrity],
  ["foreign keys", checkForeignKeys],
  [MANIFEST, checkManifest],
  ["schema version", checkSchema],
  ["time", checkTime],
  ["hash of each slice", checkSlices],
  ["content hash", checkContent],
  ["archive hash", checkArchive],
  ["records", checkRecords],
  ["notes on texts", checkTextNotes],
  ["tables made again", checkTables],
  [COVERAGE, checkCoverage],
  ["texts", checkTexts],
];

/** Every check, also after one has failed. */
export const check = (subject: Subject): Check[] => CHECKS.map(([name, one]) => ({ name, ...one(subject) }));

/** Whether something beside the file said what it is to be. */
export const hasManifest = (checks: readonly Check[]): boolean =>
  checks.some(({ name, state }) => name === MANIFEST && state !== "none");

/** Holes are no damage: the file is what it says it is. Without a manifest only the file says so. */
export function exitOf(checks: readonly Check[]): ExitCode {
  const failed = checks.filter(({ state }) => state === "FAILED");
  if (failed.some(({ name }) => name !== COVERAGE)) return EXIT.usage;
  return failed.length === 0 && hasManifest(checks) ? EXIT.done : EXIT.incomplete;
}

const judge = (fits: boolean, figure: string): Verdict => ({ state: fits ? "ok" : "FAILED", figure });
const short = (hash: string) => hash.slice(0, 16);

function checkIntegrity({ db, size }: Subject): Verdict {
  const damage = findDamage(db, "integrity_check");
  return judge(damage === "ok", damage === "ok" ? `${size} bytes` : damage);
}

function checkForeignKeys({ db }: Subject): Verdict {
  const broken = db.pragma("foreign_key_check") as { table: string }[];
  const [first] = broken;
  return judge(!first, first ? `${broken.length} broken, the first in ${first.table}` : "0 broken");
}

function checkManifest({ promised, sha256, size, head }: Subject): Verdict {
  if (promised === undefined) return { state: "none", figure: "no manifest beside the file" };
  if (typeof promised === "string") return judge(false, promised);
  const found: Promised = { version: head.version, content_hash: head.content_hash, sha256, size };
  const names = Object.keys(found) as (keyof Promised)[];
  const wrong = names.find((name) => promised[name] !== found[name]);
  if (!wrong) return judge(true, `sha256 ${short(sha256)}…, ${size} bytes`);
  return judge(false, `${wrong} is ${found[wrong]}, the manifest says ${promised[wrong]}`);
}

function checkSchema({ db, head }: Subject): Verdict {
  const inside = toVersion(Number(db.pragma("user_version", { simple: true })));
  const same = inside === head.schema_version;
  return judge(same, same ? inside : `${head.schema_version}, but user_version says ${inside}`);
}

/** Nobody's clock is a day fast: what is from the future would be the newest for ever. */
function checkTime({ head: { started_at } }: Subject): Verdict {
  const time = Date.parse(started_at);
  const isTime = Number.isFinite(time) && new Date(time).toISOString() === started_at;
  if (!isTime) return judge(false, `started_at is no time: ${started_at}`);
  return judge(time < Date.now() + DAY, time < Date.now() + DAY ? started_at : `${started_at} is in the future`);
}

function checkSlices({ coverage, again: { found } }: Subject): Verdict {
  const hashed = coverage.filter(({ sha256 }) => sha256 !== null);
  return judgeSlices(
    hashed.length,
    "slices",
    hashed.filter((row) => row.sha256 !== found.get(idOf(row))?.sha256),
  );
}

function checkContent({ head, coverage, again: { found } }: Subject): Verdict {
  const hash = hashContent(
    coverage.map((row) => ({ ...row, sha256: row.sha256 && (found.get(idOf(row))?.sha256 ?? "none") })),
  );
  const same = hash === head.content_hash;
  return judge(same, same ? `${short(hash)}…` : `${short(hash)}…, the file says ${short(head.content_hash)}…`);
}

function checkArchive({ head: { archive_hash: said }, again: { archiveHash } }: Subject): Verdict {
  if (said === undefined) return { state: "none", figure: "of a schema before 1.5" };
  const same = said === archiveHash;
  return judge(same, same ? `${short(said)}…` : `${short(archiveHash)}…, the file says ${short(said)}…`);
}

function checkRecords({ db, coverage, again: { found } }: Subject): Verdict {
  const total = db.prepare<[], number>("SELECT count(*) FROM record").pluck().get() ?? 0;
  const covered = coverage.reduce((sum, row) => sum + (found.get(idOf(row))?.records ?? 0), 0);
  const wrong = coverage.filter((row) => {
    const records = found.get(idOf(row))?.records ?? 0;
    return records !== row.records || records > 0 !== (row.status === "captured");
  });
  if (wrong.length === 0 && covered !== total) return judge(false, `${total - covered} of no slice that has any`);
  return judgeSlices(total, "records", wrong);
}

function checkTextNotes({ again: { noted, wrongNote } }: Subject): Verdict {
  if (noted === undefined) return { state: "none", figure: "of a schema before 1.4" };
  return judge(!wrongNote, wrongNote ? `others than a build makes, first ${wrongNote}` : `${noted} records`);
}

function checkTables({ db, head, again }: Subject): Verdict {
  const { rows, difference } = compareTables(db, again.db, head.schema_version);
  return judge(!difference, difference ? `not what the records give: ${difference}` : `${rows} rows`);
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
