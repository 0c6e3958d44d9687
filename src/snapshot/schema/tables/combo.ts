import { integer, maybe, text } from "../definition.ts";
import { asked, at, inRecord, objects, place } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toLanguage = { columns: ["lang"], table: "language" };

export const comboTables: DefinedTable[] = [
  {
    name: "skill_combo",
    kind: "row",
    description: "Recommended sequences of a hero's skills. Steps are in skill_combo_step, texts in skill_combo_text.",
    columns: {
      combo_id: integer("Publisher's id of the sequence's record.", { from: at("id") }),
      hero_id: integer("Hero.", { from: at("data.hero_id") }),
      created_at_ms: maybe.integer("Time when the record was made.", { from: at("createdAt"), stamp: "record" }),
      updated_at_ms: maybe.integer("Time when the record was last changed.", {
        from: at("updatedAt"),
        stamp: "record",
      }),
    },
    key: ["combo_id"],
    references: [{ columns: ["hero_id"], table: "hero" }],
    indexes: [["hero_id"]],
    rows: [{ datasets: ["skill-combos"], langs: "each" }],
  },
  {
    name: "skill_combo_step",
    kind: "list",
    partOf: "skill_combo",
    description: "Skills of each sequence in order.",
    columns: {
      combo_id: integer("Sequence.", { from: inRecord("id") }),
      position: integer("Place in the sequence, from 1.", { from: place() }),
      skill_id: integer("Skill.", { from: at("data.skillid") }),
      icon_url: maybe.text("Icon.", { from: at("data.skillicon") }),
      record_id: maybe.integer("Id of the skill's record.", { from: at("id") }),
      source_id: maybe.integer("Publisher's id of the source of the skill's record.", { from: at("sourceId") }),
      created_at_ms: maybe.integer("Time when the skill's record was made.", {
        from: at("_createdAt"),
        stamp: "record",
      }),
      updated_at_ms: maybe.integer("Time when the skill's record was last changed.", {
        from: at("_updatedAt"),
        stamp: "record",
      }),
    },
    key: ["combo_id", "position"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }],
    withoutRowid: true,
    rows: [{ datasets: ["skill-combos"], langs: "each", each: [objects("data.skill_id")] }],
  },
  {
    name: "skill_combo_text",
    kind: "text",
    label: "title",
    partOf: "skill_combo",
    description: "Title and explanation of each sequence by language.",
    columns: {
      combo_id: integer("Sequence.", { from: at("id") }),
      lang: text("Language.", { from: asked("lang") }),
      title: text("Title.", { from: at("data.title") }),
      description: text("Explanation.", { from: at("data.desc") }),
    },
    key: ["combo_id", "lang"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }, toLanguage],
    rows: [{ datasets: ["skill-combos"], langs: "each" }],
  },
];
