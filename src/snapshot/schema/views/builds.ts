import { HERO_ID, RANK_COLUMN, share } from "../columns.ts";
import { integer, maybe, type SnapshotView, text } from "../definition.ts";

const BUILD_COLUMNS = {
  lane: text("Lane."),
  rank: RANK_COLUMN,
  position: integer("Place in the list, from 1."),
  win_rate: share("Share of matches that the hero won with the build."),
  pick_rate: share("Share of the hero's matches that were played with the build."),
  items: maybe.text("Names of the items in order. null: the build has no items."),
  emblem: maybe.text("Name of the emblem. null: the list of emblems lacks it."),
  talents: maybe.text("Names of the talents in order. null: the build has no talents."),
  spell: maybe.text("Name of the battle spell. null: the list of spells lacks it."),
};

export const buildViews: readonly SnapshotView[] = [
  {
    name: "build_list",
    description: "Builds of the heroes with English names. Filter by hero_id, lane and rank.",
    columns: { hero_id: HERO_ID, hero: text("English name of the hero."), ...BUILD_COLUMNS },
    order: ["hero_id", "lane", "rank", "position"],
    select: `SELECT hero_id, hero, lane, rank, position, win_rate, pick_rate, items, emblem, talents, spell FROM build_translation WHERE lang = 'en'`,
    example:
      "SELECT position, round(win_rate, 4) AS win_rate, items, emblem, spell FROM build_list WHERE hero = 'Layla' AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
  {
    name: "build_translation",
    description: "Builds of the heroes with names in each language. Filter by lang, hero_id, lane and rank.",
    columns: {
      lang: text("Language of the names. An item or talent without a name in it has its id."),
      hero_id: HERO_ID,
      hero: text("Name of the hero."),
      ...BUILD_COLUMNS,
    },
    order: ["lang", "hero_id", "lane", "rank", "position"],
    select: `SELECT hero_text.lang, build.hero_id, hero_text.name AS hero, build.lane, build.rank, build.position, build.win_rate, build.pick_rate,
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
LEFT JOIN spell_text ON spell_text.spell_id = build.spell_id AND spell_text.lang = hero_text.lang`,
    example:
      "SELECT position, hero, items, spell FROM build_translation WHERE lang = 'ja' AND hero_id = 18 AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
];
