import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { HISTORY_TABLES } from "../../src/extra/nights/history/tables.ts";
import { latestFile } from "../../src/snapshot/published/pointer.ts";
import type { Bench, Budget, Figure } from "./budget.ts";

const NIGHTS = 365;

/** Nights between two lines that say how far it is. */
const TOLD_NIGHTS = 25;

const firstDay = Date.UTC(2030, 0, 1);
const dayOf = (night: number) => new Date(firstDay + night * 86_400_000).toISOString();

/** The budget of a year of nights in one file. It takes a quarter of an hour. */
export const HISTORY_BUDGETS: readonly Budget[] = [
  {
    name: "a question about one day of a year's history",
    how: "the slowest of two, from a file just opened",
    bound: "≤",
    limit: 200,
    unit: " ms",
    cost: "All versions of a table whose key the question does not name.",
    measure: measureYear,
  },
];

const DAY = dayOf(NIGHTS / 2).slice(0, 10);
const ON_THE_DAY = `date_from <= '${DAY}' AND (date_to IS NULL OR date_to > '${DAY}')`;
const QUESTIONS = [
  `SELECT hero_id, name, difficulty FROM hero WHERE ${ON_THE_DAY} ORDER BY hero_id`,
  `SELECT win_rate FROM hero_rate WHERE rank = 'all' AND days = 7 AND hero_id = 17 AND ${ON_THE_DAY}`,
];

/** Folds a year of nights, and asks for one day of it. Each line to standard error has what a night costs. */
async function measureYear({ data }: Bench): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  try {
    const history = join(folder, "history.sqlite");
    foldYear(data, join(folder, "night.sqlite"), history);
    return { value: Math.max(...QUESTIONS.map((sql) => timeOf(history, sql))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timeOf(history: string, sql: string): number {
  const db = new SQLite(history, { readonly: true });
  try {
    const begun = performance.now();
    if (db.prepare(sql).all().length === 0) throw new Error(`no rows: ${sql}`);
    return performance.now() - begun;
  } finally {
    db.close();
  }
}

function foldYear(data: string, snapshot: string, history: string) {
  copyFileSync(latestFile(data), snapshot);
  const db = new SQLite(snapshot);
  try {
    db.pragma("foreign_keys = OFF");
    db.pragma("journal_mode = OFF");
    db.pragma("synchronous = OFF");
    // The history does not read the archive; without it the bench copies nothing that it does not measure.
    db.exec("DELETE FROM record; VACUUM");
    for (let night = 0; night < NIGHTS; night += 1) {
      moveOn(db, night);
      updateHistory(history, [{ file: snapshot, sequence: null, withdrawn: false }], {
        onNight: ({ opened, seconds }) => {
          if (night % TOLD_NIGHTS > 0 && night < NIGHTS - 1) return;
          const cost = `${opened} rows, ${seconds.toFixed(2)} s, ${statSync(history).size} bytes`;
          process.stderr.write(`night ${night + 1}: ${cost}, ${process.resourceUsage().maxRSS >> 10} MB at most\n`);
        },
      });
    }
  } finally {
    db.close();
  }
}

/** Tables of rates except for the daily series, whose past stays as it is. */
const MOVING = HISTORY_TABLES.filter(({ name }) => name !== "hero_trend").flatMap(({ name, columns }) => {
  const rates = Object.entries(columns).flatMap(([column, { type }]) => (type === "REAL" ? [column] : []));
  return rates.length > 0 ? [{ name, columns: rates }] : [];
});

/** Makes the next night: every rate and matchup moved, a day more of every trend, one matchup in ten replaced and 17 texts reworded. */
function moveOn(db: SQLite.Database, night: number) {
  const date = dayOf(night);
  const version = `${date.replaceAll(/[-:]|\.\d+/g, "")}-${night.toString(16).padStart(8, "0")}`;
  db.exec("BEGIN");
  for (const { name, columns } of MOVING) {
    const moves = columns.map((column) => `"${column}" = "${column}" + (abs(random()) % 2001 - 1000) / 1e6`);
    db.exec(`UPDATE ${name} SET ${moves.join(", ")}`);
  }
  db.exec(`UPDATE hero_pairing SET other_hero_id = 1 + abs(random()) % 132 WHERE abs(random()) % 10 = 0;
    DELETE FROM hero_trend WHERE date = (SELECT min(date) FROM hero_trend);
    INSERT INTO hero_trend (rank, hero_id, date, win_rate, ban_rate, appearance_rate, slice_id)
      SELECT rank, hero_id, date(max(date), '+1 day'), win_rate, ban_rate, appearance_rate, slice_id FROM hero_trend
      GROUP BY rank, hero_id;
    UPDATE hero_text SET story = story || '.' WHERE hero_id = 1 + ${night} % 131;
    UPDATE snapshot SET version = '${version}', started_at = '${date}', content_hash = '${version}', game_version = '2.1.${Math.floor(night / 30)}';
    COMMIT`);
}
