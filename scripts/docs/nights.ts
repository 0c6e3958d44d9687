import type { DatasetMoments } from "../../src/nights/diff/asked.ts";
import { type Changes, DIFF_FORMAT, type Diff } from "../../src/nights/diff/diff.ts";
import type { MatchupChanges } from "../../src/nights/diff/statistics/matchups.ts";
import type { RateChanges } from "../../src/nights/diff/statistics/rates.ts";
import type { TableKind } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { fillPlaces, headed } from "./page.ts";

/** How a diff compares tables of a kind. */
const KINDS: Record<TableKind, string> = {
  text: "row by row; each changed text in words of its language (`Intl.Segmenter` finds them in Japanese, Chinese, Thai and Khmer too)",
  list: "as whole lists: roles, lanes, labels, steps",
  row: "row by row: added, gone and changed, column by column",
  statistic: "how many rows differ; `hero_rate` and `hero_pairing` by the rule below",
  internal: "not at all; the shape of the records and the coverage are compared by themselves",
};

/** What of each dataset was asked anew. */
const ASKED: Record<keyof DatasetMoments, string> = {
  dataset: "only if one of the two is rolling or has slices that the upstream refused: an object for each dataset",
  compared: "answers that were asked anew between the two, and so are compared",
  older: "those of them that are older in the second than in the first",
  carried: "answers that both have from the same crawl: they are not compared",
  not_asked: "those that one of the two was never asked for: what they tell neither came nor went",
  changed_after: "the oldest `coverage.asked_at` of what is compared, in the first: changes are later",
  changed_before: "the newest, in the second: changes are earlier",
};

/** What the JSON of a diff holds; the compiler asks for each field. */
const DIFF: Record<keyof Diff, string | Record<string, string>> = {
  format: `${DIFF_FORMAT}; a new number breaks readers, new fields do not`,
  before: "the row of `snapshot` of the first",
  after: "the row of `snapshot` of the second",
  filters: "those that were given; heroes by id",
  asked: ASKED,
  identical: "whether both hold the same data",
  changes: "what is different, or null",
};

const SPREAD =
  "`count`, `median` (what was taken off), `deviation` (of a hero in the middle of the roster), `basis`, `nights` (over how many changes), `smallest`";
const RATES: Record<keyof RateChanges, string> = {
  movers:
    "`rank`, `days`, `rate`, `hero_id`, `name`, `before`, `after`, `change`, `apart` (beyond the median), `score` (deviations; null: too few to tell), `through`",
  spread: `for each \`rank\`, window (\`days\`) and \`rate\`: ${SPREAD}`,
};
const MATCHUPS: Record<keyof MatchupChanges, string> = {
  matchups:
    "`source`, `rank`, `days`, `side`, both heroes (`hero_id`, `name`, `other_hero_id`, `other`), `place_before` and `place_after`, `before`, `after`, `change`, `apart`, `score`",
  spread: `for each \`source\`, \`rank\` and window (\`days\`): ${SPREAD}, \`entered\`, \`left\``,
};

/** What its `changes` hold; a test looks for each field of the objects in them. */
const CHANGES: Record<keyof Changes, string | Record<string, string>> = {
  days_apart: "nights between the two, by the upstream's own dates",
  noise:
    "where the deviations of the rates are from: `history` (the file, or null), `nights` (how many changes so far apart it holds), `least` (how many are needed), `problem` (why a history that nobody named was not read, or null)",
  heroes: "`added` and `gone`: `hero_id`, `name`",
  rates: RATES,
  matchups: MATCHUPS,
  texts: "`table`, `label`, `key`, `column`, `lang`, `before`, `after`, `words`: pairs of `=`, `-` or `+` and a text",
  lists: "`table`, `label`, `key`, `before`, `after`: names, with other columns where both have the same",
  tables: "`table`, `kind`, `counts`, `added`, `gone`, `changed` with `columns`: `before` and `after`",
  shape:
    "`dataset`, `path`, `before`, `now`, `count` (values of a type that was not there before; objects that lack a field that is gone), `example`, `needed` (something identifies, orders or filters by it)",
  coverage:
    "`dataset`, `slices` (`added`, `gone`, `changed`, `same`, by their hashes), `languages` whose figures differ",
};

/** The parts of data/NIGHTS.md that come from the code. */
export const renderNights = (text: string) =>
  fillPlaces(text, { kinds: describeKinds(), diff: describeFields(DIFF), changes: describeFields(CHANGES) });

function describeKinds(): string {
  const byKind = Map.groupBy(TABLES, ({ kind }) => kind);
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
