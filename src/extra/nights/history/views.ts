import { BAN_RATE } from "../../../snapshot/schema/columns.ts";
import type { ViewDefinition } from "../../../snapshot/schema/definition.ts";
import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { coverageTable } from "../../../snapshot/schema/tables/archive.ts";
import { sliceColumnOf } from "../../../snapshot/schema/with-slices.ts";
import { CARRIED_SLICES, SLICE_CELLS } from "./carried.ts";
import { momentsAt } from "./moments.ts";
import { HISTORY_TABLES, type HistoryTable, isTermColumn, matchKey } from "./tables.ts";

const PERIOD_COLUMNS = {
  valid_from: "First snapshot that has the row.",
  valid_to: "First snapshot that no longer has the row. null: the row still holds.",
  from_night: "Place of valid_from among the nights (night.night_id). Versions sort by clock, nights by publication.",
  to_night: "Place of valid_to among the nights.",
  gap: "1: the row ends because valid_to lacks the answer, so it is unknown whether the row still holds. null: the row was gone or changed.",
  changed_after:
    "Last time when the row's answers were asked for and did not have it yet, ISO 8601 in UTC. null: never, or unknown.",
  changed_before:
    "First time when the row's answers were asked for and had it. Earlier than changed_after: a night went back to older answers.",
  ended_after:
    "Last time when the row's answers were asked for and had it. null: the row still holds, or ends in a gap.",
  ended_before: "First time when the row's answers were asked for and no longer had it.",
  date_from: "Day of valid_from.",
  date_to: "Day of valid_to.",
  game_from: "Version of the game at valid_from.",
  game_to: "Version of the game at valid_to.",
};

const MOMENTS = {
  changed_after: "TEXT | null",
  changed_before: "TEXT | null",
  ended_after: "TEXT | null",
  ended_before: "TEXT | null",
} as const;

/** The tables, under the names that they have in a snapshot. */
const tableViews: ViewDefinition[] = HISTORY_TABLES.map((table) => ({
  name: table.name,
  description: `${table.description} Here: one row for each version of a row, with the nights between which it held.`,
  columns: {
    ...Object.fromEntries(Object.entries(table.columns).map(([column, { description }]) => [column, description])),
    ...PERIOD_COLUMNS,
  },
  computed: MOMENTS,
  select: toViewSql(table),
}));

/**
 * CROSS JOIN makes SQLite search the terms first, then the nights, then the versions of a night by key: with the key
 * given that is one index search for each night.
 */
function toViewSql(table: HistoryTable): string {
  const { versionTable, key, columns, slices } = table;
  const terms = key.filter((column) => isTermColumn(table, column));
  const cellOf = (column: string) =>
    terms.includes(column) ? `${quoteName(`w_${column}`)}.word` : `fact.${quoteName(column)}`;
  const shown = Object.keys(columns).map((column) => `${cellOf(column)} AS ${quoteName(column)}`);
  const tables = [
    ...terms.map((column) => `word AS ${quoteName(`w_${column}`)}`),
    "night AS since",
    `${versionTable} AS fact`,
  ];
  const conditions = [
    "fact.from_night = since.night_id",
    ...terms.flatMap((column) => [
      `${quoteName(`w_${column}`)}.column_name = '${column}'`,
      `fact.${quoteName(column)} = ${quoteName(`w_${column}`)}.word_id`,
    ]),
  ];
  const from = slices.map((column) => `fact.${quoteName(column)}`);
  const began = momentsAt(from, "fact.from_night", "since.started_at");
  const ended = momentsAt(from, "fact.to_night", "until.started_at");
  const ifEnded = (moment: string) => `iif(fact.to_night IS NULL OR fact.gap, NULL, ${moment})`;
  return `SELECT ${shown.join(", ")}, since.version AS valid_from, until.version AS valid_to, fact.from_night, fact.to_night, fact.gap,
  ${began.after} AS changed_after, ${began.before} AS changed_before, ${ifEnded(ended.after)} AS ended_after, ${ifEnded(ended.before)} AS ended_before,
  since.date AS date_from, until.date AS date_to, since.game_version AS game_from, until.game_version AS game_to
FROM ${tables.join(" CROSS JOIN ")} LEFT JOIN night AS until ON until.night_id = fact.to_night
WHERE ${conditions.join(" AND ")}`;
}

/** Selects, for every text column of the tables by language, the versions that follow another one of the same key with another text. */
function selectTextChanges(): string {
  const parts = HISTORY_TABLES.filter(({ key }) => key.includes("lang")).flatMap((table) => {
    const { name, versionTable, key, values, columns, rows } = table;
    const others = key.filter((column) => column !== "lang");
    const cellOf = (column: string) => (isTermColumn(table, column) ? termOf(column) : `now.${quoteName(column)}`);
    const of = others.map(cellOf);
    const same = matchKey(key, "old", "now");
    // After a gap, a text is compared with the last version before it.
    const before = `(old.to_night = now.from_night OR old.gap AND old.to_night < now.from_night AND NOT EXISTS (
  SELECT 1 FROM ${versionTable} AS mid WHERE ${matchKey(key, "mid", "now")} AND mid.from_night > old.from_night AND mid.from_night < now.from_night))`;
    return values
      .filter((column) => columns[column]?.type === "TEXT")
      .map((column) => {
        const from = [...new Set(rows.filter(({ cells }) => column in cells).map(sliceColumnOf))];
        const ofNow = from.map((name) => `now.${quoteName(name)}`);
        const moments = momentsAt(ofNow, "now.from_night", "night.started_at");
        // A night that lacks the answer says nothing about its texts.
        const isKnown = [...ofNow, ...from.map((name) => `old.${quoteName(name)}`)].map(
          (slice) => `${slice} IS NOT NULL`,
        );
        return `SELECT '${name}' AS table_name, json_array(${of.join(", ")}) AS key, ${termOf("lang")} AS lang, '${column}' AS column_name,
  old.${quoteName(column)} AS before, now.${quoteName(column)} AS after, night.version AS valid_from, night.date AS date_from, night.game_version AS game_from,
  ${moments.after} AS changed_after, ${moments.before} AS changed_before, night.withdrawn
FROM night CROSS JOIN ${versionTable} AS now ON now.from_night = night.night_id AND night.night_id > 1
JOIN ${versionTable} AS old ON ${same} AND ${before} WHERE ${[`old.${quoteName(column)} IS NOT now.${quoteName(column)}`, ...isKnown].join("\n  AND ")}`;
      });
  });
  return parts.join("\nUNION ALL\n");
}

const termOf = (column: string) => `(SELECT word FROM word WHERE word_id = now.${quoteName(column)})`;

/** Back night by night, by the key: a window function would read all nights before a filter by the day. */
const LAST_WIN_RATE = `SELECT last.win_rate FROM night AS earlier CROSS JOIN hero_rate_fact AS last
    ON last.from_night = earlier.night_id AND last.days = rate.days AND last.hero_id = rate.hero_id
      AND last.rank = (SELECT word_id FROM word WHERE column_name = 'rank' AND word = rate.rank)
    WHERE earlier.night_id < rate.from_night ORDER BY earlier.night_id DESC LIMIT 1`;

const SLICE_COLUMNS = Object.fromEntries(SLICE_CELLS.map((name) => [name, coverageTable.columns[name].description]));

export const HISTORY_VIEWS: readonly ViewDefinition[] = [
  ...tableViews,
  {
    name: CARRIED_SLICES.name,
    description: CARRIED_SLICES.description,
    columns: {
      ...SLICE_COLUMNS,
      asked_at:
        "Start of the run that asked for the slice. null: the slice has no answer, and rows that depend on it have a gap.",
      valid_from: "First snapshot that has the slice from that run.",
      valid_to: "First snapshot that has the slice from another run. null: the latest snapshot still has it.",
      from_night: "Place of valid_from among the nights.",
      to_night: "Place of valid_to among the nights.",
    },
    select: `SELECT ${listNames(SLICE_CELLS)}, fact.asked_at,
  since.version AS valid_from, until.version AS valid_to, fact.from_night, fact.to_night
FROM ${CARRIED_SLICES.versionTable} AS fact JOIN slice USING (slice_id) JOIN night AS since ON since.night_id = fact.from_night
LEFT JOIN night AS until ON until.night_id = fact.to_night`,
  },
  {
    name: "failed_slice",
    description: "Slices that a night asked for and lacks. Slices that it never asked for are in carried_slice.",
    columns: { night_id: "Night.", ...SLICE_COLUMNS },
    select: `SELECT night_id, ${listNames(SLICE_CELLS)} FROM failed_slice_fact JOIN slice USING (slice_id)`,
  },
  {
    name: "rate_change",
    description:
      "Rates of each hero by night, with the change since the night before. Filter by hero_id, rank and days.",
    columns: {
      hero_id: "Hero.",
      hero: "English name of the hero.",
      rank: "Rank bracket.",
      days: "Window, in days.",
      date: "Day of the snapshot.",
      game_version: "Newest version of the game on that day.",
      win_rate: "Share of matches that the hero won.",
      ban_rate: BAN_RATE,
      appearance_rate: "Share of all picks that were this hero.",
      win_rate_change: "Change of the win rate since the row before. null for the first row.",
      changed_after: "Time when the rank list before this one was asked for.",
      changed_before: "Time when this rank list was asked for.",
      withdrawn: "1: the snapshot was withdrawn.",
    },
    computed: { win_rate_change: "REAL | null", changed_after: "TEXT | null", changed_before: "TEXT | null" },
    select: `SELECT rate.hero_id, hero.hero, rate.rank, rate.days, rate.date_from AS date, rate.game_from AS game_version,
  rate.win_rate, rate.ban_rate, rate.appearance_rate,
  rate.win_rate - (${LAST_WIN_RATE}) AS win_rate_change,
  rate.changed_after, rate.changed_before,
  (SELECT withdrawn FROM night WHERE night_id = rate.from_night) AS withdrawn
FROM hero_name AS hero JOIN hero_rate AS rate USING (hero_id)`,
  },
  {
    name: "text_change",
    description: "Every change of a text, by language, with the text before and after.",
    columns: {
      table_name: "Table of the text.",
      key: "Key of the text without the language, as a JSON array.",
      lang: "Language.",
      column_name: "Column of the text.",
      before: "Text before the change.",
      after: "Text after the change.",
      valid_from: "First snapshot with the new text.",
      date_from: "Day of the first snapshot with the new text.",
      game_from: "Newest version of the game on that day.",
      changed_after: "Time when the old text was last asked for.",
      changed_before: "Time when the new text was first asked for.",
      withdrawn: "1: the snapshot with the new text was withdrawn.",
    },
    computed: {
      table_name: "TEXT",
      key: "TEXT",
      column_name: "TEXT",
      // The text of any of the tables.
      before: "TEXT | null",
      after: "TEXT | null",
      changed_after: "TEXT | null",
      changed_before: "TEXT | null",
    },
    select: selectTextChanges(),
  },
  {
    name: "hero_name",
    description: "Latest English name of every hero that any night has.",
    columns: { hero_id: "Hero.", hero: "English name." },
    select: `SELECT hero_id, name AS hero FROM (
  SELECT hero_id, name, row_number() OVER (PARTITION BY hero_id ORDER BY from_night DESC) AS place FROM hero_fact) WHERE place = 1`,
  },
];
