import type { DatasetMoments } from "../../src/extra/nights/diff/asked.ts";
import { type Changes, DIFF_FORMAT, type Diff } from "../../src/extra/nights/diff/diff.ts";
import { COMPARED_TABLES } from "../../src/extra/nights/diff/shared-tables.ts";
import type { MatchupChanges } from "../../src/extra/nights/diff/statistics/matchups.ts";
import type { RateChanges } from "../../src/extra/nights/diff/statistics/rates.ts";
import type { TableKind } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { fillPlaces, headed } from "./page.ts";

/** How a diff compares tables of a kind. */
const KINDS: Record<TableKind, string> = {
  text: "row by row; changed texts word by word (`Intl.Segmenter` finds the words, also in Japanese, Chinese, Thai and Khmer)",
  list: "as whole lists: roles, lanes, labels, steps",
  row: "row by row: added, gone and changed, column by column",
  statistic:
    "number of rows that differ; `hero_rate` and `hero_matchup` as in [What is noise](#what-is-noise), builds of rank `all` as lists",
  internal: "not compared; the report compares the shape of the records and the coverage separately",
};

/** The fields with the slices of each dataset that were asked anew. */
const ASKED: Record<keyof DatasetMoments, string> = {
  dataset: "endpoint. `asked` has an object for each, only if a snapshot is rolling or lacks slices",
  compared: "number of answers that were asked for anew between the two snapshots; only these are compared",
  older: "number of compared answers that are older in the second snapshot than in the first",
  carried: "number of answers that both snapshots have from the same crawl; they are not compared",
  not_asked: "number of answers that one snapshot never asked for; their data neither came nor went",
  changed_after: "oldest `coverage.asked_at` of the compared answers in the first snapshot; all changes are later",
  changed_before: "newest `coverage.asked_at` of the compared answers in the second snapshot; all changes are earlier",
};

/** The fields in the JSON of a diff; the compiler requires each. */
const DIFF: Record<keyof Diff, string | Record<string, string>> = {
  format: `${DIFF_FORMAT}; a new number breaks readers, new fields do not`,
  before: "row of the table `snapshot` in the first snapshot",
  after: "row of the table `snapshot` in the second snapshot",
  filters: "filters that were given; heroes by id",
  asked: ASKED,
  news: "`short` and `lines`: the night in words, as the command line and the feed say it",
  identical: "whether both snapshots hold the same data",
  changes: "the differences, or null if the data is the same",
};

const SPREAD =
  "`count`, `median` (subtracted from each change), `deviation` (for a hero in the middle of the roster), `basis`";
const RATES: Record<keyof RateChanges, string> = {
  movers:
    "`hero_id`, `name`, `rank`, `rate`, `days`, `before`, `after`, `change`, `apart` (beyond the median), `score` (in deviations), `also_in` (other windows, with the same numbers)",
  spread: `for each \`rank\`, window (\`days\`) and \`rate\`: ${SPREAD}`,
};
const MATCHUPS: Record<keyof MatchupChanges, string> = {
  matchups:
    "`rank`, the hero that does better than before and its opponent (`hero_id`, `name`, `other_hero_id`, `other`), `before`, `after`, `change`, `apart`, `score`",
  spread: `for each \`rank\`: ${SPREAD}`,
};

/** The fields in its `changes`; a test looks for each field of the objects in them. */
const CHANGES: Record<keyof Changes, string | Record<string, string>> = {
  days_apart: "nights between the two snapshots, by the upstream's dates",
  heroes: "`added` and `gone`: `hero_id`, `name`",
  rates: RATES,
  matchups: MATCHUPS,
  texts: "`table`, `label`, `key`, `column`, `lang`, `before`, `after`, `words`: pairs of `=`, `-` or `+` and a text",
  lists: "`table`, `label`, `key`, `before`, `after`: names, with other columns if the names are the same",
  tables: "`table`, `kind`, `counts`, `added`, `gone`, `changed` with `columns`: `before` and `after`",
  shape:
    "`dataset`, `path`, `before`, `now`, `count` (values of a new type, or objects that lack a field that is gone), `example`, `needed` (the program identifies, orders or filters by the field)",
  coverage:
    "`dataset`, `slices` (`added`, `gone`, `changed`, `same`, by their hashes), `languages` whose figures differ",
};

/** Renders the parts of data/NIGHTS.md that come from the code. */
export const renderNights = (text: string) =>
  fillPlaces(text, { kinds: describeKinds(), diff: describeFields(DIFF), changes: describeFields(CHANGES) });

function describeKinds(): string {
  const compared = new Map(COMPARED_TABLES.map(({ name, kind }) => [name, kind]));
  const byKind = Map.groupBy(TABLES, ({ name }): TableKind => compared.get(name) ?? "internal");
  const rows = Object.entries(KINDS).map(([kind, how]) => {
    const tables = byKind.get(kind as TableKind) ?? [];
    return [how, tables.map(({ name }) => `\`${name}\``).join(", ")];
  });
  return headed(["compared", "tables"], rows);
}

const describeFields = (fields: Record<string, string | Record<string, string>>) =>
  headed(
    ["field", "holds"],
    Object.entries(fields).flatMap(([name, holds]) =>
      typeof holds === "string"
        ? [[`\`${name}\``, holds]]
        : Object.entries(holds).map(([part, what]) => [`\`${name}.${part}\``, what]),
    ),
  );
