PRAGMA user_version = 10900;

CREATE VIEW banned_counter AS
SELECT banned.rank, banned.days, banned.ban_place, banned.hero_id, hero.name AS hero, banned.ban_rate, pairing.position,
       pairing.other_hero_id, other.name AS counter, pairing.increase_win_rate
FROM (SELECT rank, days, hero_id, ban_rate, rank() OVER (PARTITION BY rank, days ORDER BY ban_rate DESC, hero_id) AS ban_place FROM hero_rate) AS banned
JOIN hero USING (hero_id)
JOIN hero_pairing AS pairing ON pairing.source = 'counters' AND pairing.hero_id = banned.hero_id AND pairing.rank = banned.rank
  AND pairing.days = banned.days AND pairing.side = 'worst'
JOIN hero AS other ON other.hero_id = pairing.other_hero_id;

CREATE VIEW build_list AS
SELECT hero_id, hero, lane, rank, position, win_rate, pick_rate, items, emblem, talents, spell FROM build_translation WHERE lang = 'en';

CREATE VIEW build_translation AS
SELECT hero_text.lang, build.hero_id, hero_text.name AS hero, build.lane, build.rank, build.position, build.win_rate, build.pick_rate,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(item_text.name, part.item_id) AS name
              FROM hero_build_item AS part LEFT JOIN item_text ON item_text.item_id = part.item_id AND item_text.lang = hero_text.lang
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS items,
       emblem_text.name AS emblem,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(talent_text.name, part.talent_id) AS name
              FROM hero_build_talent AS part LEFT JOIN talent_text ON talent_text.talent_id = part.talent_id AND talent_text.lang = hero_text.lang
              WHERE (part.hero_id, part.lane, part.rank, part.position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.place)) AS talents,
       spell_text.name AS spell
FROM hero_build AS build
JOIN hero_text USING (hero_id)
LEFT JOIN emblem_text ON emblem_text.emblem_id = build.emblem_id AND emblem_text.lang = hero_text.lang
LEFT JOIN spell_text ON spell_text.spell_id = build.spell_id AND spell_text.lang = hero_text.lang;

CREATE VIEW combo_list AS
SELECT hero_text.lang, combo.hero_id, hero_text.name AS hero, combo.combo_id, text.title,
       (SELECT group_concat(name, ', ')
        FROM (SELECT coalesce(skill_text.name, step.skill_id) AS name
              FROM skill_combo_step AS step
              LEFT JOIN skill_text ON skill_text.hero_id = combo.hero_id AND skill_text.skill_id = step.skill_id AND skill_text.lang = hero_text.lang
              WHERE step.combo_id = combo.combo_id ORDER BY step.position)) AS skills,
       text.description
FROM skill_combo AS combo
JOIN hero_text USING (hero_id)
LEFT JOIN skill_combo_text AS text ON text.combo_id = combo.combo_id AND text.lang = hero_text.lang;

CREATE VIEW counter_list AS
SELECT pairing.hero_id, hero.name, pairing.rank, pairing.days, pairing.side, pairing.position,
       pairing.other_hero_id, other.name AS opponent, pairing.increase_win_rate
FROM hero CROSS JOIN hero_pairing AS pairing USING (hero_id)
JOIN hero AS other ON other.hero_id = pairing.other_hero_id
WHERE pairing.source = 'counters';

CREATE VIEW coverage_hole AS
SELECT dataset, slice, reason FROM coverage WHERE status = 'failed';

CREATE VIEW data_age AS
SELECT dataset, rank, days, count(*) AS slices, sum(status = 'failed') AS missing, sum(suspect) AS suspect,
       min(asked_at) AS oldest, max(asked_at) AS newest
FROM coverage GROUP BY dataset, rank, days;

CREATE VIEW duo_list AS
SELECT one.rank, one.hero_id, hero.name AS hero, one.other_hero_id, mate.name AS mate,
       one.increase_win_rate, two.increase_win_rate AS mate_increase_win_rate
FROM hero CROSS JOIN hero_matchup AS one USING (hero_id)
JOIN hero_matchup AS two ON two.hero_id = one.other_hero_id AND two.rank = one.rank AND two.match_type = 1 AND two.other_hero_id = one.hero_id
JOIN hero AS mate ON mate.hero_id = one.other_hero_id
WHERE one.match_type = 1 AND one.hero_id < one.other_hero_id AND one.increase_win_rate > 0 AND two.increase_win_rate > 0;

CREATE VIEW hero_place AS
SELECT hero.hero_id, hero.name, hero_role.role, hero_lane.lane
FROM hero LEFT JOIN hero_role USING (hero_id) LEFT JOIN hero_lane USING (hero_id);

CREATE VIEW item_tree AS
SELECT upgrade.item_id, part.name AS item, upgrade.target_item_id, whole.name AS target
FROM item_upgrade AS upgrade
JOIN item_text AS part ON part.item_id = upgrade.item_id AND part.lang = 'en'
LEFT JOIN item_text AS whole ON whole.item_id = upgrade.target_item_id AND whole.lang = 'en';

CREATE VIEW matchup_list AS
SELECT matchup.hero_id, hero.name AS hero, matchup.rank, CASE match_type WHEN 0 THEN 'against' ELSE 'with' END AS played,
       matchup.other_hero_id, other.name AS other, matchup.increase_win_rate
FROM hero CROSS JOIN hero_matchup AS matchup USING (hero_id)
JOIN hero AS other ON other.hero_id = matchup.other_hero_id;

CREATE VIEW minute_list AS
SELECT part.hero_id, hero.name AS hero, part.lane, part.rank, part.from_minute, part.to_minute, part.win_rate,
       part.win_rate - whole.win_rate AS difference
FROM hero CROSS JOIN hero_lane_rate AS whole USING (hero_id) JOIN hero_minute_rate AS part USING (hero_id, lane, rank);

CREATE VIEW skill_two_languages AS
SELECT a.hero_id, hero.name AS hero, a.skill_id, a.lang AS lang_a, b.lang AS lang_b, a.name AS name_a, b.name AS name_b,
       a.description_plain AS description_a, b.description_plain AS description_b
FROM skill_text AS a
JOIN skill_text AS b ON b.hero_id = a.hero_id AND b.skill_id = a.skill_id AND b.lang <> a.lang
JOIN hero ON hero.hero_id = a.hero_id;

CREATE VIEW synergy_list AS
SELECT one.rank, one.days, one.hero_id, hero.name AS hero, one.other_hero_id, mate.name AS mate,
       one.position AS hero_position, two.position AS mate_position,
       one.increase_win_rate, two.increase_win_rate AS mate_increase_win_rate
FROM hero CROSS JOIN hero_pairing AS one USING (hero_id)
CROSS JOIN hero_pairing AS two ON two.source = 'compatibility' AND two.hero_id = one.other_hero_id AND two.rank = one.rank
  AND two.days = one.days AND two.side = 'best' AND +two.other_hero_id = one.hero_id
JOIN hero AS mate ON mate.hero_id = one.other_hero_id
WHERE one.source = 'compatibility' AND one.side = 'best' AND one.hero_id < one.other_hero_id;

CREATE VIEW text_issue_list AS
SELECT text_issue.dataset, text_issue.lang, hero.hero_id, hero.name AS hero, text_issue.path, text_issue.issue,
       CAST(json_extract(record.json, '$.' || text_issue.path) AS TEXT) AS text,
       CAST(json_extract(base.json, '$.' || text_issue.path) AS TEXT) AS english
FROM text_issue
JOIN record USING (dataset, slice, position)
JOIN coverage USING (dataset, slice)
LEFT JOIN hero ON hero.hero_id = coalesce(coverage.hero_id, json_extract(record.json, '$.data.hero_id'))
LEFT JOIN record AS base ON base.dataset = text_issue.dataset AND base.position = text_issue.english_position
  AND base.slice = substr(text_issue.slice, 1, length(text_issue.slice) - length(text_issue.lang)) || 'en';

CREATE VIEW tier_list AS
SELECT rate.rank, rate.days, hero_text.lang, rate.place, rate.hero_id, hero_text.name,
       rate.win_rate, rate.ban_rate, rate.appearance_rate
FROM (SELECT *, rank() OVER (PARTITION BY rank, days ORDER BY win_rate DESC, hero_id) AS place FROM hero_rate) AS rate
JOIN hero_text USING (hero_id);

CREATE VIEW trend_change AS
SELECT now.hero_id, hero.name, now.rank, now.date, now.win_rate, now.win_rate - before.win_rate AS change_7_days
FROM hero CROSS JOIN hero_trend AS now USING (hero_id)
LEFT JOIN hero_trend AS before ON before.rank = now.rank AND before.hero_id = now.hero_id
  AND before.date = date(now.date, '-7 days');

CREATE VIEW trend_rise AS
SELECT ends.rank, rank() OVER (PARTITION BY ends.rank ORDER BY ends.win_rate_to - ends.win_rate_from DESC, ends.hero_id) AS place,
       ends.hero_id, ends.name, ends.date_from, ends.date_to, ends.win_rate_from, ends.win_rate_to,
       ends.win_rate_to - ends.win_rate_from AS rise, ends.appearance_rate
FROM (SELECT rank.rank, hero.hero_id, hero.name,
             (SELECT count(*) FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id) AS days,
             (SELECT min(date) FROM (SELECT * FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id ORDER BY date LIMIT 3)) AS date_from,
             (SELECT max(date) FROM (SELECT * FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id ORDER BY date DESC LIMIT 3)) AS date_to,
             (SELECT avg(win_rate) FROM (SELECT * FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id ORDER BY date LIMIT 3)) AS win_rate_from,
             (SELECT avg(win_rate) FROM (SELECT * FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id ORDER BY date DESC LIMIT 3)) AS win_rate_to,
             (SELECT avg(appearance_rate) FROM (SELECT * FROM hero_trend AS day WHERE day.rank = rank.rank AND day.hero_id = hero.hero_id ORDER BY date DESC LIMIT 3)) AS appearance_rate
      FROM rank CROSS JOIN hero) AS ends
WHERE ends.days >= 6;

CREATE VIEW vote_list AS
SELECT candidate.subject, vote_text.title, candidate.position, candidate.candidate_id, text.name AS candidate, candidate.score, candidate.score_count
FROM vote_candidate AS candidate
JOIN vote_text ON vote_text.subject = candidate.subject AND vote_text.lang = 'en'
JOIN vote_candidate_text AS text ON text.subject = candidate.subject AND text.candidate_id = candidate.candidate_id AND text.lang = 'en';

CREATE TABLE column_doc (
  "table_name" TEXT NOT NULL,
  "column_name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "unit" TEXT,
  "source" TEXT,
  PRIMARY KEY ("table_name", "column_name")
) STRICT, WITHOUT ROWID;

CREATE TABLE coverage (
  "dataset" TEXT NOT NULL,
  "slice" TEXT NOT NULL,
  "hero_id" INTEGER,
  "subject" TEXT,
  "lane" TEXT,
  "rank" TEXT,
  "days" INTEGER,
  "lang" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "records" INTEGER NOT NULL,
  "sha256" TEXT,
  "batch" TEXT,
  "stale" INTEGER NOT NULL,
  "asked_at" TEXT,
  "suspect" INTEGER NOT NULL,
  PRIMARY KEY ("dataset", "slice"),
  CHECK (status IN ('captured', 'empty', 'failed')),
  CHECK (stale IN (0, 1)),
  CHECK (suspect IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE day_window (
  "days" INTEGER NOT NULL,
  PRIMARY KEY ("days")
) STRICT;

CREATE TABLE emblem (
  "emblem_id" INTEGER NOT NULL,
  "attribute_id" INTEGER,
  "icon_url" TEXT,
  "role_icon_url" TEXT,
  PRIMARY KEY ("emblem_id")
) STRICT;

CREATE TABLE emblem_text (
  "emblem_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "name" TEXT,
  "attributes" TEXT,
  PRIMARY KEY ("emblem_id", "lang"),
  FOREIGN KEY ("emblem_id") REFERENCES emblem,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE endpoint_state (
  "dataset" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TEXT NOT NULL,
  "deprecated" INTEGER,
  PRIMARY KEY ("dataset"),
  CHECK (state IN ('open', 'withdrawn', 'left-out')),
  CHECK (deprecated IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE game_version (
  "version_id" INTEGER NOT NULL,
  "game_version" TEXT NOT NULL,
  "created_at_ms" INTEGER NOT NULL,
  "updated_at_ms" INTEGER,
  PRIMARY KEY ("version_id")
) STRICT;

CREATE TABLE hero (
  "hero_id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "head_url" TEXT,
  "smallmap_url" TEXT,
  "square_head_url" TEXT,
  "square_head_big_url" TEXT,
  "game_painting_url" TEXT,
  "page_head_url" TEXT,
  "head_big_url" TEXT,
  "painting_url" TEXT,
  "catalog_painting_url" TEXT,
  "lore_url" TEXT,
  "durability" INTEGER,
  "offense" INTEGER,
  "ability_effects" INTEGER,
  "difficulty" INTEGER,
  "skill_levels" TEXT,
  "channel_id" INTEGER,
  "created_at_ms" INTEGER,
  "updated_at_ms" INTEGER,
  "game_record_id" INTEGER,
  "game_source_id" INTEGER,
  "game_created_at_ms" INTEGER,
  "game_updated_at_ms" INTEGER,
  PRIMARY KEY ("hero_id")
) STRICT;

CREATE TABLE hero_batch (
  "source" TEXT NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "rank" TEXT NOT NULL,
  "days" INTEGER NOT NULL,
  "batch_at_ms" INTEGER,
  "created_at_ms" INTEGER,
  "record_id" INTEGER,
  "source_id" INTEGER,
  "channel_id" INTEGER,
  "win_rate" REAL NOT NULL,
  "ban_rate" REAL,
  "appearance_rate" REAL,
  "match_type" TEXT,
  "camp_type" TEXT,
  PRIMARY KEY ("source", "hero_id", "rank", "days"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("rank") REFERENCES rank
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_build (
  "hero_id" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  "rank" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "win_rate" REAL NOT NULL,
  "pick_rate" REAL NOT NULL,
  "emblem_id" INTEGER NOT NULL,
  "spell_id" INTEGER NOT NULL,
  "batch_at_ms" INTEGER,
  "created_at_ms" INTEGER,
  "record_id" INTEGER,
  "source_id" INTEGER,
  PRIMARY KEY ("hero_id", "lane", "rank", "position"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lane") REFERENCES lane,
  FOREIGN KEY ("rank") REFERENCES rank
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_build_item (
  "hero_id" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  "rank" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "place" INTEGER NOT NULL,
  "item_id" INTEGER NOT NULL,
  PRIMARY KEY ("hero_id", "lane", "rank", "position", "place"),
  FOREIGN KEY ("hero_id", "lane", "rank", "position") REFERENCES hero_build
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_build_talent (
  "hero_id" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  "rank" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "place" INTEGER NOT NULL,
  "talent_id" INTEGER NOT NULL,
  PRIMARY KEY ("hero_id", "lane", "rank", "position", "place"),
  FOREIGN KEY ("hero_id", "lane", "rank", "position") REFERENCES hero_build
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_lane (
  "hero_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  PRIMARY KEY ("hero_id", "position"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lane") REFERENCES lane
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_lane_rate (
  "hero_id" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  "rank" TEXT NOT NULL,
  "win_rate" REAL,
  "batch_at_ms" INTEGER,
  "created_at_ms" INTEGER,
  "record_id" INTEGER,
  "source_id" INTEGER,
  PRIMARY KEY ("hero_id", "lane", "rank"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lane") REFERENCES lane,
  FOREIGN KEY ("rank") REFERENCES rank
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_matchup (
  "rank" TEXT NOT NULL,
  "match_type" INTEGER NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "other_hero_id" INTEGER NOT NULL,
  "increase_win_rate" REAL NOT NULL,
  PRIMARY KEY ("hero_id", "rank", "match_type", "other_hero_id"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("rank") REFERENCES rank,
  CHECK (match_type IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_minute_rate (
  "hero_id" INTEGER NOT NULL,
  "lane" TEXT NOT NULL,
  "rank" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "from_minute" INTEGER NOT NULL,
  "to_minute" INTEGER,
  "win_rate" REAL NOT NULL,
  PRIMARY KEY ("hero_id", "lane", "rank", "position"),
  FOREIGN KEY ("hero_id", "lane", "rank") REFERENCES hero_lane_rate
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_pairing (
  "source" TEXT NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "rank" TEXT NOT NULL,
  "days" INTEGER NOT NULL,
  "side" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "other_hero_id" INTEGER NOT NULL,
  "increase_win_rate" REAL NOT NULL,
  "other_win_rate" REAL,
  "other_appearance_rate" REAL,
  "other_channel_id" INTEGER,
  "win_rate_0_6" REAL,
  "win_rate_6_8" REAL,
  "win_rate_8_10" REAL,
  "win_rate_10_12" REAL,
  "win_rate_12_14" REAL,
  "win_rate_14_16" REAL,
  "win_rate_16_18" REAL,
  "win_rate_18_20" REAL,
  "win_rate_20" REAL,
  PRIMARY KEY ("source", "hero_id", "rank", "days", "side", "position"),
  FOREIGN KEY ("source", "hero_id", "rank", "days") REFERENCES hero_batch,
  CHECK (side IN ('best', 'worst'))
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_rate (
  "rank" TEXT NOT NULL,
  "days" INTEGER NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "win_rate" REAL NOT NULL,
  "ban_rate" REAL NOT NULL,
  "appearance_rate" REAL NOT NULL,
  "channel_id" INTEGER,
  PRIMARY KEY ("rank", "days", "hero_id"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("rank") REFERENCES rank,
  FOREIGN KEY ("days") REFERENCES day_window
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_rate_opponent (
  "rank" TEXT NOT NULL,
  "days" INTEGER NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "other_hero_id" INTEGER NOT NULL,
  "increase_win_rate" REAL NOT NULL,
  "other_channel_id" INTEGER,
  PRIMARY KEY ("rank", "days", "hero_id", "position"),
  FOREIGN KEY ("rank", "days", "hero_id") REFERENCES hero_rate
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_relation (
  "hero_id" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "target_hero_id" INTEGER NOT NULL,
  PRIMARY KEY ("hero_id", "kind", "position"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("target_hero_id") REFERENCES hero,
  CHECK (kind IN ('assist', 'strong', 'weak'))
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_relation_text (
  "hero_id" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("hero_id", "kind", "lang"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE hero_role (
  "hero_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "role" TEXT NOT NULL,
  PRIMARY KEY ("hero_id", "position"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("role") REFERENCES role
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_speciality (
  "hero_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "speciality" TEXT NOT NULL,
  PRIMARY KEY ("hero_id", "lang", "position"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_text (
  "hero_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "story" TEXT,
  "tale" TEXT,
  PRIMARY KEY ("hero_id", "lang"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE hero_trend (
  "rank" TEXT NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "date" TEXT NOT NULL,
  "win_rate" REAL NOT NULL,
  "ban_rate" REAL NOT NULL,
  "appearance_rate" REAL NOT NULL,
  PRIMARY KEY ("rank", "hero_id", "date"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("rank") REFERENCES rank
) STRICT, WITHOUT ROWID;

CREATE TABLE hero_trend_series (
  "rank" TEXT NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "days" INTEGER NOT NULL,
  "batch_at_ms" INTEGER,
  "created_at_ms" INTEGER,
  "record_id" INTEGER,
  "source_id" INTEGER,
  "match_type" TEXT,
  "camp_type" TEXT,
  PRIMARY KEY ("rank", "hero_id", "days"),
  FOREIGN KEY ("hero_id") REFERENCES hero,
  FOREIGN KEY ("rank") REFERENCES rank
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
  "item_id" INTEGER NOT NULL,
  "icon_url" TEXT,
  "type_id" INTEGER,
  PRIMARY KEY ("item_id")
) STRICT;

CREATE TABLE item_text (
  "item_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "type_name" TEXT,
  "tips" TEXT,
  "description" TEXT,
  "description_plain" TEXT,
  PRIMARY KEY ("item_id", "lang"),
  FOREIGN KEY ("item_id") REFERENCES item,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE item_upgrade (
  "item_id" INTEGER NOT NULL,
  "target_item_id" INTEGER NOT NULL,
  PRIMARY KEY ("item_id", "target_item_id"),
  FOREIGN KEY ("item_id") REFERENCES item
) STRICT, WITHOUT ROWID;

CREATE TABLE lane (
  "lane" TEXT NOT NULL,
  "road_sort_id" TEXT NOT NULL,
  "icon_url" TEXT,
  PRIMARY KEY ("lane")
) STRICT, WITHOUT ROWID;

CREATE TABLE lane_text (
  "lane" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  PRIMARY KEY ("lane", "lang"),
  FOREIGN KEY ("lane") REFERENCES lane,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE language (
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "script" TEXT NOT NULL,
  PRIMARY KEY ("lang")
) STRICT, WITHOUT ROWID;

CREATE TABLE language_proof (
  "dataset" TEXT NOT NULL,
  "slice" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "difference" TEXT,
  PRIMARY KEY ("dataset", "slice")
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_text (
  "text_id" INTEGER NOT NULL,
  "dataset" TEXT NOT NULL,
  "entries" TEXT NOT NULL,
  "id_path" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "needed" INTEGER NOT NULL,
  PRIMARY KEY ("text_id"),
  CHECK (needed IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE misfit (
  "misfit_id" INTEGER NOT NULL,
  "table_name" TEXT NOT NULL,
  "column_name" TEXT,
  "dataset" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "example" TEXT NOT NULL,
  PRIMARY KEY ("misfit_id")
) STRICT;

CREATE TABLE rank (
  "rank" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "bigrank" TEXT NOT NULL,
  PRIMARY KEY ("rank")
) STRICT, WITHOUT ROWID;

CREATE TABLE rank_step (
  "first_rank_id" INTEGER NOT NULL,
  "last_rank_id" INTEGER NOT NULL,
  "level" INTEGER NOT NULL,
  "division" INTEGER,
  "icon_url" TEXT,
  PRIMARY KEY ("first_rank_id")
) STRICT;

CREATE TABLE rank_step_text (
  "first_rank_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "division_name" TEXT,
  PRIMARY KEY ("first_rank_id", "lang"),
  FOREIGN KEY ("first_rank_id") REFERENCES rank_step,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  "dataset" TEXT NOT NULL,
  "slice" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "json" TEXT NOT NULL,
  "texts" TEXT,
  PRIMARY KEY ("dataset", "slice", "position"),
  FOREIGN KEY ("dataset", "slice") REFERENCES coverage
) STRICT;

CREATE TABLE refusal (
  "dimension" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "dataset" TEXT NOT NULL,
  "since" TEXT NOT NULL,
  "since_version" TEXT NOT NULL,
  "status" INTEGER,
  "code" TEXT,
  "slices_carried" INTEGER NOT NULL,
  "slices_missing" INTEGER NOT NULL,
  PRIMARY KEY ("dimension", "value", "dataset"),
  CHECK (dimension IN ('endpoint', 'lang', 'rank', 'days', 'lane', 'hero'))
) STRICT, WITHOUT ROWID;

CREATE TABLE role (
  "role" TEXT NOT NULL,
  "sort_id" TEXT NOT NULL,
  "icon_url" TEXT,
  PRIMARY KEY ("role")
) STRICT, WITHOUT ROWID;

CREATE TABLE role_text (
  "role" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  PRIMARY KEY ("role", "lang"),
  FOREIGN KEY ("role") REFERENCES role,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE shape (
  "dataset" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "types" TEXT NOT NULL,
  "seen" INTEGER NOT NULL,
  "parents" INTEGER NOT NULL,
  "example" TEXT NOT NULL,
  "by_type" TEXT NOT NULL,
  PRIMARY KEY ("dataset", "path"),
  CHECK (json_valid(by_type))
) STRICT, WITHOUT ROWID;

CREATE TABLE skill (
  "hero_id" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "icon_url" TEXT,
  "video_url" TEXT,
  PRIMARY KEY ("hero_id", "skill_id"),
  FOREIGN KEY ("hero_id") REFERENCES hero
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_combo (
  "combo_id" INTEGER NOT NULL,
  "hero_id" INTEGER NOT NULL,
  "created_at_ms" INTEGER,
  "updated_at_ms" INTEGER,
  PRIMARY KEY ("combo_id"),
  FOREIGN KEY ("hero_id") REFERENCES hero
) STRICT;

CREATE TABLE skill_combo_step (
  "combo_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "icon_url" TEXT,
  "record_id" INTEGER,
  "source_id" INTEGER,
  "created_at_ms" INTEGER,
  "updated_at_ms" INTEGER,
  PRIMARY KEY ("combo_id", "position"),
  FOREIGN KEY ("combo_id") REFERENCES skill_combo
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_combo_text (
  "combo_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("combo_id", "lang"),
  FOREIGN KEY ("combo_id") REFERENCES skill_combo,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE skill_slot (
  "hero_id" INTEGER NOT NULL,
  "list_position" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "list_id" TEXT NOT NULL,
  PRIMARY KEY ("hero_id", "list_position", "position"),
  FOREIGN KEY ("hero_id", "skill_id") REFERENCES skill
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_tag (
  "hero_id" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "tag_id" INTEGER NOT NULL,
  PRIMARY KEY ("hero_id", "skill_id", "position"),
  FOREIGN KEY ("hero_id", "skill_id") REFERENCES skill,
  FOREIGN KEY ("tag_id") REFERENCES tag
) STRICT, WITHOUT ROWID;

CREATE TABLE skill_text (
  "hero_id" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "description_plain" TEXT NOT NULL,
  "cooldown_and_cost" TEXT,
  "cooldown_seconds" REAL,
  "mana_cost" REAL,
  PRIMARY KEY ("hero_id", "skill_id", "lang"),
  FOREIGN KEY ("hero_id", "skill_id") REFERENCES skill,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE snapshot (
  "version" TEXT NOT NULL,
  "content_hash" TEXT NOT NULL,
  "schema_version" TEXT NOT NULL,
  "started_at" TEXT NOT NULL,
  "game_version" TEXT,
  "heroes" INTEGER NOT NULL,
  "licence" TEXT NOT NULL,
  "attribution" TEXT NOT NULL,
  "archive_hash" TEXT NOT NULL,
  "sample" INTEGER NOT NULL,
  "rolling" INTEGER NOT NULL,
  PRIMARY KEY ("version"),
  CHECK (sample IN (0, 1)),
  CHECK (rolling IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE spell (
  "spell_id" INTEGER NOT NULL,
  "icon_url" TEXT,
  PRIMARY KEY ("spell_id")
) STRICT;

CREATE TABLE spell_text (
  "spell_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT,
  "summary" TEXT,
  "description" TEXT,
  "description_plain" TEXT,
  PRIMARY KEY ("spell_id", "lang"),
  FOREIGN KEY ("spell_id") REFERENCES spell,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE table_doc (
  "table_name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("table_name")
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  "tag_id" INTEGER NOT NULL,
  "color" TEXT,
  PRIMARY KEY ("tag_id")
) STRICT;

CREATE TABLE tag_text (
  "tag_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  PRIMARY KEY ("tag_id", "lang"),
  FOREIGN KEY ("tag_id") REFERENCES tag,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE talent (
  "talent_id" INTEGER NOT NULL,
  "tier" INTEGER NOT NULL,
  "skill_id" INTEGER NOT NULL,
  "icon_url" TEXT,
  PRIMARY KEY ("talent_id")
) STRICT;

CREATE TABLE talent_text (
  "talent_id" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT,
  "description_plain" TEXT,
  PRIMARY KEY ("talent_id", "lang"),
  FOREIGN KEY ("talent_id") REFERENCES talent,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE TABLE text_issue (
  "dataset" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "slice" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "english_position" INTEGER,
  "path" TEXT NOT NULL,
  "issue" TEXT NOT NULL,
  PRIMARY KEY ("dataset", "lang", "slice", "position", "path"),
  FOREIGN KEY ("dataset", "slice", "position") REFERENCES record
) STRICT, WITHOUT ROWID;

CREATE TABLE text_quality (
  "dataset" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "texts" INTEGER NOT NULL,
  "missing" INTEGER NOT NULL,
  "same_as_english" INTEGER NOT NULL,
  "wrong_script" INTEGER NOT NULL,
  "placeholder" INTEGER NOT NULL,
  PRIMARY KEY ("dataset", "lang")
) STRICT, WITHOUT ROWID;

CREATE TABLE text_rule (
  "dataset" TEXT NOT NULL,
  "rule" TEXT NOT NULL,
  PRIMARY KEY ("dataset"),
  CHECK (json_valid(rule))
) STRICT, WITHOUT ROWID;

CREATE TABLE vote (
  "subject" INTEGER NOT NULL,
  "comments" INTEGER,
  PRIMARY KEY ("subject")
) STRICT;

CREATE TABLE vote_candidate (
  "subject" INTEGER NOT NULL,
  "candidate_id" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "score" REAL,
  "score_total" INTEGER,
  "score_count" INTEGER,
  "image_url" TEXT,
  "image_big_url" TEXT,
  PRIMARY KEY ("subject", "candidate_id"),
  FOREIGN KEY ("subject") REFERENCES vote
) STRICT, WITHOUT ROWID;

CREATE TABLE vote_candidate_text (
  "subject" INTEGER NOT NULL,
  "candidate_id" TEXT NOT NULL,
  "lang" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "top_comment" TEXT,
  PRIMARY KEY ("subject", "candidate_id", "lang"),
  FOREIGN KEY ("subject", "candidate_id") REFERENCES vote_candidate,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT, WITHOUT ROWID;

CREATE TABLE vote_text (
  "subject" INTEGER NOT NULL,
  "lang" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("subject", "lang"),
  FOREIGN KEY ("subject") REFERENCES vote,
  FOREIGN KEY ("lang") REFERENCES language
) STRICT;

CREATE INDEX coverage_status ON coverage ("status", "dataset", "slice", "reason") WHERE status = 'failed';

CREATE INDEX hero_lane_lane ON hero_lane ("lane");

CREATE INDEX hero_name ON hero ("name");

CREATE INDEX hero_pairing_other_hero_id ON hero_pairing ("other_hero_id");

CREATE INDEX hero_pairing_rank_days_hero_id ON hero_pairing ("rank", "days", "hero_id", "source", "side", "position", "other_hero_id", "increase_win_rate");

CREATE INDEX hero_rate_hero_id ON hero_rate ("hero_id");

CREATE INDEX hero_rate_opponent_hero_id ON hero_rate_opponent ("hero_id");

CREATE INDEX hero_rate_opponent_other_hero_id ON hero_rate_opponent ("other_hero_id");

CREATE INDEX hero_relation_target_hero_id ON hero_relation ("target_hero_id");

CREATE INDEX hero_role_role ON hero_role ("role");

CREATE INDEX hero_trend_hero_id ON hero_trend ("hero_id");

CREATE INDEX hero_trend_series_hero_id ON hero_trend_series ("hero_id");

CREATE INDEX item_upgrade_target_item_id ON item_upgrade ("target_item_id");

CREATE INDEX skill_combo_hero_id ON skill_combo ("hero_id");

CREATE INDEX skill_tag_tag_id ON skill_tag ("tag_id");
