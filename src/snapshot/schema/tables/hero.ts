import { LANES, ROLES } from "../../../api/enumerations.ts";
import { integer, maybe, text } from "../definition.ts";
import { asked, at, codeOf, constant, objects, place, values } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toLanguage = { columns: ["lang"], table: "language" };

const KINDS = ["assist", "strong", "weak"];

export const heroTables: DefinedTable[] = [
  {
    name: "hero",
    kind: "row",
    label: "name",
    description:
      "One row for each hero, from the English records. Texts are in hero_text, roles in hero_role and lanes in hero_lane. The upstream does not say when a hero was released.",
    columns: {
      hero_id: integer("Publisher's number of the hero.", {
        from: { heroes: at("data.hero_id"), hero: asked("hero"), catalog: at("data.hero_id") },
        source: "heroes data.hero_id, hero data.hero.data.heroid",
      }),
      name: text("English name.", { from: { heroes: at("data.hero.data.name") } }),
      head_url: maybe.text("Portrait.", { from: { heroes: at("data.hero.data.head") } }),
      smallmap_url: maybe.text("Portrait for the map.", { from: { heroes: at("data.hero.data.smallmap") } }),
      square_head_url: maybe.text("Square portrait.", { from: { hero: at("data.hero.data.squarehead") } }),
      square_head_big_url: maybe.text("Large square portrait.", { from: { hero: at("data.hero.data.squareheadbig") } }),
      game_painting_url: maybe.text("Picture from the game.", { from: { hero: at("data.hero.data.painting") } }),
      page_head_url: maybe.text("Portrait of the hero's page.", { from: { hero: at("data.head") } }),
      head_big_url: maybe.text("Large portrait of the hero's page.", { from: { hero: at("data.head_big") } }),
      painting_url: maybe.text("Full picture of the hero's page.", { from: { hero: at("data.painting") } }),
      catalog_painting_url: maybe.text("Picture in the catalogue.", { from: { catalog: at("data.painting") } }),
      lore_url: maybe.text("Page with the hero's story.", { from: { hero: at("data.url") } }),
      durability: maybe.integer("Durability, as the game shows it to players.", {
        from: { hero: at("data.hero.data.abilityshow.0") },
        unit: "0 to 100",
      }),
      offense: maybe.integer("Offense, as the game shows it to players.", {
        from: { hero: at("data.hero.data.abilityshow.1") },
        unit: "0 to 100",
      }),
      ability_effects: maybe.integer("Ability effects, as the game shows them to players.", {
        from: { hero: at("data.hero.data.abilityshow.2") },
        unit: "0 to 100",
      }),
      difficulty: maybe.integer("Difficulty: 100 is the hardest hero to play.", {
        from: { hero: at("data.hero.data.difficulty") },
        unit: "0 to 100",
        source: "hero data.hero.data.difficulty, data.hero.data.abilityshow[3]",
      }),
      skill_levels: maybe.text("Recommended order in which to level the skills, in the publisher's notation.", {
        from: { hero: at("data.hero.data.recommendlevellabel") },
      }),
      channel_id: maybe.integer("Id of the hero's record. Other records refer to it as hero_channel.", {
        from: { hero: at("id") },
      }),
      created_at_ms: maybe.integer("Time when the hero's record was made, which is not when the hero was released.", {
        from: { hero: at("createdAt") },
        stamp: "record",
      }),
      updated_at_ms: maybe.integer("Time when the hero's record was last changed.", {
        from: { hero: at("updatedAt") },
        stamp: "record",
      }),
      game_record_id: maybe.integer(
        "Id of the game record, a record inside the hero's record with texts and skills from the game.",
        { from: { hero: at("data.hero.id") } },
      ),
      game_source_id: maybe.integer("Publisher's id of the game record's source.", {
        from: { hero: at("data.hero.sourceId") },
      }),
      game_created_at_ms: maybe.integer("Time when the game record was made.", {
        from: { hero: at("data.hero._createdAt") },
        stamp: "record",
      }),
      game_updated_at_ms: maybe.integer("Time when the game record was last changed.", {
        from: { hero: at("data.hero._updatedAt") },
        stamp: "record",
      }),
    },
    key: ["hero_id"],
    indexes: [["name"]],
    rows: [
      {
        datasets: ["heroes"],
        langs: "base",
      },
      {
        datasets: ["hero"],
        langs: "base",
        merge: "add",
        slice: "detail_slice_id",
      },
      {
        datasets: ["catalog"],
        langs: "base",
        merge: "add",
        slice: "catalog_slice_id",
      },
    ],
  },
  {
    name: "hero_text",
    kind: "text",
    label: "name",
    description: "Name and story of each hero by language.",
    columns: {
      hero_id: integer("Hero.", { from: { heroes: at("data.hero_id"), hero: asked("hero") } }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name of the hero.", { from: { heroes: at("data.hero.data.name") } }),
      story: maybe.text("One line about the hero.", { from: { hero: at("data.hero.data.story") } }),
      tale: maybe.text("Longer story. The upstream leaves it empty for most heroes.", {
        from: { hero: at("data.hero.data.tale") },
      }),
    },
    key: ["hero_id", "lang"],
    references: [toHero, toLanguage],
    rows: [
      {
        datasets: ["heroes"],
        langs: "each",
      },
      {
        datasets: ["hero"],
        langs: "each",
        merge: "add",
        slice: "detail_slice_id",
      },
    ],
  },
  {
    name: "hero_speciality",
    kind: "list",
    description: "Labels for the strengths of each hero, by language.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      lang: text("Language.", { from: asked("lang") }),
      position: integer("Place in the list, from 1.", { from: place() }),
      speciality: text("Label.", { from: at("") }),
    },
    key: ["hero_id", "lang", "position"],
    references: [toHero, toLanguage],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "each", each: [values("data.hero.data.speciality", { padding: "" })] }],
  },
  placeTable("hero_role", "role", "sortid", "sort_id", ROLES),
  placeTable("hero_lane", "lane", "roadsort", "road_sort_id", LANES),
  {
    name: "hero_relation",
    kind: "list",
    description:
      "Good team mates, easy opponents and counters of a hero, chosen by the upstream's editors. Padding is left out.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      kind: text(
        "assist: the other hero is a good team mate. strong: the hero is good against the other. weak: the other is good against the hero.",
      ),
      position: integer("Place in the list, from 1.", { from: place() }),
      target_hero_id: integer("The other hero.", { from: at("") }),
    },
    key: ["hero_id", "kind", "position"],
    references: [toHero, { columns: ["target_hero_id"], table: "hero" }],
    indexes: [["target_hero_id"]],
    checks: ["kind IN ('assist', 'strong', 'weak')"],
    withoutRowid: true,
    rows: KINDS.map((kind) => ({
      datasets: ["relations"],
      langs: "base",
      each: [values(`data.relation.${kind}.target_hero_id`, { padding: 0 })],
      cells: { kind: constant(kind) },
    })),
  },
  {
    name: "hero_relation_text",
    kind: "text",
    description: "Explanations of the relations, by language.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      kind: text("assist, strong or weak."),
      lang: text("Language.", { from: asked("lang") }),
      description: text("The editors' explanation."),
    },
    key: ["hero_id", "kind", "lang"],
    references: [toHero, toLanguage],
    rows: KINDS.map((kind) => ({
      datasets: ["hero"],
      langs: "each",
      blank: "description",
      cells: { kind: constant(kind), description: at(`data.relation.${kind}.desc`) },
    })),
  },
];

function placeTable(
  name: string,
  owner: string,
  list: string,
  id: string,
  codes: readonly { code: string; id: string }[],
): DefinedTable {
  return {
    name,
    kind: "list",
    description: `The ${owner}s of each hero in the English record, the main ${owner} first. Empty places are left out.`,
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      position: integer("Place in the list, from 1.", { from: place() }),
      [owner]: text(`Code of the ${owner}.`, { from: codeOf(`data.${id}`, owner, codes) }),
    },
    key: ["hero_id", "position"],
    references: [toHero, { columns: [owner], table: owner }],
    indexes: [[owner]],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "base", each: [objects(`data.hero.data.${list}`, { padding: "" })] }],
  };
}
