import { statSync } from "node:fs";
import { BASE_LANG, LANG_CODES } from "../src/api/enumerations.ts";
import { EXIT, Failure, isDiskFull } from "../src/api/failure.ts";
import { hashFile } from "../src/base/files.ts";
import { countOf } from "../src/base/words.ts";
import { writeApiFiles } from "../src/extra/nights/api-files/api-files.ts";
import { LOCK_OF_API } from "../src/extra/nights/api-files/folder.ts";
import { exportAnalystsFile } from "../src/extra/nights/export/analysts.ts";
import { refuseForeignPackage } from "../src/extra/nights/export/data-package.ts";
import {
  type ExportOptions,
  type ExportResult,
  exportSnapshot,
  type Format,
} from "../src/extra/nights/export/export.ts";
import { exportMonths, refuseParts } from "../src/extra/nights/export/months.ts";
import { setForeignAside } from "../src/extra/nights/export/part-index.ts";
import { removeVersion } from "../src/extra/nights/export/partition.ts";
import { planExport } from "../src/extra/nights/export/plan.ts";
import { packageParts, readHead } from "../src/extra/nights/export/table-package.ts";
import { DEFAULT_TABLES, VIEW_NAMES } from "../src/extra/nights/export/tables.ts";
import { historyFile } from "../src/extra/nights/history/open.ts";
import { openSource } from "../src/extra/nights/source.ts";
import { lockExport, lockHistory } from "../src/journal/lock.ts";
import { hintWithoutSnapshot, snapshotFile } from "../src/snapshot/published/folder.ts";
import type { Manifest } from "../src/snapshot/published/manifest.ts";
import { readPointer } from "../src/snapshot/published/pointer.ts";
import type { SnapshotTable } from "../src/snapshot/schema/row-types.ts";
import { SCHEMA_VERSION } from "../src/snapshot/schema/version.ts";
import { createMain, runMain } from "./cli/command.ts";
import { listStanding } from "./cli/folder.ts";
import { API, defineExport, type ExportFlags, refuseOthers, SQLITE, toCsvForm } from "./cli/options/export.ts";
import { complain, createTeller, type Teller } from "./cli/say.ts";

type Told = ExportOptions & { tell: Teller };

export const main = createMain(defineExport, async (given: ExportFlags, command) => {
  const flags = refuseOthers(given, command);
  try {
    return await exportAs(flags, command.args);
  } catch (error) {
    // What writes to an open file does not name it.
    if (isDiskFull(error))
      throw Object.assign(error as object, { path: (error as { path?: string }).path ?? flags.out });
    throw error;
  }
});

async function exportAs({ format, ...flags }: ExportFlags, named: string[]) {
  const tell = createTeller(flags.json);
  if (format === API) return exportApi({ ...flags, tell }, named);
  if (format === SQLITE) return exportAnalysts({ ...flags, tell }, named);
  if (flags.byMonth) return exportByMonth({ ...flags, format, tell }, named);
  return exportTables({ ...flags, format, tell }, named);
}

async function exportApi(
  { data, out, languages = [], datasets, tell }: Omit<ExportFlags, "format"> & Pick<Told, "tell">,
  named: string[],
) {
  const names = named.length > 0 ? named : listLatest(data);
  if (names.length > 1)
    throw new Failure(EXIT.usage, `${names.length} snapshots cannot share one folder of files`, "name one snapshot");
  const [name] = names;
  if (name === undefined) throw noNight(data);
  using source = await openSource(data, name);
  const begun = performance.now();
  using _ = lockExport(out, LOCK_OF_API);
  const langs = LANG_CODES.filter((lang) => lang === BASE_LANG || languages.includes(lang));
  const done = writeApiFiles(source.file, out, { languages: langs, datasets });
  const seconds = (performance.now() - begun) / 1000;
  const { files, bytes, written, removed, missing } = done;
  tell(
    "exported",
    { snapshot: name, files, bytes, written, removed, missing: missing.length, seconds },
    `${name}: ${files} files, ${bytes} bytes, ${written} written, ${removed} removed, ${seconds.toFixed(1)} s`,
    ...(missing.length > 0
      ? [`${name}: files are missing, index.json names them with reasons, in ${missing.length} lines`]
      : []),
  );
  return EXIT.done;
}

async function exportAnalysts(
  { data, out, tell }: Pick<ExportFlags, "data" | "out"> & Pick<Told, "tell">,
  named: string[],
) {
  const names = named.length > 0 ? named : listLatest(data);
  if (names.length === 0) throw noNight(data);
  for (const name of names) {
    using source = await openSource(data, name);
    const begun = performance.now();
    using _ = lockExport(out, ".lock-sqlite");
    const { version, file, bytes } = exportAnalystsFile(source.file, out);
    const [size, seconds] = [statSync(source.file).size, (performance.now() - begun) / 1000];
    tell(
      "exported",
      { snapshot: name, version, file, bytes, seconds },
      `${name}: ${file}, ${bytes} bytes from ${size}, ${seconds.toFixed(1)} s`,
    );
  }
  return EXIT.done;
}

async function exportTables(
  {
    data,
    tables = DEFAULT_TABLES,
    views,
    all,
    spreadsheet,
    separator,
    decimal,
    ...flags
  }: ExportFlags & { format: Format } & Pick<Told, "tell">,
  named: string[],
) {
  if (all && named.length > 0)
    throw new Failure(EXIT.usage, "--all is for all nights of a folder, and others are named", "leave one out");
  const form = toCsvForm({ spreadsheet, separator, decimal });
  const options: Told = { ...flags, ...form, tables: [...new Set([...tables, ...(views ? VIEW_NAMES : [])])] };
  const { standing, withdrawn } = all ? listStanding(data) : noNights;
  const names = all ? standing.map(({ version }) => version) : named.length > 0 ? named : listLatest(data);
  if (names.length > 1 && !options.partition) {
    const message = `${names.length} snapshots cannot share one file per table`;
    throw new Failure(EXIT.usage, message, "add --partition, or name one snapshot");
  }
  refuseForeignPackage(options.out);
  using _ = lockExport(options.out, `.lock-${options.format}`);
  if (options.partition) {
    refuseParts(options.out, "month=", "by month");
    tellOfForeignIndex(options);
  }
  const heads: SnapshotTable[] = [];
  if (all && options.partition) heads.push(...(await exportDue(data, standing, options)));
  else for (const name of names) heads.push(await exportOne(data, name, options));
  tellOfWithdrawn(withdrawn, options);
  if (names.length > 0 && options.partition) packageParts(options.out, options.format, heads);
  if (names.length > 0) return EXIT.done;
  throw noNight(data);
}

async function exportByMonth(
  { data, tables = DEFAULT_TABLES, views, all, tell, ...flags }: ExportFlags & { format: Format } & Pick<Told, "tell">,
  named: string[],
) {
  if (!all || named.length > 0 || views)
    throw new Failure(EXIT.usage, "--by-month is for all nights of a history", "add --all, without --views");
  using _ = lockExport(flags.out, `.lock-${flags.format}`);
  using _history = lockHistory(historyFile(data));
  const { out, format } = flags;
  const options: ExportOptions = { out, format, partition: true, tables, ...toCsvForm(flags) };
  const there = exportMonths(data, options, (done) =>
    tell("exported", { ...done }, `${done.month}: ${done.tables} tables, ${done.rows} rows, ${done.bytes} bytes`),
  );
  if (there > 0) tell("there-already", { there }, `${countOf(there, "month")} there already`);
  return EXIT.done;
}

const noNight = (data: string) =>
  new Failure(
    EXIT.usage,
    `${data}: holds no published night`,
    hintWithoutSnapshot(data, "publish one with `npm run crawl`, or name a file"),
  );

const noNights: ReturnType<typeof listStanding> = { standing: [], withdrawn: [] };

function listLatest(data: string): string[] {
  const pointer = readPointer(data);
  return pointer ? [snapshotFile(data, pointer.version)] : [];
}

/** Exports what is not there yet or has changed, of all nights. Returns the head of the newest, also if nothing was due. */
async function exportDue(data: string, standing: readonly Manifest[], options: Told) {
  const { write, there, leftOut } = planExport(data, standing, options);
  const { tell } = options;
  for (const { version, later } of leftOut)
    tell("left-out", { version, later }, `${version}: is skipped, ${later} is the later one of its day`);
  for (const { version, tables } of write) await exportOne(data, version, { ...options, tables });
  const { length: nights } = standing;
  if (there > 0) tell("there-already", { there, nights }, `${there} of ${nights} nights are there already`);
  return standing.slice(-1).map(({ version }) => readHead(snapshotFile(data, version)));
}

async function exportOne(data: string, name: string, options: Told) {
  using source = await openSource(data, name);
  const begun = performance.now();
  const sha256 = options.partition ? await hashFile(source.file) : undefined;
  const done = exportSnapshot(source.file, { ...options, ...(sha256 && { sha256 }) });
  report(options.tell, name, done, statSync(source.file).size, (performance.now() - begun) / 1000);
  return done.head;
}

function tellOfForeignIndex({ out, format }: ExportOptions) {
  const { file, aside } = setForeignAside(out, format) ?? {};
  if (file) complain(`${file}: is no index of an export, and is now ${aside}; what is exported is written again`);
}

/** Tells of withdrawn nights, which are taken out where they are. A night of the same day has taken the place of some by now. */
function tellOfWithdrawn(withdrawn: readonly Manifest[], { out, format, partition }: ExportOptions) {
  for (const { version } of withdrawn) {
    const tables = partition ? removeVersion(out, version, format) : 0;
    const done = tables > 0 ? `is taken out of ${tables} tables` : "is left out";
    complain(`${version}: was withdrawn, and ${done}; name it to have it`);
  }
}

function report(tell: Teller, name: string, done: ExportResult, size: number, seconds: number) {
  const { version, schema, day, exported, failedSlices, missingTables, replaced } = done;
  const sum = (what: "rows" | "bytes") => exported.reduce((total, file) => total + file[what], 0);
  const [rows, bytes] = [sum("rows"), sum("bytes")];
  const facts = { tables: exported.length, rows, bytes, failed_slices: failedSlices, missing_tables: missingTables };
  tell(
    "exported",
    { snapshot: name, version, ...facts, replaced: replaced.map((other) => other.version), seconds },
    `${name}: ${exported.length} tables, ${rows} rows, ${bytes} bytes from ${size}, ${seconds.toFixed(1)} s`,
    ...(failedSlices > 0 ? [`${name}: lacks ${failedSlices} answers, the table coverage names them`] : []),
    ...(missingTables.length > 0
      ? [
          `${name}: is of schema ${schema} and lacks ${missingTables.join(", ")} of ${SCHEMA_VERSION}, which are left out`,
        ]
      : []),
    ...replaced.map((other) => `${version} takes the place of ${other.version} on ${day}, in ${other.tables} tables`),
  );
}

if (import.meta.main) await runMain(main);
