import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, inRecord, objects, place } from "../row-source.ts";

const toLanguage = { columns: ["lang"], table: "language" };

export const comboTables: TableDefinition[] = [
  {
    name: "skill_combo",
    kind: "row",
    description: "Recommended sequences of a hero's skills. Steps are in skill_combo_step, texts in skill_combo_text.",
    columns: {
      combo_id: integer("Publisher's id of the sequence's record."),
      hero_id: integer("Hero."),
      created_at_ms: maybe.integer("Time when the record was made.", { stamp: "record" }),
      updated_at_ms: maybe.integer("Time when the record was last changed.", { stamp: "record" }),
    },
    key: ["combo_id"],
    references: [{ columns: ["hero_id"], table: "hero" }],
    indexes: [["hero_id"]],
    rows: [
      {
        datasets: ["skill-combos"],
        langs: "each",
        cells: {
          combo_id: at("id"),
          hero_id: at("data.hero_id"),
          created_at_ms: at("createdAt"),
          updated_at_ms: at("updatedAt"),
        },
      },
    ],
  },
  {
    name: "skill_combo_step",
    kind: "list",
    partOf: "skill_combo",
    description: "Skills of each sequence in order.",
    columns: {
      combo_id: integer("Sequence."),
      position: integer("Place in the sequence, from 1."),
      skill_id: integer("Skill."),
      icon_url: maybe.text("Icon."),
      record_id: maybe.integer("Id of the skill's record."),
      source_id: maybe.integer("Publisher's id of the source of the skill's record."),
      created_at_ms: maybe.integer("Time when the skill's record was made.", {
        stamp: "record",
      }),
      updated_at_ms: maybe.integer("Time when the skill's record was last changed.", {
        stamp: "record",
      }),
    },
    key: ["combo_id", "position"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }],
    withoutRowid: true,
    rows: [
      {
        datasets: ["skill-combos"],
        langs: "each",
        each: [objects("data.skill_id")],
        cells: {
          combo_id: inRecord("id"),
          position: place(),
          skill_id: at("data.skillid"),
          icon_url: at("data.skillicon"),
          record_id: at("id"),
          source_id: at("sourceId"),
          created_at_ms: at("_createdAt"),
          updated_at_ms: at("_updatedAt"),
        },
      },
    ],
  },
  {
    name: "skill_combo_text",
    kind: "text",
    label: "title",
    partOf: "skill_combo",
    description: "Title and explanation of each sequence by language.",
    columns: {
      combo_id: integer("Sequence."),
      lang: text("Language."),
      title: text("Title."),
      description: text("Explanation."),
    },
    key: ["combo_id", "lang"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }, toLanguage],
    rows: [
      {
        datasets: ["skill-combos"],
        langs: "each",
        cells: { combo_id: at("id"), lang: asked("lang"), title: at("data.title"), description: at("data.desc") },
      },
    ],
  },
];
