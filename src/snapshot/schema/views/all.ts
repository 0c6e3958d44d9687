import type { SnapshotView } from "../definition.ts";
import { proofViews } from "./proof.ts";
import { statisticsViews } from "./statistics.ts";
import { wordViews } from "./words.ts";

/** In the order of the dictionary. */
export const VIEWS: readonly SnapshotView[] = [...statisticsViews, ...wordViews, ...proofViews];
