import { DAY_WINDOWS, LANG_CODES, RANK_CODES } from "../../../src/api/enumerations.ts";
import type { DiffOptions } from "../../../src/extra/nights/diff/diff.ts";
import { RATE_FILTERS } from "../../../src/extra/nights/diff/scope.ts";
import { COMPARED_TABLES } from "../../../src/extra/nights/diff/shared-tables.ts";
import { dataFolder, defineCommand, flag, number, words } from "../command.ts";
import { jsonFlag } from "./json.ts";

export interface DiffFlags {
  data: string;
  rank?: string[];
  days?: string[];
  rate?: string[];
  hero?: string[];
  lang?: string[];
  table?: string[];
  markdown: boolean;
  json: boolean;
  top: number;
}

const TABLE_NAMES = COMPARED_TABLES.map(({ name }) => name);

export const defineDiff = () =>
  defineCommand("diff", {
    Snapshots: [dataFolder()],
    Selection: [
      words("--rank <codes>", "only numbers of these ranks", RANK_CODES),
      words("--days <windows>", "only numbers of these windows, in days (0: no stated window)", ["0", ...DAY_WINDOWS]),
      words("--rate <columns>", "only these rates", RATE_FILTERS),
      words("--hero <heroes>", "only changes of these heroes, by id or English name"),
      words("--lang <codes>", "only texts, rows and lists in these languages", LANG_CODES),
      words("--table <names>", "only these tables", TABLE_NAMES),
    ],
    Output: [
      number("--top <n>", "maximum rows in each part; the kinds of rates share it", [1, 1_000_000]).default(20),
      flag("--markdown", "print Markdown, for release notes"),
      jsonFlag(),
    ],
  })
    .argument("[before]", "version, file or URL (default: the published snapshot before the last)")
    .argument("[after]", "version, file or URL (default: the last published snapshot)");

export const toDiffOptions = ({ rank, days, rate, hero, lang, table }: DiffFlags): DiffOptions => ({
  filters: {
    ...(rank && { rank }),
    ...(days && { days: days.map(Number) }),
    ...(rate && { rate }),
    ...(hero && { hero }),
    ...(lang && { lang }),
    ...(table && { table }),
  },
});
