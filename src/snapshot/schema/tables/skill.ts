import { integer, maybe, text } from "../definition.ts";
import { asked, at, cooldownOf, manaOf, objects, place, plainOf } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toHero = { columns: ["hero_id"], table: "hero" };
const toSkill = { columns: ["hero_id", "skill_id"], table: "skill" };
const toLanguage = { columns: ["lang"], table: "language" };

/** The lists of skills of a hero; one with two forms has two, with some skills in both. */
const LISTS = [objects("data.hero.data.heroskilllist"), objects("skilllist")];
const TAGS = [...LISTS, objects("skilltag")];

export const skillTables: DefinedTable[] = [
  {
    name: "skill",
    kind: "row",
    description: "Skills of the heroes. A skill that both forms of a hero have is one row.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      skill_id: integer("Publisher's number of the skill.", { from: at("skillid", 1) }),
      icon_url: maybe.text("Icon.", { from: at("skillicon") }),
      video_url: maybe.text("Video. The upstream leaves it empty for most skills.", { from: at("skillvideo") }),
    },
    key: ["hero_id", "skill_id"],
    references: [toHero],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "each", each: LISTS }],
  },
  {
    name: "skill_slot",
    kind: "list",
    description:
      "Order of a hero's skills in the English record; the passive is usually first. A hero with two forms has two lists.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      list_position: integer("Number of the list, from 1.", { from: place(0) }),
      position: integer("Place in the list, from 1.", { from: place(1) }),
      skill_id: integer("Skill.", { from: at("skillid", 1) }),
      list_id: text("Publisher's id of the list.", { from: at("skilllistid", 0) }),
    },
    key: ["hero_id", "list_position", "position"],
    references: [toSkill],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "base", each: LISTS }],
  },
  {
    name: "skill_text",
    kind: "text",
    // Its numbers are what the text says.
    history: ["name", "description", "description_plain", "cooldown_and_cost"],
    label: "name",
    description: "Name and description of each skill by language.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      skill_id: integer("Skill.", { from: at("skillid", 1) }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name.", { from: at("skillname") }),
      description: text("Description as the upstream sent it, with markup.", { from: at("skilldesc") }),
      description_plain: text(
        "Description without markup. LIKE ignores case for ASCII letters only. For other letters write both cases: GLOB '*[Щщ]ит*'.",
        { from: plainOf("description") },
      ),
      cooldown_and_cost: maybe.text("Cooldown and cost as the game writes them. null for passives.", {
        from: at("skillcd&cost"),
      }),
      cooldown_seconds: maybe.real("Cooldown, read from cooldown_and_cost. null: the text has no number.", {
        from: cooldownOf("cooldown_and_cost"),
        unit: "seconds",
      }),
      mana_cost: maybe.real(
        "Mana cost, read from cooldown_and_cost. null: the skill is free, or the text has no number.",
        { from: manaOf("cooldown_and_cost"), unit: "mana" },
      ),
    },
    key: ["hero_id", "skill_id", "lang"],
    references: [toSkill, toLanguage],
    rows: [{ datasets: ["hero"], langs: "each", each: LISTS }],
  },
  {
    name: "tag",
    kind: "row",
    description: "Labels that skills carry, such as Burst or CC. Their names are in tag_text.",
    columns: {
      tag_id: integer("Publisher's number of the label.", { from: at("tagid") }),
      color: maybe.text("Red, green and blue, each 0 to 255, separated by commas.", { from: at("tagrgb") }),
    },
    key: ["tag_id"],
    rows: [{ datasets: ["hero"], langs: "each", each: TAGS }],
  },
  {
    name: "tag_text",
    kind: "text",
    label: "name",
    description: "Names of the labels by language.",
    columns: {
      tag_id: integer("Label.", { from: at("tagid") }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name.", { from: at("tagname") }),
    },
    key: ["tag_id", "lang"],
    references: [{ columns: ["tag_id"], table: "tag" }, toLanguage],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "each", each: TAGS }],
  },
  {
    name: "skill_tag",
    kind: "list",
    description: "Labels of each skill in the English record.",
    columns: {
      hero_id: integer("Hero.", { from: asked("hero") }),
      skill_id: integer("Skill.", { from: at("skillid", 1) }),
      position: integer("Place in the list, from 1.", { from: place() }),
      tag_id: integer("Label.", { from: at("tagid") }),
    },
    key: ["hero_id", "skill_id", "position"],
    references: [toSkill, { columns: ["tag_id"], table: "tag" }],
    indexes: [["tag_id"]],
    withoutRowid: true,
    rows: [{ datasets: ["hero"], langs: "base", each: TAGS }],
  },
];
