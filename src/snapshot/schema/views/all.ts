import type { SnapshotView } from "../definition.ts";
import { archiveViews } from "./archive.ts";
import { buildViews } from "./builds.ts";
import { pairingViews } from "./pairings.ts";
import { rateViews } from "./rates.ts";
import { wordViews } from "./words.ts";

/** In the order of the dictionary. */
export const VIEWS: readonly SnapshotView[] = [
  ...rateViews,
  ...pairingViews,
  ...buildViews,
  ...wordViews,
  ...archiveViews,
];
