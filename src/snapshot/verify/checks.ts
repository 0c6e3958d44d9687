import type SQLite from "better-sqlite3";
import { sliceName } from "../../api/endpoint.ts";
import { EXIT, type ExitCode } from "../../api/failure.ts";
import { isFault } from "../../api/faults.ts";
import { toSlice } from "../build/coverage-cells.ts";
import { hashArchive, hashContent } from "../build/hashes.ts";
import { isPoor } from "../build/quality.ts";
import type { Pointer } from "../published/pointer.ts";
import { readQuality } from "../read/summary.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { toVersion } from "../schema/version.ts";
import { countNeverAsked, describeAges, findWrongTime, isIsoTime } from "./ages.ts";
import { findOddCode, readArchivedSlices } from "./archive.ts";
import { compareTables } from "./compare.ts";
import type { Rebuilt } from "./rebuild.ts";

export interface Check {
  name: string;
  state: "ok" | "none" | "warning" | "FAILED";
  figure: string;
}

/** The facts of a file in a pointer or a manifest. */
export type ExpectedFile = Pick<Pointer, "version" | "content_hash" | "sha256" | "size">;

/** The input of all checks, read once. */
export interface CheckInput {
  db: SQLite.Database;
  /** SQLite's report on pages and indexes; `ok` if they are intact. */
  damage: string;
  size: number;
  sha256: string;
  head: SnapshotTable;
  coverage: readonly Coverage[];
  /** The tables made again; a reason if this program cannot make them; undefined if whoever asks takes them as they are. */
  rebuilt: Rebuilt | string | undefined;
  /** Undefined where no manifest is beside the file; a reason where it cannot be read. */
  expected: ExpectedFile | string | undefined;
}

type CheckResult = Omit<Check, "name">;

const MAX_AGES = "max ages";
const MANIFEST = "manifest";
const DAY_MS = 24 * 3_600_000;

/** Undefined if it is of no interest here. */
type RunCheck = (subject: CheckInput) => CheckResult | undefined;

/** The check of a file that was made again. Who only reads it takes its tables as they are: a stranger can make up records for them. */
const ofRebuilt =
  (check: (subject: CheckInput, rebuilt: Rebuilt) => CheckResult): RunCheck =>
  (subject) =>
    typeof subject.rebuilt === "string"
      ? { state: "none", figure: subject.rebuilt }
      : subject.rebuilt && check(subject, subject.rebuilt);

const CHECKS: [name: string, check: RunCheck][] = [
  ["whole file", checkIntegrity],
  ["codes", checkCodes],
  ["foreign keys", checkForeignKeys],
  [MANIFEST, checkManifest],
  ["schema version", checkSchema],
  ["time", checkTime],
  ["hash of each slice", ofRebuilt(checkSlices)],
  ["content hash", checkContent],
  ["archive hash", checkArchive],
  ["records", checkRecords],
  ["notes on texts", ofRebuilt(checkTextNotes)],
  ["tables made again", ofRebuilt(checkTables)],
  ["coverage", checkCoverage],
  ["ages", checkAges],
  ["texts", checkTexts],
];

/** Runs every check, also after one has failed. */
export const check = (subject: CheckInput): Check[] =>
  CHECKS.flatMap(([name, one]) => {
    const result = one(subject);
    return result ? [{ name, ...result }] : [];
  });

/** True if there was a manifest to compare the file with. */
export const hasManifest = (checks: readonly Check[]): boolean =>
  checks.some(({ name, state }) => name === MANIFEST && state !== "none");

/** Answers that are too old, or no manifest to compare with, are `incomplete`; any other failed check is `usage`. */
export function exitOf(checks: readonly Check[]): ExitCode {
  const failed = checks.filter(({ state }) => state === "FAILED");
  if (failed.some(({ name }) => name !== MAX_AGES)) return EXIT.usage;
  return failed.length === 0 && hasManifest(checks) ? EXIT.done : EXIT.incomplete;
}

/** Checks that answers are not older than was allowed; `tooOld` has a line for each endpoint that is. */
export const checkMaxAges = (tooOld: readonly string[]): Check => ({
  name: MAX_AGES,
  ...toResult(tooOld.length === 0, tooOld.join("; ") || "none is older"),
});

const toResult = (passed: boolean, figure: string): CheckResult => ({ state: passed ? "ok" : "FAILED", figure });
const short = (hash: string) => hash.slice(0, 16);

function checkIntegrity({ damage, size }: CheckInput): CheckResult {
  return toResult(damage === "ok", damage === "ok" ? `${size} bytes` : damage);
}

function checkForeignKeys({ db }: CheckInput): CheckResult {
  const broken = db.pragma("foreign_key_check") as { table: string }[];
  const [first] = broken;
  return toResult(!first, first ? `${broken.length} broken, the first in ${first.table}` : "0 broken");
}

function checkManifest({ expected, sha256, size, head }: CheckInput): CheckResult {
  if (expected === undefined) return { state: "none", figure: "no manifest beside the file" };
  if (typeof expected === "string") return toResult(false, expected);
  const actual: ExpectedFile = { version: head.version, content_hash: head.content_hash, sha256, size };
  const names = Object.keys(actual) as (keyof ExpectedFile)[];
  const wrong = names.find((name) => expected[name] !== actual[name]);
  if (!wrong) return toResult(true, `sha256 ${short(sha256)}…, ${size} bytes`);
  return toResult(false, `${wrong} is ${actual[wrong]}, the manifest says ${expected[wrong]}`);
}

function checkSchema({ db, head }: CheckInput): CheckResult {
  const inside = toVersion(Number(db.pragma("user_version", { simple: true })));
  const same = inside === head.schema_version;
  return toResult(same, same ? inside : `${head.schema_version}, but user_version says ${inside}`);
}

function checkCodes({ db }: CheckInput): CheckResult {
  const odd = findOddCode(db);
  return toResult(odd === undefined, odd ?? "words and numbers");
}

/** A start that has not come yet is of a wrong clock, there or here: the order of nights does not follow from it. A day is left for that. */
function checkTime({ head: { started_at } }: CheckInput): CheckResult {
  const time = Date.parse(started_at);
  if (!isIsoTime(started_at)) return toResult(false, `started_at is not a time: ${started_at}`);
  if (time < Date.now() + DAY_MS) return toResult(true, started_at);
  return { state: "warning", figure: `${started_at} is later than the clock here` };
}

function checkSlices({ coverage }: CheckInput, { stats }: Rebuilt): CheckResult {
  const hashed = coverage.filter(({ sha256 }) => sha256 !== null);
  return toSlicesResult(
    hashed.length,
    "slices",
    hashed.filter((row) => row.sha256 !== stats.get(row.slice_id)?.sha256),
  );
}

function checkContent({ head, coverage }: CheckInput): CheckResult {
  const hash = hashContent(coverage);
  const same = hash === head.content_hash;
  return toResult(same, same ? `${short(hash)}…` : `${short(hash)}…, the file says ${short(head.content_hash)}…`);
}

function checkArchive({ db, head }: CheckInput): CheckResult {
  const hash = hashArchive(db, head);
  const same = hash === head.archive_hash;
  return toResult(same, same ? `${short(hash)}…` : `${short(hash)}…, the file says ${short(head.archive_hash)}…`);
}

function checkRecords({ db, coverage }: CheckInput): CheckResult {
  const archived = readArchivedSlices(db);
  const total = [...archived.values()].reduce((sum, { records }) => sum + records, 0);
  const covered = coverage.reduce((sum, row) => sum + (archived.get(row.slice_id)?.records ?? 0), 0);
  const wrong = coverage.filter((row) => {
    const { records, is_sound } = archived.get(row.slice_id) ?? { records: 0, is_sound: 1 };
    return is_sound !== 1 || records !== row.records || records > 0 !== (row.status === "captured");
  });
  if (wrong.length === 0 && covered !== total) return toResult(false, `${total - covered} of no slice that has any`);
  return toSlicesResult(total, "records", wrong);
}

function checkTextNotes(_: CheckInput, { noted, wrongNote }: Rebuilt): CheckResult {
  return toResult(!wrongNote, wrongNote ? `others than a build makes, first ${wrongNote}` : `${noted} records`);
}

function checkTables({ db }: CheckInput, rebuilt: Rebuilt): CheckResult {
  const { rows, difference } = compareTables(db, rebuilt.db);
  return toResult(!difference, difference ? `not what the records give: ${difference}` : `${rows} rows`);
}

/** Passes a slice that is missing, as long as the file says so. */
function checkCoverage({ coverage }: CheckInput): CheckResult {
  const silent = coverage.find(({ status, reason }) => status === "failed" && reason === null);
  if (silent) return toResult(false, `${sliceName(toSlice(silent))} is missing, and nothing says why`);
  const missing = coverage.filter(({ reason }) => isFault(reason) || reason === "left-out");
  const { length: holes } = missing.filter(({ status }) => status === "failed");
  const figure = `${holes} of ${coverage.length} slices missing, ${missing.length - holes} carried over`;
  return missing.length === 0 ? toResult(true, figure) : { state: "warning", figure };
}

function checkAges({ head, coverage }: CheckInput): CheckResult {
  const wrong = findWrongTime(head, coverage);
  if (wrong !== undefined) return toResult(false, wrong);
  const ages = describeAges(coverage, Date.now());
  const never = head.rolling === 1 ? countNeverAsked(coverage) : 0;
  if (never === 0) return toResult(true, ages);
  return { state: "warning", figure: `${never} of ${coverage.length} slices never asked, ${ages}` };
}

function checkTexts({ db }: CheckInput): CheckResult {
  const quality = readQuality(db);
  const poor = quality.filter(isPoor);
  if (poor.length > 0) return { state: "warning", figure: `${poor.length} of ${quality.length} are poor` };
  return toResult(true, `${quality.reduce((sum, { texts }) => sum + texts, 0)} texts`);
}

function toSlicesResult(total: number, what: string, wrong: readonly Coverage[]): CheckResult {
  const [first] = wrong;
  return toResult(
    !first,
    first ? `${wrong.length} slices differ, the first is ${sliceName(toSlice(first))}` : `${total} ${what}`,
  );
}
