import type { Command } from "commander";
import { LANG_CODES, type Lang } from "../../../src/api/enumerations.ts";
import { EXIT, Failure } from "../../../src/api/failure.ts";
import { FILE_DATASETS } from "../../../src/extra/nights/api-files/plan.ts";
import { FORMATS, type Format } from "../../../src/extra/nights/export/export.ts";
import { TABLE_NAMES, VIEW_NAMES } from "../../../src/extra/nights/export/tables.ts";
import { dataFolder, defineCommand, flag, option, words } from "../command.ts";
import { jsonFlag } from "./json.ts";

export interface ExportFlags {
  data: string;
  format: Format | typeof SQLITE | typeof API;
  out: string;
  tables?: string[];
  views: boolean;
  partition: boolean;
  all: boolean;
  byMonth: boolean;
  languages?: Lang[];
  spreadsheet: boolean;
  separator: keyof typeof SEPARATORS | undefined;
  decimal: "." | ",";
  datasets?: string[];
  json: boolean;
}

/** The format of analysts' files, one for each snapshot. */
export const SQLITE = "sqlite";
/** The format of the files of a static host, which are those of one snapshot. */
export const API = "api";
const SEPARATORS = { ",": ",", ";": ";", tab: "\t" } as const;

/** The formats that an option is for. An option that is not here is for all of them. */
const FOR: Record<string, readonly string[]> = {
  ...{ tables: FORMATS, views: FORMATS, partition: FORMATS, all: FORMATS, byMonth: FORMATS },
  ...{ spreadsheet: ["csv"], separator: ["csv"], decimal: ["csv"] },
  ...{ languages: [...FORMATS, API], datasets: [API] },
};
/** Options that parts of a data set do not take: readers expect all parts of a table to be written in one way. */
const NOT_FOR_PARTS = ["languages", "separator", "decimal"];

export const defineExport = () =>
  defineCommand("export", {
    Files: [
      dataFolder(),
      option("--out <dir>", "folder to write to").makeOptionMandatory(),
      option("--format <format>", "how to write them")
        .choices([...FORMATS, SQLITE, API])
        .default("parquet"),
      words("--languages <codes>", "only rows in these languages; with --format api in English too", LANG_CODES),
      jsonFlag(),
    ],
    Tables: [
      words("--tables <names>", "only these tables and views (default: all tables except the archive, record)", [
        ...TABLE_NAMES,
        ...VIEW_NAMES,
      ]),
      flag("--views", "all views too"),
      flag("--partition", "write to table=…/snapshot_date=…/, for many nights in one data set"),
      flag("--all", "every published night that is missing or has changed (with --partition)"),
      flag("--by-month", "with --all: the history instead, to table=…/month=…/, each month once"),
    ],
    "With --format csv": [
      flag(
        "--spreadsheet",
        "for Excel and LibreOffice: with a byte order mark, a ' before texts that would run as formulas, and without control characters (default: the exact data)",
      ),
      option("--separator <sign>", "between values (default: , but ; with --decimal ,)").choices(
        Object.keys(SEPARATORS),
      ),
      option("--decimal <sign>", "sign of decimals").choices([".", ","]).default("."),
    ],
    "With --format api": [
      words(
        "--datasets <names>",
        "only these datasets, with all ranks and windows (default: lists, rank, details, and a week of counters and compatibility over all ranks)",
        FILE_DATASETS,
      ),
    ],
  }).argument("[snapshots...]", "versions, files or URLs (default: the latest)");

/** Refuses options of the command line that are for others. A variable may be for others: it does nothing here. */
export function refuseOthers({ format, ...flags }: ExportFlags, command: Command): ExportFlags {
  const kept: ExportFlags = { ...flags, format };
  const refuse = (name: string, what: string, hint: string) => {
    if (command.getOptionValueSource(name) === "cli")
      throw new Failure(EXIT.usage, `--${toKebab(name)} is not for ${what}`, hint);
    if (command.getOptionValueSource(name) === "env") Object.assign(kept, { [name]: defaultOf(command, name) });
  };
  for (const [name, formats] of Object.entries(FOR)) {
    const other = formats.length > 1 ? "name a format of tables with --format" : `add --format ${formats}`;
    if (!formats.includes(format)) refuse(name, format, `leave it out, or ${other}`);
  }
  const parts = kept.byMonth ? "--by-month" : kept.partition && "--partition";
  if (parts) for (const name of NOT_FOR_PARTS) refuse(name, parts, "leave one of them out");
  return kept;
}

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const defaultOf = ({ options }: Command, name: string): unknown =>
  options.find((one) => one.attributeName() === name)?.defaultValue;

/** The form of a CSV file. If decimals have a comma, a semicolon separates values, as spreadsheets expect. */
export function toCsvForm({
  spreadsheet,
  separator,
  decimal,
}: Pick<ExportFlags, "spreadsheet" | "separator" | "decimal">) {
  if (separator === decimal) {
    const hint = "leave --separator out, or take ; or tab";
    throw new Failure(EXIT.usage, "--separator and --decimal cannot be the same", hint);
  }
  return { spreadsheet, decimal, separator: SEPARATORS[separator ?? (decimal === "," ? ";" : ",")] };
}
