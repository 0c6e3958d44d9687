import { integer, maybe, type TableDefinition, text } from "../definition.ts";

const MS = "epoch milliseconds";
const toHero = { columns: ["hero_id"], table: "hero" };
const toSkill = { columns: ["hero_id", "skill_id"], table: "skill" };
const toLanguage = { columns: ["lang"], table: "language" };

/** Every skill of every hero in every language, with its place; a hero with two forms has some skills in both lists. */
const SKILLS = `coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.hero.data.heroskilllist') AS list,
  jsonb_each(list.value, '$.skilllist') AS skill`;

/** Each sequence in the first language that has it: English comes first in the archive. */
const FIRST_COMBOS = "SELECT min(rowid) FROM record WHERE dataset = 'skill-combos' GROUP BY json ->> '$.id'";

export const skillTables: TableDefinition[] = [
  {
    name: "skill",
    description: "Skills of the heroes. One that is in both lists of a hero with two forms is one row.",
    columns: {
      hero_id: integer("Hero."),
      skill_id: integer("The publisher's number.", { source: "hero heroskilllist[].skilllist[].skillid" }),
      icon_url: maybe.text("Icon.", { source: "hero skillicon" }),
      video_url: maybe.text("Video; empty for most.", { source: "hero skillvideo" }),
    },
    key: ["hero_id", "skill_id"],
    references: [toHero],
    withoutRowid: true,
    fill: `SELECT hero_id, skill.value ->> '$.skillid' AS skill_id, min(skill.value ->> '$.skillicon'),
             nullif(min(skill.value ->> '$.skillvideo'), '')
           FROM ${SKILLS} WHERE coverage.dataset = 'hero' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "skill_slot",
    description:
      "The order of a hero's skills, by list, as the English record has it: the passive first, as a rule. A second list belongs to another form.",
    columns: {
      hero_id: integer("Hero."),
      list_position: integer("Which list, from 1."),
      position: integer("Place in the list, from 1."),
      skill_id: integer("Skill."),
      list_id: text("The publisher's id of the list.", { source: "hero heroskilllist[].skilllistid" }),
    },
    key: ["hero_id", "list_position", "position"],
    references: [toSkill],
    withoutRowid: true,
    fill: `SELECT hero_id, list.key + 1, skill.key + 1, skill.value ->> '$.skillid', list.value ->> '$.skilllistid'
           FROM ${SKILLS} WHERE coverage.dataset = 'hero' AND lang = 'en' ORDER BY 1, 2, 3`,
  },
  {
    name: "skill_text",
    description: "Name and description of each skill by language.",
    columns: {
      hero_id: integer("Hero."),
      skill_id: integer("Skill."),
      lang: text("Language."),
      name: text("Name.", { source: "hero skillname" }),
      description: text("Description as sent, with its markup.", { source: "hero skilldesc" }),
      description_plain: text("Description without markup.", { source: "hero skilldesc" }),
      cooldown_and_cost: maybe.text("Cooldown and cost, as a text; none for passives.", {
        source: "hero skillcd&cost",
      }),
    },
    key: ["hero_id", "skill_id", "lang"],
    references: [toSkill, toLanguage],
    fill: `SELECT hero_id, skill.value ->> '$.skillid' AS skill_id, lang, skill.value ->> '$.skillname',
             skill.value ->> '$.skilldesc', plain_text(skill.value ->> '$.skilldesc'),
             nullif(skill.value ->> '$."skillcd&cost"', '')
           FROM ${SKILLS} WHERE coverage.dataset = 'hero'
           GROUP BY 1, 2, 3 HAVING min(list.key) = list.key ORDER BY 1, 2, 3`,
  },
  {
    name: "tag",
    description: "Labels that skills carry, such as Burst or CC. Their names are in tag_text.",
    columns: {
      tag_id: integer("The publisher's number.", { source: "hero skilltag[].tagid" }),
      color: maybe.text("Red, green and blue, 0 to 255, by commas.", { source: "hero skilltag[].tagrgb" }),
    },
    key: ["tag_id"],
    fill: `SELECT tag.value ->> '$.tagid', min(tag.value ->> '$.tagrgb')
           FROM ${SKILLS}, jsonb_each(skill.value, '$.skilltag') AS tag
           WHERE coverage.dataset = 'hero' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "tag_text",
    description: "Names of the labels by language.",
    columns: {
      tag_id: integer("Label."),
      lang: text("Language."),
      name: text("Name.", { source: "hero skilltag[].tagname" }),
    },
    key: ["tag_id", "lang"],
    references: [{ columns: ["tag_id"], table: "tag" }, toLanguage],
    withoutRowid: true,
    fill: `SELECT tag.value ->> '$.tagid', lang, min(tag.value ->> '$.tagname')
           FROM ${SKILLS}, jsonb_each(skill.value, '$.skilltag') AS tag
           WHERE coverage.dataset = 'hero' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "skill_tag",
    description: "Which labels a skill carries, as the English record has it.",
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
    fill: `SELECT DISTINCT hero_id, skill.value ->> '$.skillid', tag.key + 1, tag.value ->> '$.tagid'
           FROM ${SKILLS}, jsonb_each(skill.value, '$.skilltag') AS tag
           WHERE coverage.dataset = 'hero' AND lang = 'en' ORDER BY 1, 2, 3`,
  },
  {
    name: "skill_combo",
    description: "Recommended sequences of a hero's skills. Steps and texts are in tables of their own.",
    columns: {
      combo_id: integer("The publisher's record id.", { source: "skill-combos id" }),
      hero_id: integer("Hero.", { source: "skill-combos data.hero_id" }),
      created_at_ms: maybe.integer("When the record was made.", { unit: MS, source: "skill-combos createdAt" }),
      updated_at_ms: maybe.integer("When it was last changed.", { unit: MS, source: "skill-combos updatedAt" }),
    },
    key: ["combo_id"],
    references: [toHero],
    indexes: [["hero_id"]],
    fill: `SELECT json ->> '$.id', json ->> '$.data.hero_id', json ->> '$.createdAt', json ->> '$.updatedAt'
           FROM record WHERE rowid IN (${FIRST_COMBOS}) ORDER BY 1`,
  },
  {
    name: "skill_combo_step",
    description: "The skills of a sequence, in their order.",
    columns: {
      combo_id: integer("Sequence."),
      position: integer("Place in the sequence, from 1."),
      skill_id: integer("Skill.", { source: "skill-combos data.skill_id[].data.skillid" }),
      icon_url: maybe.text("Icon.", { source: "skill-combos data.skill_id[].data.skillicon" }),
      record_id: maybe.integer("Id of the skill's record.", { source: "skill-combos data.skill_id[].id" }),
      source_id: maybe.integer("The publisher's id of its source.", {
        source: "skill-combos data.skill_id[].sourceId",
      }),
      created_at_ms: maybe.integer("When that record was made.", {
        unit: MS,
        source: "skill-combos data.skill_id[]._createdAt",
      }),
      updated_at_ms: maybe.integer("When it was last changed.", {
        unit: MS,
        source: "skill-combos data.skill_id[]._updatedAt",
      }),
    },
    key: ["combo_id", "position"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }],
    withoutRowid: true,
    fill: `SELECT record.json ->> '$.id', step.key + 1, step.value ->> '$.data.skillid', step.value ->> '$.data.skillicon',
             step.value ->> '$.id', step.value ->> '$.sourceId', step.value ->> '$._createdAt', step.value ->> '$._updatedAt'
           FROM record, jsonb_each(record.json, '$.data.skill_id') AS step
           WHERE record.rowid IN (${FIRST_COMBOS}) AND step.type = 'object' ORDER BY 1, 2`,
  },
  {
    name: "skill_combo_text",
    description: "Title and explanation of each sequence by language.",
    columns: {
      combo_id: integer("Sequence."),
      lang: text("Language."),
      title: text("Title.", { source: "skill-combos data.title" }),
      description: text("Explanation.", { source: "skill-combos data.desc" }),
    },
    key: ["combo_id", "lang"],
    references: [{ columns: ["combo_id"], table: "skill_combo" }, toLanguage],
    fill: `SELECT json ->> '$.id', lang, json ->> '$.data.title', json ->> '$.data.desc'
           FROM coverage JOIN record USING (dataset, slice) WHERE coverage.dataset = 'skill-combos' ORDER BY 1, 2`,
  },
];
