import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, inRecord, numbers, plainOf, type RowSource } from "../row-source.ts";

const toLanguage = { columns: ["lang"], table: "language" };

export const itemTables: TableDefinition[] = [
  {
    name: "item",
    kind: "row",
    description: "Items of the game. Texts are in item_text, upgrades in item_upgrade.",
    columns: {
      item_id: integer("Publisher's number of the item."),
      icon_url: maybe.text("Icon."),
      type_id: maybe.integer(
        "Kind of item, whose name is in item_text. null: the upstream gives no details of the item.",
      ),
    },
    key: ["item_id"],
    rows: itemRows("base", { icon_url: at("data.equipicon") }, { type_id: at("data.equiptype") }),
  },
  {
    name: "item_text",
    kind: "text",
    label: "name",
    description: "Names of the items by language. Items with details also have their kind, bonuses and effect.",
    columns: {
      item_id: integer("Item."),
      lang: text("Language."),
      name: text("Name."),
      type_name: maybe.text("Kind of item."),
      tips: maybe.text("Bonuses of the item, one on each line, with markup."),
      description: maybe.text("Effect of the item, with markup."),
      description_plain: maybe.text("Effect of the item without markup."),
    },
    key: ["item_id", "lang"],
    references: [{ columns: ["item_id"], table: "item" }, toLanguage],
    rows: itemRows(
      "each",
      { lang: asked("lang"), name: at("data.equipname") },
      {
        type_name: at("data.equiptypename"),
        tips: at("data.equiptips"),
        description: at("data.equipskilldesc"),
        description_plain: plainOf("description"),
      },
    ),
  },
  {
    name: "item_upgrade",
    kind: "row",
    description: "Items that each item is built into.",
    columns: {
      item_id: integer("Item that is a part."),
      target_item_id: integer("Item that is built from the part."),
    },
    key: ["item_id", "target_item_id"],
    references: [{ columns: ["item_id"], table: "item" }],
    indexes: [["target_item_id"]],
    withoutRowid: true,
    rows: [
      {
        datasets: ["equipment-expanded"],
        langs: "base",
        each: [numbers("data.targetequipid")],
        cells: { item_id: inRecord("data.equipid"), target_item_id: at("") },
      },
    ],
  },
];

/** The list of all items, and the one of those with details, which says more. */
function itemRows(langs: RowSource["langs"], shared: RowSource["cells"], detailed: RowSource["cells"]): RowSource[] {
  const cells = { item_id: at("data.equipid"), ...shared };
  return [
    { datasets: ["equipment"], langs, merge: "fill", cells },
    {
      datasets: ["equipment-expanded"],
      langs,
      merge: "fill",
      slice: "detail_slice_id",
      cells: { ...cells, ...detailed },
    },
  ];
}
