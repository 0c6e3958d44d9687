import { integer, maybe, type TableDefinition, text } from "../definition.ts";

const MS = "epoch milliseconds";

export const heroTables: TableDefinition[] = [
  {
    name: "hero",
    description:
      "One row a hero, from the English records. Texts are in hero_text, roles and lanes in hero_role and hero_lane.",
    columns: {
      hero_id: integer("The publisher's number.", { source: "heroes data.hero_id, hero data.hero.data.heroid" }),
      name: text("English name.", { source: "heroes data.hero.data.name" }),
      head_url: maybe.text("Portrait.", { source: "heroes data.hero.data.head" }),
      smallmap_url: maybe.text("Portrait for the map.", { source: "heroes data.hero.data.smallmap" }),
      square_head_url: maybe.text("Square portrait.", { source: "hero data.hero.data.squarehead" }),
      square_head_big_url: maybe.text("Large square portrait.", { source: "hero data.hero.data.squareheadbig" }),
      game_painting_url: maybe.text("Picture from the game.", { source: "hero data.hero.data.painting" }),
      page_head_url: maybe.text("Portrait of the hero's page.", { source: "hero data.head" }),
      head_big_url: maybe.text("Large portrait of the hero's page.", { source: "hero data.head_big" }),
      painting_url: maybe.text("Full picture of the hero's page.", { source: "hero data.painting" }),
      catalog_painting_url: maybe.text("Picture in the catalogue.", { source: "catalog data.painting" }),
      lore_url: maybe.text("Page with the hero's story.", { source: "hero data.url" }),
      durability: maybe.integer("Ability shown to players.", {
        unit: "0 to 100",
        source: "hero data.hero.data.abilityshow[0]",
      }),
      offense: maybe.integer("Ability shown to players.", {
        unit: "0 to 100",
        source: "hero data.hero.data.abilityshow[1]",
      }),
      ability_effects: maybe.integer("Ability shown to players.", {
        unit: "0 to 100",
        source: "hero data.hero.data.abilityshow[2]",
      }),
      difficulty: maybe.integer("How hard the hero is to play.", {
        unit: "0 to 100",
        source: "hero data.hero.data.difficulty, data.hero.data.abilityshow[3]",
      }),
      skill_levels: maybe.text("In what order to level the skills, in the publisher's notation.", {
        source: "hero data.hero.data.recommendlevellabel",
      }),
      channel_id: maybe.integer("Id of the hero's record; other records name it as hero_channel.", {
        source: "hero id",
      }),
      created_at_ms: maybe.integer("When the record was made.", { unit: MS, source: "hero createdAt" }),
      updated_at_ms: maybe.integer("When it was last changed.", { unit: MS, source: "hero updatedAt" }),
      game_record_id: maybe.integer("Id of the record inside it, with texts and skills from the game.", {
        source: "hero data.hero.id",
      }),
      game_source_id: maybe.integer("The publisher's id of that record's source.", {
        source: "hero data.hero.sourceId",
      }),
      game_created_at_ms: maybe.integer("When that record was made.", {
        unit: MS,
        source: "hero data.hero._createdAt",
      }),
      game_updated_at_ms: maybe.integer("When it was last changed.", { unit: MS, source: "hero data.hero._updatedAt" }),
    },
    key: ["hero_id"],
    fill: `SELECT list.json ->> '$.data.hero_id', list.json ->> '$.data.hero.data.name', list.json ->> '$.data.hero.data.head',
             list.json ->> '$.data.hero.data.smallmap', nullif(detail.json ->> '$.data.hero.data.squarehead', ''),
             nullif(detail.json ->> '$.data.hero.data.squareheadbig', ''), nullif(detail.json ->> '$.data.hero.data.painting', ''),
             nullif(detail.json ->> '$.data.head', ''), nullif(detail.json ->> '$.data.head_big', ''),
             nullif(detail.json ->> '$.data.painting', ''), nullif(catalog.painting, ''), nullif(detail.json ->> '$.data.url', ''),
             CAST(nullif(detail.json ->> '$.data.hero.data.abilityshow[0]', '') AS INTEGER),
             CAST(nullif(detail.json ->> '$.data.hero.data.abilityshow[1]', '') AS INTEGER),
             CAST(nullif(detail.json ->> '$.data.hero.data.abilityshow[2]', '') AS INTEGER),
             CAST(nullif(detail.json ->> '$.data.hero.data.difficulty', '') AS INTEGER),
             nullif(detail.json ->> '$.data.hero.data.recommendlevellabel', ''),
             detail.json ->> '$.id', detail.json ->> '$.createdAt', detail.json ->> '$.updatedAt', detail.json ->> '$.data.hero.id',
             detail.json ->> '$.data.hero.sourceId', detail.json ->> '$.data.hero._createdAt', detail.json ->> '$.data.hero._updatedAt'
           FROM record AS list LEFT JOIN record AS detail ON detail.dataset = 'hero' AND detail.position = 0
             AND detail.slice = 'hero=' || (list.json ->> '$.data.hero_id') || '&lang=en'
           LEFT JOIN (SELECT json ->> '$.data.hero_id' AS hero_id, json ->> '$.data.painting' AS painting FROM record
             WHERE dataset = 'catalog' AND slice = 'lang=en') AS catalog ON catalog.hero_id = list.json ->> '$.data.hero_id'
           WHERE list.dataset = 'heroes' AND list.slice = 'lang=en' ORDER BY 1`,
  },
  {
    name: "hero_text",
    description: "Name and story of each hero by language.",
    columns: {
      hero_id: integer("Hero."),
      lang: text("Language."),
      name: text("Name.", { source: "heroes data.hero.data.name" }),
      story: maybe.text("One line about the hero.", { source: "hero data.hero.data.story" }),
      tale: maybe.text("Longer story; the upstream leaves it empty for most.", { source: "hero data.hero.data.tale" }),
    },
    key: ["hero_id", "lang"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["lang"], table: "language" },
    ],
    fill: `SELECT hero.hero_id, coverage.lang, list.json ->> '$.data.hero.data.name',
             nullif(detail.json ->> '$.data.hero.data.story', ''), nullif(detail.json ->> '$.data.hero.data.tale', '')
           FROM coverage JOIN record AS list USING (dataset, slice) JOIN hero ON hero.hero_id = list.json ->> '$.data.hero_id'
           LEFT JOIN record AS detail ON detail.dataset = 'hero' AND detail.position = 0
             AND detail.slice = 'hero=' || hero.hero_id || '&lang=' || coverage.lang
           WHERE coverage.dataset = 'heroes' ORDER BY 1, 2`,
  },
  {
    name: "hero_speciality",
    description: "What each hero is good at, in words, by language.",
    columns: {
      hero_id: integer("Hero."),
      lang: text("Language."),
      position: integer("Place in the list, from 1."),
      speciality: text("Label.", { source: "hero data.hero.data.speciality[]" }),
    },
    key: ["hero_id", "lang", "position"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["lang"], table: "language" },
    ],
    withoutRowid: true,
    fill: `SELECT coverage.hero_id, lang, entry.key + 1, entry.value
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.hero.data.speciality') AS entry
           WHERE coverage.dataset = 'hero' AND entry.value <> '' ORDER BY 1, 2, 3`,
  },
  placeTable("hero_role", "role", "sortid", "sort_id"),
  placeTable("hero_lane", "lane", "roadsort", "road_sort_id"),
  {
    name: "hero_relation",
    description:
      "Heroes that go with, lose to and counter a hero, as the upstream's editors see it. Padding is left out.",
    columns: {
      hero_id: integer("Hero."),
      kind: text("assist: good team mates; strong: heroes this one beats; weak: heroes that beat this one."),
      position: integer("Place in the list, from 1."),
      target_hero_id: integer("The other hero.", { source: "relations data.relation.*.target_hero_id[]" }),
    },
    key: ["hero_id", "kind", "position"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["target_hero_id"], table: "hero" },
    ],
    indexes: [["target_hero_id"]],
    checks: ["kind IN ('assist', 'strong', 'weak')"],
    withoutRowid: true,
    fill: `SELECT record.json ->> '$.data.hero_id', kind.key, target.key + 1, target.value
           FROM record, jsonb_each(record.json, '$.data.relation') AS kind, jsonb_each(kind.value, '$.target_hero_id') AS target
           JOIN hero ON hero.hero_id = target.value
           WHERE record.dataset = 'relations' AND kind.key IN ('assist', 'strong', 'weak') AND target.value <> 0 ORDER BY 1, 2, 3`,
  },
  {
    name: "hero_relation_text",
    description: "Why those relations hold, by language.",
    columns: {
      hero_id: integer("Hero."),
      kind: text("assist, strong or weak."),
      lang: text("Language."),
      description: text("The editors' explanation.", { source: "hero data.relation.*.desc" }),
    },
    key: ["hero_id", "kind", "lang"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["lang"], table: "language" },
    ],
    fill: `SELECT hero_id, kind.key, lang, kind.value ->> '$.desc'
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.relation') AS kind
           WHERE coverage.dataset = 'hero' AND kind.value ->> '$.desc' <> '' ORDER BY 1, 2, 3`,
  },
];

function placeTable(name: string, owner: string, list: string, id: string): TableDefinition {
  return {
    name,
    description: `The ${owner}s of each hero, the main one first, as the English record has them. Empty places are left out.`,
    columns: {
      hero_id: integer("Hero."),
      position: integer("Place in the list, from 1."),
      [owner]: text(`The ${owner}.`, { source: `hero data.hero.data.${list}[].data.${id}` }),
    },
    key: ["hero_id", "position"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: [owner], table: owner },
    ],
    indexes: [[owner]],
    withoutRowid: true,
    fill: `SELECT hero_id, entry.key + 1, ${owner}.${owner}
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.hero.data.${list}') AS entry
           JOIN ${owner} ON ${owner}.${id} = entry.value ->> '$.data.${id}'
           WHERE coverage.dataset = 'hero' AND lang = 'en' AND entry.type = 'object' ORDER BY 1, 2`,
  };
}
