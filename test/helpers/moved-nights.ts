import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { createRates } from "../../src/sample/numbers/rates.ts";
import { temporaryFolder } from "./run.ts";
import { editFile } from "./sqlite.ts";
import { world } from "./world.ts";

export const HEROES = 133;
const NIGHT_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1, 3);

/** What fills a snapshot and has no part in these tests. */
const EMPTIED = [
  "record",
  "coverage",
  "hero_matchup",
  "hero_batch",
  "hero_build",
  "hero_build_item",
  "hero_build_talent",
  "hero_lane_rate",
  "hero_minute_rate",
  "hero_rate_opponent",
  "hero_relation",
  "hero_relation_text",
  "hero_trend_series",
  "listed_text",
  "rank_step_text",
  "skill_combo",
  "skill_combo_step",
  "skill_combo_text",
  "skill_tag",
  "vote_candidate",
  "vote_candidate_text",
];
const LESS = `
${EMPTIED.map((table) => `DELETE FROM ${table};`).join("\n")}
DELETE FROM hero_pairing WHERE NOT (source = 'counters' AND rank = 'all' AND days IN (1, 7));
DELETE FROM hero_trend WHERE rank <> 'all' OR hero_id > 10;
${["hero_text", "hero_speciality", "skill_text", "item_text", "emblem_text", "talent_text"]
  .map((table) => `DELETE FROM ${table} WHERE lang NOT IN ('en', 'de', 'ja');`)
  .join("\n")}
VACUUM;`;

/**
 * Nights of the whole roster that differ by nothing but their rates, those that the embedded upstream has on that day, and
 * by what is done to them. What fills a snapshot and has no part in it is left out.
 */
export function prepareNights() {
  const folder = temporaryFolder();
  const base = join(folder.path, "base");
  copyFileSync(world.snapshot, base);
  editFile(base, LESS);

  /** A day on which nothing else is done to it: made once. */
  function prepareDay(day: number, heroes: number): string {
    const file = join(folder.path, `day${day}-${heroes}`);
    if (existsSync(file)) return file;
    copyFileSync(base, file);
    const db = new SQLite(file);
    db.pragma("foreign_keys = OFF");
    db.pragma("synchronous = OFF");
    db.exec(
      `UPDATE hero_trend SET date = date(date, '+1000 days'); UPDATE hero_trend SET date = date(date, '${day - 1000} days');
       DELETE FROM hero_rate WHERE hero_id > ${heroes}`,
    );
    const update = db.prepare(
      "UPDATE hero_rate SET win_rate = ?, ban_rate = ?, appearance_rate = ? WHERE rank = ? AND days = ? AND hero_id = ?",
    );
    const rates = createRates({ seed: 1, day, heroes });
    db.transaction(() => {
      for (const [index, rank] of RANK_CODES.entries())
        for (const days of DAY_WINDOWS.map(Number)) {
          const { win, ban, appearance } = rates.over(index, days);
          for (let hero = 1; hero <= heroes; hero++)
            update.run(win[hero], ban[hero], appearance[hero], rank, days, hero);
        }
    })();
    db.close();
    return file;
  }

  /** The night of a day; of its heroes those up to `heroes` have rates. */
  function write(name: string, day: number, { heroes = HEROES, sql = "SELECT 1" } = {}): string {
    const file = join(folder.path, `${name}.sqlite`);
    copyFileSync(prepareDay(day, heroes), file);
    const startedAt = new Date(START + day * NIGHT_MS).toISOString();
    const version = `${startedAt.replaceAll(/[-:]|\.\d+/g, "")}-${name}`;
    editFile(
      file,
      `UPDATE snapshot SET version = '${version}', started_at = '${startedAt}', content_hash = '${name}'; ${sql}`,
    );
    return file;
  }

  return { path: folder.path, write, remove: () => folder[Symbol.dispose]() };
}
