import { integer, maybe, text } from "../definition.ts";
import { asked, at, plainOf } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toLanguage = { columns: ["lang"], table: "language" };

const EMBLEM = "data.emblem_detail.data";

export const academyTables: DefinedTable[] = [
  {
    name: "spell",
    kind: "row",
    description: "Battle spells. Texts are in spell_text.",
    columns: {
      spell_id: integer("Publisher's number of the spell.", {
        from: at("data.battleskillid"),
        source: "spells data.battleskillid, data.__data.skillid",
      }),
      icon_url: maybe.text("Icon.", { from: at("data.__data.skillicon") }),
    },
    key: ["spell_id"],
    rows: [{ datasets: ["spells"], langs: "base" }],
  },
  {
    name: "spell_text",
    kind: "text",
    label: "name",
    description: "Names and descriptions of the battle spells by language.",
    columns: {
      spell_id: integer("Spell.", { from: at("data.battleskillid") }),
      lang: text("Language.", { from: asked("lang") }),
      name: maybe.text("Name.", { from: at("data.__data.skillname") }),
      summary: maybe.text("Effect of the spell in two or three words.", { from: at("data.skillshortdesc") }),
      description: maybe.text("Effect of the spell, with markup.", { from: at("data.__data.skilldesc") }),
      description_plain: maybe.text("Effect of the spell without markup.", { from: plainOf("description") }),
    },
    key: ["spell_id", "lang"],
    references: [{ columns: ["spell_id"], table: "spell" }, toLanguage],
    rows: [{ datasets: ["spells"], langs: "each" }],
  },
  {
    name: "emblem",
    kind: "row",
    description: "Emblems: one for each role, and one for all roles. Texts are in emblem_text.",
    columns: {
      emblem_id: integer("Publisher's number of the emblem.", {
        from: at("data.emblem_id"),
        source: "roles data.emblem_id, data.emblem_detail.data.emblemid",
      }),
      attribute_id: maybe.integer("Publisher's number of the emblem's bonuses.", {
        from: at(`${EMBLEM}.emblemattr.emblemattrid`),
      }),
      icon_url: maybe.text("Icon of the emblem.", { from: at(`${EMBLEM}.attriicon`) }),
      role_icon_url: maybe.text("Icon of the role.", { from: at("data.emblem_icon") }),
    },
    key: ["emblem_id"],
    rows: [{ datasets: ["roles"], langs: "base" }],
  },
  {
    name: "emblem_text",
    kind: "text",
    label: "name",
    description: "Names and bonuses of the emblems by language.",
    columns: {
      emblem_id: integer("Emblem.", { from: at("data.emblem_id") }),
      lang: text("Language.", { from: asked("lang") }),
      title: text("Name of the role.", { from: at("data.emblem_title") }),
      name: maybe.text("Name of the emblem.", {
        from: at(`${EMBLEM}.emblemname`),
        source: "roles data.emblem_detail.data.emblemname, data.emblem_detail.data.emblemattr.emblemname",
      }),
      attributes: maybe.text("Bonuses of the emblem, one on each line.", {
        from: at(`${EMBLEM}.emblemattr.emblemattr`),
      }),
    },
    key: ["emblem_id", "lang"],
    references: [{ columns: ["emblem_id"], table: "emblem" }, toLanguage],
    rows: [{ datasets: ["roles"], langs: "each" }],
  },
  {
    name: "talent",
    kind: "row",
    description: "Talents of the emblems. A build has one talent of each tier. Texts are in talent_text.",
    columns: {
      talent_id: integer("Publisher's number of the talent.", { from: at("data.giftid") }),
      tier: integer("Tier, 1 to 3.", { from: at("data.gifttiers") }),
      skill_id: integer("Publisher's number of the talent's effect.", { from: at("data.emblemskill.skillid") }),
      icon_url: maybe.text("Icon.", { from: at("data.emblemskill.skillicon") }),
    },
    key: ["talent_id"],
    rows: [{ datasets: ["emblems"], langs: "base" }],
  },
  {
    name: "talent_text",
    kind: "text",
    label: "name",
    description: "Names and descriptions of the talents by language.",
    columns: {
      talent_id: integer("Talent.", { from: at("data.giftid") }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name.", { from: at("data.emblemskill.skillname") }),
      description: maybe.text("Effect of the talent, with markup.", { from: at("data.emblemskill.skilldesc") }),
      description_plain: maybe.text("Effect of the talent without markup.", { from: plainOf("description") }),
    },
    key: ["talent_id", "lang"],
    references: [{ columns: ["talent_id"], table: "talent" }, toLanguage],
    rows: [{ datasets: ["emblems"], langs: "each" }],
  },
  {
    name: "rank_step",
    kind: "row",
    description:
      "Ranks of players. The game numbers its ranks from low to high; each step holds a range of these numbers.",
    columns: {
      first_rank_id: integer("First number of the step's range.", { from: at("data.rankid_start") }),
      last_rank_id: integer("Last number of the step's range.", { from: at("data.rankid_end") }),
      level: integer("Publisher's number of the rank. Each division of a rank is a step.", {
        from: at("data.bigrank"),
      }),
      division: maybe.integer("Division. null: the rank has no divisions.", { from: at("data.minrank") }),
      icon_url: maybe.text("Icon.", { from: at("data.icon") }),
    },
    key: ["first_rank_id"],
    rows: [{ datasets: ["ranks"], langs: "base" }],
  },
  {
    name: "rank_step_text",
    kind: "text",
    label: "name",
    description: "Names of the ranks of players by language.",
    columns: {
      first_rank_id: integer("Step, as in rank_step.", { from: at("data.rankid_start") }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name of the rank.", { from: at("data.bigrank_name") }),
      division_name: maybe.text("Name of the division.", { from: at("data.minrank_name") }),
    },
    key: ["first_rank_id", "lang"],
    references: [{ columns: ["first_rank_id"], table: "rank_step" }, toLanguage],
    withoutRowid: true,
    rows: [{ datasets: ["ranks"], langs: "each" }],
  },
];
