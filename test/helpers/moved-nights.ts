import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { createRates } from "../../src/sample/numbers/rates.ts";
import { temporaryFolder } from "./run.ts";
import { editFile } from "./sqlite.ts";
import { world } from "./world.ts";

const HEROES = 133;
const NIGHT_MS = 86_400_000;
const START = Date.UTC(2026, 7, 1, 3);

/** Tables that fill a snapshot and have no part in these tests. */
const LEFT_OUT = [
  ...["record", "coverage", "hero_matchup", "hero_batch", "hero_build", "hero_build_item", "hero_build_talent"],
  ...["hero_lane_rate", "hero_minute_rate", "hero_rate_opponent", "hero_relation", "hero_relation_text"],
  ...["hero_trend_series", "listed_text", "rank_step_text", "skill_combo", "skill_combo_step", "skill_combo_text"],
  ...["skill_tag", "vote_candidate", "vote_candidate_text"],
];
const SOME_TEXTS = "WHERE lang IN ('en', 'de', 'ja')";
/** Tables of which a part is kept. */
const KEPT: Record<string, string> = {
  hero_pairing: "WHERE source = 'counters' AND rank = 'all' AND days IN (1, 7)",
  hero_trend: "WHERE rank = 'all' AND hero_id <= 10",
  ...Object.fromEntries(["hero_text", "skill_text"].map((table) => [table, `${SOME_TEXTS} AND hero_id <= 10`])),
  ...Object.fromEntries(
    ["hero_speciality", "item_text", "emblem_text", "talent_text"].map((table) => [table, SOME_TEXTS]),
  ),
};

interface Definition {
  type: string;
  name: string;
  sql: string;
}

function copyPart(file: string, texts: boolean) {
  const db = new SQLite(file);
  db.pragma("foreign_keys = OFF");
  db.pragma("synchronous = OFF");
  db.prepare("ATTACH ? AS whole").run(world.snapshot);
  for (const pragma of ["application_id", "user_version"])
    db.pragma(`${pragma} = ${db.pragma(`whole.${pragma}`, { simple: true })}`);
  const schema = "SELECT type, name, sql FROM whole.sqlite_schema WHERE sql IS NOT NULL ORDER BY type <> 'table'";
  for (const { type, name, sql } of db.prepare<[], Definition>(schema).all()) {
    db.exec(sql);
    if (type === "table" && !LEFT_OUT.includes(name) && (texts || !name.endsWith("_text")))
      db.exec(`INSERT INTO main."${name}" SELECT * FROM whole."${name}" ${KEPT[name] ?? ""}`);
  }
  db.close();
}

/**
 * Nights of the whole roster that differ by nothing but their rates, those that the embedded upstream has on that day, and
 * by what is done to them. What fills a snapshot and has no part in it is left out, and texts unless they are wanted.
 */
export function prepareNights({ texts = false } = {}) {
  const folder = temporaryFolder();
  const base = join(folder.path, "base");
  copyPart(base, texts);

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
