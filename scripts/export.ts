import { statSync } from "node:fs";
import { EXIT, Failure } from "../src/api/failure.ts";
import { type ExportResult, exportSnapshot, FORMATS, type Format } from "../src/nights/export/export.ts";
import { removeVersion } from "../src/nights/export/partition.ts";
import { DEFAULT_TABLES, TABLE_NAMES } from "../src/nights/export/tables.ts";
import { openSource } from "../src/nights/source.ts";
import { latestFile } from "../src/snapshot/published/pointer.ts";
import { SCHEMA_VERSION } from "../src/snapshot/schema/version.ts";
import { createMain, dataFolder, defineCommand, flag, option, runMain, words } from "./cli/command.ts";
import { complain, say } from "./cli/say.ts";
import { listStanding } from "./cli/standing.ts";

interface ExportFlags {
  data: string;
  format: Format;
  out: string;
  tables?: string[];
  partition: boolean;
  all: boolean;
  spreadsheet: boolean;
}

const defineExport = () =>
  defineCommand("export")
    .argument("[snapshots...]", "versions, files or URLs (default: the latest)")
    .addOption(dataFolder())
    .addOption(option("--format <format>", "how to write them").choices(FORMATS).default("parquet"))
    .addOption(option("--out <dir>", "folder to write to").makeOptionMandatory())
    .addOption(words("--tables <names>", "only these (default: all but the archive, record)", TABLE_NAMES))
    .addOption(flag("--partition", "as table=…/snapshot_date=…/, for many nights in one data set"))
    .addOption(flag("--all", "every published snapshot (with --partition)"))
    .addOption(
      flag(
        "--spreadsheet",
        "with --format csv: texts that a spreadsheet would run as formulas get a ' in front, control characters are left out (default: the exact data)",
      ),
    );

export const main = createMain(
  defineExport,
  async ({ data, tables = DEFAULT_TABLES, all, ...options }: ExportFlags, { args: named }) => {
    const names = all ? chooseAll(data, options) : named.length > 0 ? named : [latestFile(data)];
    if (names.length !== 1 && !options.partition) {
      const message = `${names.length} snapshots cannot be one file a table`;
      throw new Failure(EXIT.usage, message, "add --partition, or name one snapshot");
    }
    if (options.spreadsheet && options.format !== "csv")
      throw new Failure(EXIT.usage, `--spreadsheet is not for ${options.format}`, "add --format csv, or leave it out");
    for (const name of names) {
      using source = await openSource(data, name);
      const begun = performance.now();
      report(
        name,
        exportSnapshot(source.file, { ...options, tables }),
        statSync(source.file).size,
        performance.now() - begun,
      );
    }
    return EXIT.done;
  },
);

/** All published nights but those that were withdrawn, which are taken out where they are. */
function chooseAll(data: string, { out, format, partition }: Pick<ExportFlags, "out" | "format" | "partition">) {
  const { standing, withdrawn } = listStanding(data);
  for (const version of withdrawn) {
    const tables = partition ? removeVersion(out, version, format) : 0;
    const done = tables > 0 ? `is taken out of ${tables} tables` : "is left out";
    complain(`${version}: was withdrawn, and ${done}; name it to have it`);
  }
  return standing;
}

function report(name: string, done: ExportResult, size: number, milliseconds: number) {
  const { version, schema, day, exported, failedSlices, missingColumns, replaced } = done;
  const sum = (what: "rows" | "bytes") => exported.reduce((total, file) => total + file[what], 0);
  const seconds = (milliseconds / 1000).toFixed(1);
  say(`${name}: ${exported.length} tables, ${sum("rows")} rows, ${sum("bytes")} bytes from ${size}, ${seconds} s`);
  if (failedSlices > 0) say(`${name}: lacks ${failedSlices} answers, the table coverage names them`);
  if (missingColumns.length > 0)
    say(
      `${name}: is of schema ${schema} and lacks ${missingColumns.join(", ")} of ${SCHEMA_VERSION}, which are left out`,
    );
  for (const other of replaced)
    say(`${version} takes the place of ${other.version} on ${day}, in ${other.tables} tables`);
}

if (import.meta.main) await runMain(main);
