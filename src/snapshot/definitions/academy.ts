import { integer, maybe, type TableDefinition, text } from "../definition.ts";

const toLanguage = { columns: ["lang"], table: "language" };

/** The English records of a list. */
const english = (dataset: string) => `record WHERE dataset = '${dataset}' AND slice = 'lang=en'`;
const inAll = (...datasets: string[]) =>
  `coverage JOIN record USING (dataset, slice) WHERE coverage.dataset IN (${datasets.map((name) => `'${name}'`).join(", ")})`;

/** A text that an empty one does not count as. Of several records with one id any is as good, but it must be always the same. */
const filled = (path: string) => `max(nullif(json ->> '$.${path}', ''))`;

export const academyTables: TableDefinition[] = [
  {
    name: "item",
    description: "Items of the game. Texts are in item_text, what an item is built into in item_upgrade.",
    columns: {
      item_id: integer("The publisher's number.", {
        source: "equipment data.equipid, equipment-expanded data.equipid",
      }),
      icon_url: maybe.text("Icon.", { source: "equipment data.equipicon, equipment-expanded data.equipicon" }),
      type_id: maybe.integer("Kind of item; its name is in item_text. Only items with details have one.", {
        source: "equipment-expanded data.equiptype",
      }),
    },
    key: ["item_id"],
    fill: `SELECT json ->> '$.data.equipid' AS item_id, ${filled("data.equipicon")},
             CAST(${filled("data.equiptype")} AS INTEGER)
           FROM record WHERE dataset IN ('equipment', 'equipment-expanded') AND slice = 'lang=en' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "item_text",
    description: "Names of the items by language; kind, what an item gives and what it does for those with details.",
    columns: {
      item_id: integer("Item."),
      lang: text("Language."),
      name: text("Name.", { source: "equipment data.equipname, equipment-expanded data.equipname" }),
      type_name: maybe.text("Kind of item.", { source: "equipment-expanded data.equiptypename" }),
      tips: maybe.text("What it gives, one line each, with its markup.", {
        source: "equipment-expanded data.equiptips",
      }),
      description: maybe.text("What it does, with its markup.", { source: "equipment-expanded data.equipskilldesc" }),
      description_plain: maybe.text("The same without markup."),
    },
    key: ["item_id", "lang"],
    references: [{ columns: ["item_id"], table: "item" }, toLanguage],
    fill: `SELECT item_id, lang, name, type_name, tips, description, plain_text(description)
           FROM (SELECT json ->> '$.data.equipid' AS item_id, lang, max(json ->> '$.data.equipname') AS name,
             ${filled("data.equiptypename")} AS type_name, ${filled("data.equiptips")} AS tips,
             ${filled("data.equipskilldesc")} AS description
             FROM ${inAll("equipment", "equipment-expanded")} GROUP BY 1, 2)
           JOIN item USING (item_id) ORDER BY 1, 2`,
  },
  {
    name: "item_upgrade",
    description: "What an item is built into.",
    columns: {
      item_id: integer("The part."),
      target_item_id: integer("The item that is made of it.", { source: "equipment-expanded data.targetequipid" }),
    },
    key: ["item_id", "target_item_id"],
    references: [{ columns: ["item_id"], table: "item" }],
    indexes: [["target_item_id"]],
    withoutRowid: true,
    fill: `SELECT DISTINCT record.json ->> '$.data.equipid', target.value
           FROM record, json_each(number_list(record.json -> '$.data.targetequipid')) AS target
           WHERE dataset = 'equipment-expanded' AND slice = 'lang=en' ORDER BY 1, 2`,
  },
  {
    name: "spell",
    description: "Battle spells. Their texts are in spell_text.",
    columns: {
      spell_id: integer("The publisher's number.", { source: "spells data.battleskillid, data.__data.skillid" }),
      icon_url: maybe.text("Icon.", { source: "spells data.__data.skillicon" }),
    },
    key: ["spell_id"],
    fill: `SELECT json ->> '$.data.battleskillid', ${filled("data.__data.skillicon")}
           FROM ${english("spells")} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "spell_text",
    description: "Names and descriptions of the battle spells by language.",
    columns: {
      spell_id: integer("Spell."),
      lang: text("Language."),
      name: maybe.text("Name.", { source: "spells data.__data.skillname" }),
      summary: maybe.text("In two or three words.", { source: "spells data.skillshortdesc" }),
      description: maybe.text("What it does, with its markup.", { source: "spells data.__data.skilldesc" }),
      description_plain: maybe.text("The same without markup."),
    },
    key: ["spell_id", "lang"],
    references: [{ columns: ["spell_id"], table: "spell" }, toLanguage],
    fill: `SELECT spell_id, lang, name, summary, description, plain_text(description)
           FROM (SELECT json ->> '$.data.battleskillid' AS spell_id, lang, ${filled("data.__data.skillname")} AS name,
             ${filled("data.skillshortdesc")} AS summary, ${filled("data.__data.skilldesc")} AS description
             FROM ${inAll("spells")} GROUP BY 1, 2)
           JOIN spell USING (spell_id) ORDER BY 1, 2`,
  },
  {
    name: "emblem",
    description: "Emblems, one for each role and one for all. Texts are in emblem_text.",
    columns: {
      emblem_id: integer("The publisher's number.", {
        source: "roles data.emblem_id, data.emblem_detail.data.emblemid",
      }),
      attribute_id: maybe.integer("The publisher's number of what it gives.", {
        source: "roles data.emblem_detail.data.emblemattr.emblemattrid",
      }),
      icon_url: maybe.text("Icon of the emblem.", { source: "roles data.emblem_detail.data.attriicon" }),
      role_icon_url: maybe.text("Icon of the role.", { source: "roles data.emblem_icon" }),
    },
    key: ["emblem_id"],
    fill: `SELECT json ->> '$.data.emblem_id', CAST(${filled("data.emblem_detail.data.emblemattr.emblemattrid")} AS INTEGER),
             ${filled("data.emblem_detail.data.attriicon")}, ${filled("data.emblem_icon")}
           FROM ${english("roles")} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "emblem_text",
    description: "Names of the emblems and what they give, by language.",
    columns: {
      emblem_id: integer("Emblem."),
      lang: text("Language."),
      title: text("The role.", { source: "roles data.emblem_title" }),
      name: maybe.text("The emblem.", {
        source: "roles data.emblem_detail.data.emblemname, data.emblem_detail.data.emblemattr.emblemname",
      }),
      attributes: maybe.text("What it gives, one line each.", {
        source: "roles data.emblem_detail.data.emblemattr.emblemattr",
      }),
    },
    key: ["emblem_id", "lang"],
    references: [{ columns: ["emblem_id"], table: "emblem" }, toLanguage],
    fill: `SELECT emblem.emblem_id, lang, max(json ->> '$.data.emblem_title'), ${filled("data.emblem_detail.data.emblemname")},
             ${filled("data.emblem_detail.data.emblemattr.emblemattr")}
           FROM coverage JOIN record USING (dataset, slice) JOIN emblem ON emblem.emblem_id = json ->> '$.data.emblem_id'
           WHERE coverage.dataset = 'roles' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "talent",
    description: "Talents of the emblems; a build has one of each tier. Texts are in talent_text.",
    columns: {
      talent_id: integer("The publisher's number.", { source: "emblems data.giftid" }),
      tier: integer("1 to 3.", { source: "emblems data.gifttiers" }),
      skill_id: integer("The publisher's number of what it does.", { source: "emblems data.emblemskill.skillid" }),
      icon_url: maybe.text("Icon.", { source: "emblems data.emblemskill.skillicon" }),
    },
    key: ["talent_id"],
    fill: `SELECT json ->> '$.data.giftid', max(json ->> '$.data.gifttiers'), max(json ->> '$.data.emblemskill.skillid'),
             ${filled("data.emblemskill.skillicon")}
           FROM ${english("emblems")} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "talent_text",
    description: "Names and descriptions of the talents by language.",
    columns: {
      talent_id: integer("Talent."),
      lang: text("Language."),
      name: text("Name.", { source: "emblems data.emblemskill.skillname" }),
      description: maybe.text("What it does, with its markup.", { source: "emblems data.emblemskill.skilldesc" }),
      description_plain: maybe.text("The same without markup."),
    },
    key: ["talent_id", "lang"],
    references: [{ columns: ["talent_id"], table: "talent" }, toLanguage],
    fill: `SELECT talent_id, lang, name, description, plain_text(description)
           FROM (SELECT json ->> '$.data.giftid' AS talent_id, lang, max(json ->> '$.data.emblemskill.skillname') AS name,
             ${filled("data.emblemskill.skilldesc")} AS description FROM ${inAll("emblems")} GROUP BY 1, 2)
           JOIN talent USING (talent_id) ORDER BY 1, 2`,
  },
  {
    name: "rank_step",
    description: "The ranks that players climb. The game counts them through; each step holds a range of that count.",
    columns: {
      first_rank_id: integer("First number that it holds.", { source: "ranks data.rankid_start" }),
      last_rank_id: integer("Last number that it holds.", { source: "ranks data.rankid_end" }),
      level: integer("The publisher's number of the rank, whose divisions are steps.", {
        source: "ranks data.bigrank",
      }),
      division: maybe.integer("Division; none where a rank has no divisions.", { source: "ranks data.minrank" }),
      icon_url: maybe.text("Icon.", { source: "ranks data.icon" }),
    },
    key: ["first_rank_id"],
    fill: `SELECT json ->> '$.data.rankid_start', max(json ->> '$.data.rankid_end'), max(json ->> '$.data.bigrank'),
             CAST(${filled("data.minrank")} AS INTEGER), ${filled("data.icon")}
           FROM ${english("ranks")} GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "rank_step_text",
    description: "Names of those ranks by language.",
    columns: {
      first_rank_id: integer("The step."),
      lang: text("Language."),
      name: text("Name of the rank.", { source: "ranks data.bigrank_name" }),
      division_name: maybe.text("Name of the division.", { source: "ranks data.minrank_name" }),
    },
    key: ["first_rank_id", "lang"],
    references: [{ columns: ["first_rank_id"], table: "rank_step" }, toLanguage],
    withoutRowid: true,
    fill: `SELECT rank_step.first_rank_id, lang, max(json ->> '$.data.bigrank_name'), ${filled("data.minrank_name")}
           FROM coverage JOIN record USING (dataset, slice) JOIN rank_step ON rank_step.first_rank_id = json ->> '$.data.rankid_start'
           WHERE coverage.dataset = 'ranks' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
];
