import type { SnapshotView } from "../definition.ts";
import { archiveViews } from "./archive.ts";
import { statisticsViews } from "./statistics.ts";
import { wordViews } from "./words.ts";

/** In the order of the dictionary. */
export const VIEWS: readonly SnapshotView[] = [...statisticsViews, ...wordViews, ...archiveViews];
