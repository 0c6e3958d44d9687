import SQLite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

/** A question in Thai, the query to a view that answers it, and another to the tables with the same answer. */
interface ThaiQuestion {
  question: string;
  view: string;
  tables: string;
}

/** Thai names of both heroes of a view, as data/QUESTIONS.md tells. */
const named = (view: string) => `${view} JOIN hero_text AS hero ON hero.hero_id = ${view}.hero_id
  JOIN hero_text AS other ON other.hero_id = other_hero_id AND other.lang = hero.lang`;
const nameOf = (id: string) => `(SELECT name FROM hero_text WHERE hero_text.hero_id = ${id} AND lang = 'th')`;
const idOf = (name: string) => `(SELECT hero_id FROM hero_text WHERE name = '${name}' AND lang = 'th')`;
const wordsOf = (table: string, key: string, id: string) =>
  `(SELECT name FROM ${table} WHERE ${table}.${key} = ${id} AND lang = 'th')`;
const meanOf = (rate: string, order: string) => `(SELECT sum(${rate}) / 3 FROM (
  SELECT ${rate} FROM hero_trend AS day WHERE day.rank = 'mythic' AND day.hero_id = hero.hero_id ORDER BY date ${order} LIMIT 3))`;

const THAI_QUESTIONS: readonly ThaiQuestion[] = [
  {
    question: "ฮีโร่ตัวไหนชนะบ่อยที่สุดในระดับ Mythic ใน 7 วันที่ผ่านมา",
    view: `SELECT hero_text.name, win_rate FROM tier_list JOIN hero_text USING (hero_id)
      WHERE rank = 'mythic' AND days = 7 AND lang = 'th' ORDER BY win_rate DESC, hero_id LIMIT 5`,
    tables: `SELECT ${nameOf("hero_rate.hero_id")} AS name, win_rate FROM hero_rate WHERE rank = 'mythic' AND days = 7 ORDER BY win_rate DESC, hero_id LIMIT 5`,
  },
  {
    question: "ฮีโร่ตัวไหนถูกแบนบ่อยที่สุด",
    view: `SELECT hero_text.name, ban_rate FROM rate_list JOIN hero_text USING (hero_id)
      WHERE rank = 'glory' AND days = 30 AND lang = 'th' ORDER BY ban_rate DESC, hero_id LIMIT 5`,
    tables: `SELECT ${nameOf("hero_rate.hero_id")} AS name, ban_rate FROM hero_rate WHERE rank = 'glory' AND days = 30 ORDER BY ban_rate DESC, hero_id LIMIT 5`,
  },
  {
    question: "ใครแก้ทางมียาได้ดีที่สุด",
    view: `SELECT other.name, increase_win_rate FROM ${named("counter_list")}
      WHERE hero.lang = 'th' AND hero.name = 'มียา' AND rank = 'all' AND days = 7 AND side = 'worst' ORDER BY position`,
    tables: `SELECT ${nameOf("other_hero_id")} AS name, increase_win_rate FROM hero_pairing
      WHERE source = 'counters' AND hero_id = ${idOf("มียา")} AND rank = 'all' AND days = 7 AND side = 'worst' ORDER BY increase_win_rate`,
  },
  {
    question: "ใครแก้ทางฮีโร่ที่ถูกแบนมากที่สุดห้าตัว",
    view: `SELECT hero.name AS hero, other.name AS counter, ban_rate, increase_win_rate FROM ${named("banned_counter")}
      WHERE hero.lang = 'th' AND rank = 'mythic' AND days = 7 AND place <= 5 AND position = 1 ORDER BY place`,
    tables: `SELECT ${nameOf("banned.hero_id")} AS hero, ${nameOf("other_hero_id")} AS counter, ban_rate, min(increase_win_rate) AS increase_win_rate
      FROM (SELECT * FROM hero_rate WHERE rank = 'mythic' AND days = 7 ORDER BY ban_rate DESC, hero_id LIMIT 5) AS banned
      JOIN hero_pairing USING (hero_id, rank, days) WHERE source = 'counters' GROUP BY hero_id ORDER BY ban_rate DESC, hero_id`,
  },
  {
    question: "คู่ไหนเป็นเพื่อนร่วมทีมที่ดีที่สุดของกันและกัน",
    view: `SELECT hero.name AS hero, other.name AS mate, increase_win_rate FROM ${named("synergy_list")}
      WHERE hero.lang = 'th' AND rank = 'mythic' AND days = 7 AND hero_position = 1 AND other_position = 1 ORDER BY increase_win_rate DESC, hero.hero_id`,
    tables: `WITH first AS (SELECT hero_id, other_hero_id, increase_win_rate FROM hero_pairing
        WHERE source = 'compatibility' AND rank = 'mythic' AND days = 7 AND side = 'best' AND position = 1)
      SELECT ${nameOf("first.hero_id")} AS hero, ${nameOf("other_hero_id")} AS mate, increase_win_rate FROM first
      WHERE hero_id < other_hero_id AND (other_hero_id, hero_id) IN (SELECT hero_id, other_hero_id FROM first) ORDER BY increase_win_rate DESC, hero_id`,
  },
  {
    question: "ดูโอ้คู่ไหนเล่นด้วยกันแล้วชนะมากขึ้นที่สุดในระดับ Epic",
    view: `SELECT hero.name AS hero, other.name AS mate, increase_win_rate FROM ${named("duo_list")}
      WHERE hero.lang = 'th' AND rank = 'epic' ORDER BY increase_win_rate DESC, hero.hero_id LIMIT 5`,
    tables: `SELECT ${nameOf("pair.low")} AS hero, ${nameOf("pair.high")} AS mate, increase_win_rate
      FROM (SELECT min(hero_id, other_hero_id) AS low, max(hero_id, other_hero_id) AS high, min(increase_win_rate) AS increase_win_rate
        FROM hero_matchup WHERE rank = 'epic' AND match_type = 1 AND increase_win_rate > 0 GROUP BY low, high HAVING count(*) = 2) AS pair
      ORDER BY increase_win_rate DESC, low LIMIT 5`,
  },
  {
    question: "ควรเล่นใครคู่กับลัยลา",
    view: `SELECT other.name, increase_win_rate FROM ${named("matchup_list")}
      WHERE hero.lang = 'th' AND matchup_list.hero_id = 18 AND rank = 'all' AND played = 'with' ORDER BY increase_win_rate DESC, other_hero_id LIMIT 5`,
    tables: `SELECT ${nameOf("other_hero_id")} AS name, increase_win_rate FROM hero_matchup
      WHERE hero_id = 18 AND rank = 'all' AND match_type = 1 ORDER BY increase_win_rate DESC, other_hero_id LIMIT 5`,
  },
  {
    question: "มียาสู้กับลีงเป็นอย่างไรในแต่ละระดับ",
    view: `SELECT rank, hero.name AS hero, other.name AS other, increase_win_rate FROM ${named("matchup_list")}
      WHERE hero.lang = 'th' AND hero.name = 'มียา' AND other.name = 'ลีง' AND played = 'against' ORDER BY rank`,
    tables: `SELECT rank, 'มียา' AS hero, 'ลีง' AS other, increase_win_rate FROM hero_matchup
      WHERE hero_id = 1 AND other_hero_id = 84 AND match_type = 0 ORDER BY rank`,
  },
  {
    question: "สัปดาห์ที่แล้วอัตราชนะของมียาเปลี่ยนไปเท่าไร",
    view: `SELECT date, trend_change.win_rate, change_7_days FROM trend_change JOIN hero_text USING (hero_id)
      WHERE lang = 'th' AND hero_text.name = 'มียา' AND rank = 'all' ORDER BY date DESC LIMIT 7`,
    tables: `SELECT date, win_rate, win_rate - lag(win_rate, 7) OVER (ORDER BY date) AS change_7_days
      FROM hero_trend WHERE hero_id = ${idOf("มียา")} AND rank = 'all' ORDER BY date DESC LIMIT 7`,
  },
  {
    question: "ใครมาแรงที่สุดใน 30 วัน โดยไม่นับฮีโร่ที่แทบไม่มีใครเลือก",
    view: `SELECT hero_text.name, round(rise, 9) AS rise, round(appearance_rate, 9) AS pick_rate FROM trend_rise JOIN hero_text USING (hero_id)
      WHERE lang = 'th' AND rank = 'mythic' AND appearance_rate >= 0.005 ORDER BY place LIMIT 5`,
    tables: `SELECT ${nameOf("hero.hero_id")} AS name, round(${meanOf("win_rate", "DESC")} - ${meanOf("win_rate", "")}, 9) AS rise,
      round(${meanOf("appearance_rate", "DESC")}, 9) AS pick_rate FROM hero WHERE pick_rate >= 0.005 ORDER BY rise DESC LIMIT 5`,
  },
  {
    question: "ลีงเก่งช่วงนาทีไหนในป่า",
    view: `SELECT hero_text.name, from_minute, to_minute, minute_list.win_rate FROM minute_list JOIN hero_text USING (hero_id)
      WHERE lang = 'th' AND hero_text.name = 'ลีง' AND lane = 'jungle' AND rank = 'all' ORDER BY win_rate DESC LIMIT 3`,
    tables: `SELECT 'ลีง' AS name, from_minute, to_minute, win_rate FROM hero_minute_rate
      WHERE hero_id = 84 AND lane = 'jungle' AND rank = 'all' ORDER BY win_rate DESC LIMIT 3`,
  },
  {
    question: "ลัยลาเลนทองออกไอเทมอะไรดี",
    view: `SELECT group_concat(item_text.name, ', ') AS items, build.win_rate
      FROM (SELECT * FROM build_list WHERE hero_id = 18 AND lane = 'gold' AND rank = 'all' ORDER BY win_rate DESC LIMIT 1) AS build
      JOIN hero_build_item AS part ON part.hero_id = 18 AND part.lane = 'gold' AND part.rank = 'all' AND build_position = build.position
      JOIN item_text USING (item_id) WHERE lang = 'th'`,
    tables: `SELECT ${[1, 2, 3].map((place) => wordsOf("item_text", "item_id", `(SELECT item_id FROM hero_build_item AS part WHERE part.hero_id = 18 AND part.lane = 'gold' AND part.rank = 'all' AND part.build_position = build.position AND part.position = ${place})`)).join(" || ', ' || ")} AS items, win_rate
      FROM hero_build AS build WHERE hero_id = 18 AND lane = 'gold' AND rank = 'all' ORDER BY win_rate DESC LIMIT 1`,
  },
  {
    question: "คอมโบสกิลของมียามีอะไรบ้าง",
    view: "SELECT title, skills FROM combo_translation WHERE lang = 'th' AND hero = 'มียา' ORDER BY combo_id",
    tables: `SELECT title, group_concat(name, ', ') AS skills FROM (
        SELECT combo_id, title, coalesce(${wordsOf("skill_text", "skill_id", "step.skill_id").replace("AND lang", "AND hero_id = 1 AND lang")}, skill_id) AS name
        FROM skill_combo JOIN skill_combo_text USING (combo_id) JOIN skill_combo_step AS step USING (combo_id)
        WHERE skill_combo.hero_id = 1 AND lang = 'th' ORDER BY combo_id, position)
      GROUP BY combo_id ORDER BY combo_id`,
  },
  {
    question: "ไอเทมแต่ละชิ้นอัปเกรดเป็นอะไร",
    view: `SELECT part.name AS part, whole.name AS whole FROM item_tree JOIN item_text AS part USING (item_id)
      JOIN item_text AS whole ON whole.item_id = target_item_id AND whole.lang = part.lang
      WHERE part.lang = 'th' ORDER BY item_tree.item_id, target_item_id LIMIT 5`,
    tables: `SELECT ${wordsOf("item_text", "item_id", "item_upgrade.item_id")} AS part, ${wordsOf("item_text", "item_id", "target_item_id")} AS whole
      FROM item_upgrade WHERE target_item_id IN (SELECT item_id FROM item) ORDER BY item_id, target_item_id LIMIT 5`,
  },
  {
    question: "เมจตัวไหนเล่นตำแหน่งโรมได้",
    view: `SELECT hero_text.name FROM hero_place JOIN hero_text USING (hero_id)
      WHERE lang = 'th' AND roles LIKE '%mage%' AND lanes LIKE '%roam%' ORDER BY hero_id`,
    tables: `SELECT ${nameOf("mage.hero_id")} AS name FROM (SELECT hero_id FROM hero_role WHERE role = 'mage'
      INTERSECT SELECT hero_id FROM hero_lane WHERE lane = 'roam') AS mage ORDER BY mage.hero_id`,
  },
];

test.for(THAI_QUESTIONS)("$question: the view says what the tables say", ({ view, tables }) => {
  const [shown, counted] = [view, tables].map((sql) => db.prepare<[], object>(sql).all());
  expect(shown?.length).toBeGreaterThan(0);
  expect(shown).toEqual(counted);
});

test("are fifteen, and each view that has names in English or Thai answers one", () => {
  expect(THAI_QUESTIONS).toHaveLength(15);
  const views = new Set(THAI_QUESTIONS.flatMap(({ view }) => /FROM (\w+)/.exec(view)?.[1] ?? []));
  expect(views.size).toBe(14);
  // A word that nobody knows in a filter gives no rows: each answer above has some in Thai.
  const thai = THAI_QUESTIONS.filter(({ view }) => JSON.stringify(db.prepare(view).all()).match(/[ก-๙]/));
  expect(thai.length).toBe(14);
});
