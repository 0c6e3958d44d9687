import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, plainOf } from "../row-source.ts";

const toLanguage = { columns: ["lang"], table: "language" };

const EMBLEM = "data.emblem_detail.data";

export const academyTables: TableDefinition[] = [
  {
    name: "spell",
    kind: "row",
    description: "Battle spells. Their texts are in spell_text.",
    columns: {
      spell_id: integer("The publisher's number.", { source: "spells data.battleskillid, data.__data.skillid" }),
      icon_url: maybe.text("Icon."),
    },
    key: ["spell_id"],
    rows: [
      {
        datasets: ["spells"],
        langs: "base",
        cells: { spell_id: at("data.battleskillid"), icon_url: at("data.__data.skillicon") },
      },
    ],
  },
  {
    name: "spell_text",
    kind: "text",
    label: "name",
    description: "Names and descriptions of the battle spells by language.",
    columns: {
      spell_id: integer("Spell."),
      lang: text("Language."),
      name: maybe.text("Name."),
      summary: maybe.text("In two or three words."),
      description: maybe.text("What it does, with its markup."),
      description_plain: maybe.text("The same without markup."),
    },
    key: ["spell_id", "lang"],
    references: [{ columns: ["spell_id"], table: "spell" }, toLanguage],
    rows: [
      {
        datasets: ["spells"],
        langs: "each",
        cells: {
          spell_id: at("data.battleskillid"),
          lang: asked("lang"),
          name: at("data.__data.skillname"),
          summary: at("data.skillshortdesc"),
          description: at("data.__data.skilldesc"),
          description_plain: plainOf("description"),
        },
      },
    ],
  },
  {
    name: "emblem",
    kind: "row",
    description: "Emblems, one for each role and one for all. Texts are in emblem_text.",
    columns: {
      emblem_id: integer("The publisher's number.", {
        source: "roles data.emblem_id, data.emblem_detail.data.emblemid",
      }),
      attribute_id: maybe.integer("The publisher's number of what it gives."),
      icon_url: maybe.text("Icon of the emblem."),
      role_icon_url: maybe.text("Icon of the role."),
    },
    key: ["emblem_id"],
    rows: [
      {
        datasets: ["roles"],
        langs: "base",
        cells: {
          emblem_id: at("data.emblem_id"),
          attribute_id: at(`${EMBLEM}.emblemattr.emblemattrid`),
          icon_url: at(`${EMBLEM}.attriicon`),
          role_icon_url: at("data.emblem_icon"),
        },
      },
    ],
  },
  {
    name: "emblem_text",
    kind: "text",
    label: "name",
    description: "Names of the emblems and what they give, by language.",
    columns: {
      emblem_id: integer("Emblem."),
      lang: text("Language."),
      title: text("The role."),
      name: maybe.text("The emblem.", {
        source: "roles data.emblem_detail.data.emblemname, data.emblem_detail.data.emblemattr.emblemname",
      }),
      attributes: maybe.text("What it gives, one line each."),
    },
    key: ["emblem_id", "lang"],
    references: [{ columns: ["emblem_id"], table: "emblem" }, toLanguage],
    rows: [
      {
        datasets: ["roles"],
        langs: "each",
        cells: {
          emblem_id: at("data.emblem_id"),
          lang: asked("lang"),
          title: at("data.emblem_title"),
          name: at(`${EMBLEM}.emblemname`),
          attributes: at(`${EMBLEM}.emblemattr.emblemattr`),
        },
      },
    ],
  },
  {
    name: "talent",
    kind: "row",
    description: "Talents of the emblems; a build has one of each tier. Texts are in talent_text.",
    columns: {
      talent_id: integer("The publisher's number."),
      tier: integer("1 to 3."),
      skill_id: integer("The publisher's number of what it does."),
      icon_url: maybe.text("Icon."),
    },
    key: ["talent_id"],
    rows: [
      {
        datasets: ["emblems"],
        langs: "base",
        cells: {
          talent_id: at("data.giftid"),
          tier: at("data.gifttiers"),
          skill_id: at("data.emblemskill.skillid"),
          icon_url: at("data.emblemskill.skillicon"),
        },
      },
    ],
  },
  {
    name: "talent_text",
    kind: "text",
    label: "name",
    description: "Names and descriptions of the talents by language.",
    columns: {
      talent_id: integer("Talent."),
      lang: text("Language."),
      name: text("Name."),
      description: maybe.text("What it does, with its markup."),
      description_plain: maybe.text("The same without markup."),
    },
    key: ["talent_id", "lang"],
    references: [{ columns: ["talent_id"], table: "talent" }, toLanguage],
    rows: [
      {
        datasets: ["emblems"],
        langs: "each",
        cells: {
          talent_id: at("data.giftid"),
          lang: asked("lang"),
          name: at("data.emblemskill.skillname"),
          description: at("data.emblemskill.skilldesc"),
          description_plain: plainOf("description"),
        },
      },
    ],
  },
  {
    name: "rank_step",
    kind: "row",
    description: "The ranks that players climb. The game counts them through; each step holds a range of that count.",
    columns: {
      first_rank_id: integer("First number that it holds."),
      last_rank_id: integer("Last number that it holds."),
      level: integer("The publisher's number of the rank, whose divisions are steps."),
      division: maybe.integer("Division; none where a rank has no divisions."),
      icon_url: maybe.text("Icon."),
    },
    key: ["first_rank_id"],
    rows: [
      {
        datasets: ["ranks"],
        langs: "base",
        cells: {
          first_rank_id: at("data.rankid_start"),
          last_rank_id: at("data.rankid_end"),
          level: at("data.bigrank"),
          division: at("data.minrank"),
          icon_url: at("data.icon"),
        },
      },
    ],
  },
  {
    name: "rank_step_text",
    kind: "text",
    label: "name",
    description: "Names of those ranks by language.",
    columns: {
      first_rank_id: integer("The step."),
      lang: text("Language."),
      name: text("Name of the rank."),
      division_name: maybe.text("Name of the division."),
    },
    key: ["first_rank_id", "lang"],
    references: [{ columns: ["first_rank_id"], table: "rank_step" }, toLanguage],
    withoutRowid: true,
    rows: [
      {
        datasets: ["ranks"],
        langs: "each",
        cells: {
          first_rank_id: at("data.rankid_start"),
          lang: asked("lang"),
          name: at("data.bigrank_name"),
          division_name: at("data.minrank_name"),
        },
      },
    ],
  },
];
