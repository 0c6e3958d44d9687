import type { TableDefinition } from "../definition.ts";
import { academyTables } from "./academy.ts";
import { buildTables } from "./builds.ts";
import { codeTables } from "./codes.ts";
import { heroTables } from "./hero.ts";
import { itemTables } from "./item.ts";
import { matchupTables } from "./matchup.ts";
import { proofTables } from "./proof.ts";
import { ratingTables } from "./rating.ts";
import { skillTables } from "./skill.ts";
import { statisticsTables } from "./statistics.ts";
import { trendTables } from "./trend.ts";

/** All tables of a snapshot, those that others refer to first. */
export const TABLES: readonly TableDefinition[] = [
  ...proofTables,
  ...codeTables.filter(({ name }) => !name.endsWith("_text")),
  ...codeTables.filter(({ name }) => name.endsWith("_text")),
  ...heroTables,
  ...skillTables,
  ...statisticsTables,
  ...trendTables,
  ...itemTables,
  ...academyTables,
  ...buildTables,
  ...matchupTables,
  ...ratingTables,
  {
    name: "table_doc",
    description: "What each table and view is.",
    columns: {
      table_name: { type: "TEXT", nullable: false, description: "Table or view.", unit: null, source: null },
      description: { type: "TEXT", nullable: false, description: "What it is.", unit: null, source: null },
    },
    key: ["table_name"],
    withoutRowid: true,
  },
  {
    name: "column_doc",
    description: "What each column of each table and view is.",
    columns: {
      table_name: { type: "TEXT", nullable: false, description: "Table or view.", unit: null, source: null },
      column_name: { type: "TEXT", nullable: false, description: "Column.", unit: null, source: null },
      description: { type: "TEXT", nullable: false, description: "What it is.", unit: null, source: null },
      unit: { type: "TEXT", nullable: true, description: "What it is measured in.", unit: null, source: null },
      source: {
        type: "TEXT",
        nullable: true,
        description: "Endpoint and path it comes from.",
        unit: null,
        source: null,
      },
    },
    key: ["table_name", "column_name"],
    withoutRowid: true,
  },
];
