import type { TableDefinition } from "../definition.ts";
import { withCells } from "../with-cells.ts";
import { withSlices } from "../with-slices.ts";
import { academyTables } from "./academy.ts";
import { archiveTables } from "./archive.ts";
import { buildTables } from "./builds.ts";
import { standingTables } from "./closed-part.ts";
import { codeTables } from "./codes.ts";
import { comboTables } from "./combo.ts";
import { docTables } from "./docs.ts";
import { heroTables } from "./hero.ts";
import { itemTables } from "./item.ts";
import { matchupTables } from "./matchup.ts";
import { rateErrorTable } from "./rate-error.ts";
import { ratingTables } from "./rating.ts";
import { skillTables } from "./skill.ts";
import { statisticsTables } from "./statistics.ts";
import { trendTables } from "./trend.ts";

/** All tables of a snapshot, those that others refer to first. */
export const TABLES: readonly TableDefinition[] = [
  ...standingTables,
  ...archiveTables,
  ...codeTables,
  ...heroTables,
  ...skillTables,
  ...comboTables,
  ...statisticsTables,
  ...trendTables,
  rateErrorTable,
  ...itemTables,
  ...academyTables,
  ...buildTables,
  ...matchupTables,
  ...ratingTables,
  ...docTables,
].map((table) => withSlices(withCells(table)));
