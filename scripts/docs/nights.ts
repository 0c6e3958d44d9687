import { COMPARED_TABLES } from "../../src/extra/nights/diff/shared-tables.ts";
import type { TableKind } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { fillPlaces, headed } from "./page.ts";

/** How a diff compares tables of a kind. */
const KINDS: Record<TableKind, string> = {
  text: "row by row; changed texts word by word (`Intl.Segmenter` finds the words, also in Japanese, Chinese, Thai and Khmer)",
  list: "as whole lists: roles, lanes, labels, steps",
  row: "row by row: added, gone and changed, column by column",
  statistic:
    "number of rows that differ; `hero_rate` and `hero_matchup` as in [What is noise](#what-is-noise), builds of rank `all` as lists",
  internal: "not compared; the report compares the shape of the records and the coverage separately",
};

/** Renders the parts of data/NIGHTS.md that come from the code. */
export const renderNights = (text: string) => fillPlaces(text, { kinds: describeKinds() });

function describeKinds(): string {
  const compared = new Map(COMPARED_TABLES.map(({ name, kind }) => [name, kind]));
  const byKind = Map.groupBy(TABLES, ({ name }): TableKind => compared.get(name) ?? "internal");
  const rows = Object.entries(KINDS).map(([kind, how]) => {
    const tables = byKind.get(kind as TableKind) ?? [];
    return [how, tables.map(({ name }) => `\`${name}\``).join(", ")];
  });
  return headed(["compared", "tables"], rows);
}
