import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, cooldownOf, manaOf, objects, place, plainOf } from "../row-source.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toSkill = { columns: ["hero_id", "skill_id"], table: "skill" };
const toLanguage = { columns: ["lang"], table: "language" };

/** The lists of skills of a hero; one with two forms has two, with some skills in both. */
const LISTS = [objects("data.hero.data.heroskilllist"), objects("skilllist")];
const TAGS = [...LISTS, objects("skilltag")];
const SKILL = { hero_id: asked("hero"), skill_id: at("skillid", 1) };

export const skillTables: TableDefinition[] = [
  {
    name: "skill",
    kind: "row",
    description: "Skills of the heroes. A skill that both forms of a hero have is one row.",
    columns: {
      hero_id: integer("Hero."),
      skill_id: integer("Publisher's number of the skill."),
      icon_url: maybe.text("Icon."),
      video_url: maybe.text("Video. The upstream leaves it empty for most skills."),
    },
    key: ["hero_id", "skill_id"],
    references: [toHero],
    withoutRowid: true,
    rows: [
      {
        datasets: ["hero"],
        langs: "each",
        each: LISTS,
        cells: { ...SKILL, icon_url: at("skillicon"), video_url: at("skillvideo") },
      },
    ],
  },
  {
    name: "skill_slot",
    kind: "list",
    description:
      "Order of a hero's skills in the English record; the passive is usually first. A hero with two forms has two lists.",
    columns: {
      hero_id: integer("Hero."),
      list_position: integer("Number of the list, from 1."),
      position: integer("Place in the list, from 1."),
      skill_id: integer("Skill."),
      list_id: text("Publisher's id of the list."),
    },
    key: ["hero_id", "list_position", "position"],
    references: [toSkill],
    withoutRowid: true,
    rows: [
      {
        datasets: ["hero"],
        langs: "base",
        each: LISTS,
        cells: { ...SKILL, list_position: place(0), position: place(1), list_id: at("skilllistid", 0) },
      },
    ],
  },
  {
    name: "skill_text",
    kind: "text",
    // Its numbers are what the text says.
    history: ["name", "description", "description_plain", "cooldown_and_cost"],
    label: "name",
    description: "Name and description of each skill by language.",
    columns: {
      hero_id: integer("Hero."),
      skill_id: integer("Skill."),
      lang: text("Language."),
      name: text("Name."),
      description: text("Description as the upstream sent it, with markup."),
      description_plain: text(
        "Description without markup. LIKE ignores case for ASCII letters only. For other letters write both cases: GLOB '*[Щщ]ит*'.",
      ),
      cooldown_and_cost: maybe.text("Cooldown and cost as the game writes them. null for passives."),
      cooldown_seconds: maybe.real("Cooldown, read from cooldown_and_cost. null: the text has no number.", {
        unit: "seconds",
      }),
      mana_cost: maybe.real(
        "Mana cost, read from cooldown_and_cost. null: the skill is free, or the text has no number.",
        {
          unit: "mana",
        },
      ),
    },
    key: ["hero_id", "skill_id", "lang"],
    references: [toSkill, toLanguage],
    rows: [
      {
        datasets: ["hero"],
        langs: "each",
        each: LISTS,
        cells: {
          ...SKILL,
          lang: asked("lang"),
          name: at("skillname"),
          description: at("skilldesc"),
          description_plain: plainOf("description"),
          cooldown_and_cost: at("skillcd&cost"),
          cooldown_seconds: cooldownOf("cooldown_and_cost"),
          mana_cost: manaOf("cooldown_and_cost"),
        },
      },
    ],
  },
  {
    name: "tag",
    kind: "row",
    description: "Labels that skills carry, such as Burst or CC. Their names are in tag_text.",
    columns: {
      tag_id: integer("Publisher's number of the label."),
      color: maybe.text("Red, green and blue, each 0 to 255, separated by commas."),
    },
    key: ["tag_id"],
    rows: [
      {
        datasets: ["hero"],
        langs: "each",
        each: TAGS,
        cells: { tag_id: at("tagid"), color: at("tagrgb") },
      },
    ],
  },
  {
    name: "tag_text",
    kind: "text",
    label: "name",
    description: "Names of the labels by language.",
    columns: {
      tag_id: integer("Label."),
      lang: text("Language."),
      name: text("Name."),
    },
    key: ["tag_id", "lang"],
    references: [{ columns: ["tag_id"], table: "tag" }, toLanguage],
    withoutRowid: true,
    rows: [
      {
        datasets: ["hero"],
        langs: "each",
        each: TAGS,
        cells: { tag_id: at("tagid"), lang: asked("lang"), name: at("tagname") },
      },
    ],
  },
  {
    name: "skill_tag",
    kind: "list",
    description: "Labels of each skill in the English record.",
    columns: {
      hero_id: integer("Hero."),
      skill_id: integer("Skill."),
      position: integer("Place in the list, from 1."),
      tag_id: integer("Label."),
    },
    key: ["hero_id", "skill_id", "position"],
    references: [toSkill, { columns: ["tag_id"], table: "tag" }],
    indexes: [["tag_id"]],
    withoutRowid: true,
    rows: [
      {
        datasets: ["hero"],
        langs: "base",
        each: TAGS,
        cells: { ...SKILL, position: place(), tag_id: at("tagid") },
      },
    ],
  },
];
