import { integer, maybe, text } from "../definition.ts";
import { asked, at, type DefinedRows, inRecord, numbers, plainOf } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toLanguage = { columns: ["lang"], table: "language" };

/** The list of all items, and the one of those with details, which says more. */
const itemRows = (langs: DefinedRows["langs"]): DefinedRows[] => [
  { datasets: ["equipment"], langs, merge: "fill" },
  { datasets: ["equipment-expanded"], langs, merge: "fill", slice: "detail_slice_id" },
];

export const itemTables: DefinedTable[] = [
  {
    name: "item",
    kind: "row",
    description: "Items of the game. Texts are in item_text, upgrades in item_upgrade.",
    columns: {
      item_id: integer("Publisher's number of the item.", { from: at("data.equipid") }),
      icon_url: maybe.text("Icon.", { from: at("data.equipicon") }),
      type_id: maybe.integer(
        "Kind of item, whose name is in item_text. null: the upstream gives no details of the item.",
        { from: { "equipment-expanded": at("data.equiptype") } },
      ),
    },
    key: ["item_id"],
    rows: itemRows("base"),
  },
  {
    name: "item_text",
    kind: "text",
    label: "name",
    description: "Names of the items by language. Items with details also have their kind, bonuses and effect.",
    columns: {
      item_id: integer("Item.", { from: at("data.equipid") }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name.", { from: at("data.equipname") }),
      type_name: maybe.text("Kind of item.", { from: { "equipment-expanded": at("data.equiptypename") } }),
      tips: maybe.text("Bonuses of the item, one on each line, with markup.", {
        from: { "equipment-expanded": at("data.equiptips") },
      }),
      description: maybe.text("Effect of the item, with markup.", {
        from: { "equipment-expanded": at("data.equipskilldesc") },
      }),
      description_plain: maybe.text("Effect of the item without markup.", {
        from: { "equipment-expanded": plainOf("description") },
      }),
    },
    key: ["item_id", "lang"],
    references: [{ columns: ["item_id"], table: "item" }, toLanguage],
    rows: itemRows("each"),
  },
  {
    name: "item_upgrade",
    kind: "row",
    description: "Items that each item is built into.",
    columns: {
      item_id: integer("Item that is a part.", { from: inRecord("data.equipid") }),
      target_item_id: integer("Item that is built from the part.", { from: at("") }),
    },
    key: ["item_id", "target_item_id"],
    references: [{ columns: ["item_id"], table: "item" }],
    indexes: [["target_item_id"]],
    withoutRowid: true,
    rows: [{ datasets: ["equipment-expanded"], langs: "base", each: [numbers("data.targetequipid")] }],
  },
];
