import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, plainOf } from "../row-source.ts";

const toLanguage = { columns: ["lang"], table: "language" };

const EMBLEM = "data.emblem_detail.data";

export const academyTables: TableDefinition[] = [
  {
    name: "spell",
    kind: "row",
    description: "Battle spells. Texts are in spell_text.",
    columns: {
      spell_id: integer("Publisher's number of the spell.", {
        source: "spells data.battleskillid, data.__data.skillid",
      }),
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
      summary: maybe.text("Effect of the spell in two or three words."),
      description: maybe.text("Effect of the spell, with markup."),
      description_plain: maybe.text("Effect of the spell without markup."),
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
    description: "Emblems: one for each role, and one for all roles. Texts are in emblem_text.",
    columns: {
      emblem_id: integer("Publisher's number of the emblem.", {
        source: "roles data.emblem_id, data.emblem_detail.data.emblemid",
      }),
      attribute_id: maybe.integer("Publisher's number of the emblem's bonuses."),
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
    description: "Names and bonuses of the emblems by language.",
    columns: {
      emblem_id: integer("Emblem."),
      lang: text("Language."),
      title: text("Name of the role."),
      name: maybe.text("Name of the emblem.", {
        source: "roles data.emblem_detail.data.emblemname, data.emblem_detail.data.emblemattr.emblemname",
      }),
      attributes: maybe.text("Bonuses of the emblem, one on each line."),
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
    description: "Talents of the emblems. A build has one talent of each tier. Texts are in talent_text.",
    columns: {
      talent_id: integer("Publisher's number of the talent."),
      tier: integer("Tier, 1 to 3."),
      skill_id: integer("Publisher's number of the talent's effect."),
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
      description: maybe.text("Effect of the talent, with markup."),
      description_plain: maybe.text("Effect of the talent without markup."),
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
    description:
      "Ranks of players. The game numbers its ranks from low to high; each step holds a range of these numbers.",
    columns: {
      first_rank_id: integer("First number of the step's range."),
      last_rank_id: integer("Last number of the step's range."),
      level: integer("Publisher's number of the rank. Each division of a rank is a step."),
      division: maybe.integer("Division. null: the rank has no divisions."),
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
    description: "Names of the ranks of players by language.",
    columns: {
      first_rank_id: integer("Step, as in rank_step."),
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
