import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { HISTORY_TABLES } from "../../src/extra/nights/history/tables.ts";
import { latestFile } from "../../src/snapshot/published/pointer.ts";

/**
 * Measures the cost of many nights: `node --import tsx scripts/bench/history.ts [data] [nights]`. Each night is the latest snapshot with
 * every rate and every matchup moved, a day more of every trend, one matchup in ten replaced and 17 texts reworded.
 */
const [data = "data", count = "300"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "metasnap-history-"));
const snapshot = join(folder, "night.sqlite");
const history = join(folder, "history.sqlite");

copyFileSync(latestFile(data), snapshot);
const db = new SQLite(snapshot);
db.pragma("foreign_keys = OFF");
db.pragma("journal_mode = OFF");
db.pragma("synchronous = OFF");
// The history does not read the archive; without it the bench copies nothing that it does not measure.
db.exec("DELETE FROM record; VACUUM");

/** Tables of rates except for the daily series, whose past stays as it is. */
const MOVING = HISTORY_TABLES.filter(({ name }) => name !== "hero_trend").flatMap(({ name, columns }) => {
  const rates = Object.entries(columns).flatMap(([column, { type }]) => (type === "REAL" ? [column] : []));
  return rates.length > 0 ? [{ name, columns: rates }] : [];
});

const rows: number[] = [];
const seconds: number[] = [];
let bytes = 0;
for (let night = 0; night < Number(count); night++) {
  if (night > 0) moveOn(night);
  updateHistory(history, [{ file: snapshot, sequence: null, withdrawn: false }], {
    onNight: ({ opened, seconds: took }) => {
      rows.push(opened);
      seconds.push(took);
    },
  });
  const size = statSync(history).size;
  if (night % 25 === 0 || night === Number(count) - 1)
    print(
      `night ${night + 1}: ${rows.at(-1)} rows, ${seconds.at(-1)?.toFixed(2)} s, ${size} bytes, ${size - bytes} since the last line`,
    );
  if (night % 25 === 0) bytes = size;
}
db.close();

const asked = new SQLite(history, { readonly: true });
for (const sql of [
  "SELECT valid_from, win_rate FROM hero_rate WHERE rank = 'all' AND days = 7 AND hero_id = 17",
  "SELECT valid_from, position, increase_win_rate FROM hero_pairing WHERE source = 'counters' AND rank = 'all' AND days = 7 AND hero_id = 17 AND side = 'best' AND other_hero_id = 20",
  "SELECT date_from, lang, before, after FROM text_change WHERE key = '[17]' AND table_name = 'hero_text'",
]) {
  const begun = performance.now();
  const rows = asked.prepare(sql).all().length;
  print(`${rows} rows in ${(performance.now() - begun).toFixed(0)} ms: ${sql}`);
}
asked.close();
const total = seconds.reduce((sum, second) => sum + second, 0);
print(
  `${seconds.length} nights: ${total.toFixed(0)} s, ${statSync(history).size} bytes, peak memory ${process.resourceUsage().maxRSS >> 10} MB`,
);
rmSync(folder, { recursive: true });

function moveOn(night: number) {
  const date = new Date(Date.UTC(2030, 0, 1) + night * 86_400_000).toISOString();
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

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
