import { ENGLISH_HERO, HERO_ID, PICKED, RANK_COLUMN, share } from "../columns.ts";
import { integer, maybe, type SnapshotView, text } from "../definition.ts";

/** Names of a build's items or talents in order. One without a name in the language has its id. */
const namesOf = (part: "item" | "talent", lang: string, comma: string) => `(SELECT group_concat(name, ${comma})
        FROM (SELECT coalesce(${part}_text.name, CAST(part.${part}_id AS TEXT)) AS name
              FROM hero_build_${part} AS part LEFT JOIN ${part}_text ON ${part}_text.${part}_id = part.${part}_id AND ${part}_text.lang = ${lang}
              WHERE (part.hero_id, part.lane, part.rank, part.build_position) = (build.hero_id, build.lane, build.rank, build.position)
              ORDER BY part.position)) AS ${part}s`;

/** All builds with the names of a language, and what stands between two of them; both are expressions. */
export const selectBuilds = (lang: string, comma: string): string =>
  `SELECT build.hero_id, hero.name AS hero, build.lane, build.rank, build.position, build.win_rate, build.pick_rate,
       (SELECT sum(pick_rate) FROM hero_build AS listed
        WHERE (listed.hero_id, listed.lane, listed.rank) = (build.hero_id, build.lane, build.rank)) AS listed_share,
       ${namesOf("item", lang, comma)},
       emblem_text.name AS emblem,
       ${namesOf("talent", lang, comma)},
       spell_text.name AS spell
FROM hero CROSS JOIN hero_build AS build
LEFT JOIN emblem_text ON emblem_text.emblem_id = build.emblem_id AND emblem_text.lang = ${lang}
LEFT JOIN spell_text ON spell_text.spell_id = build.spell_id AND spell_text.lang = ${lang}
WHERE build.hero_id = hero.hero_id`;

export const buildViews: readonly SnapshotView[] = [
  {
    name: "build_list",
    description:
      "Builds of the heroes with English names. They are a small part of the matches: listed_share. Filter by hero_id, lane and rank.",
    columns: {
      hero_id: HERO_ID,
      hero: ENGLISH_HERO,
      lane: text("Lane."),
      rank: RANK_COLUMN,
      position: integer("Place in the list, from 1."),
      win_rate: share("Share of matches that the hero won with the build."),
      pick_rate: share(PICKED),
      listed_share: share(
        "Share of the hero's matches on the lane that the listed builds of the rank are together. Nothing is known of the others.",
      ),
      items: maybe.text("Names of the items in order. null: the build has no items."),
      emblem: maybe.text("Name of the emblem. null: the list of emblems lacks it."),
      talents: maybe.text("Names of the talents in order. null: the build has no talents."),
      spell: maybe.text("Name of the battle spell. null: the list of spells lacks it."),
    },
    order: ["hero_id", "lane", "rank", "position"],
    select: selectBuilds("'en'", "', '"),
    example:
      "SELECT position, round(win_rate, 4) AS win_rate, round(listed_share, 4) AS listed_share, items, emblem, spell FROM build_list WHERE hero = 'Layla' AND lane = 'gold' AND rank = 'all' ORDER BY position",
  },
];
