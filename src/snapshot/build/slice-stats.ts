import { hashSlice } from "../../api/body/canonical.ts";
import { recordKey } from "../../api/body/record-fields.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import { createQualityCounter, type IssueRow, type QualityRow } from "./quality.ts";
import { createShapeCollector, type ShapeRow } from "./shape.ts";

/** The number of records of a slice, and the sha256 of their canonical form. */
export interface SliceStats {
  records: number;
  sha256: string;
}

/** The rows of the tables `shape`, `text_quality` and `text_issue`. */
export interface ArchiveStats {
  shape: ShapeRow[];
  quality: QualityRow[];
  issues: IssueRow[];
}

/** Collects stats, and looks at every record once. */
export interface StatsCollector {
  /** Slices must come in the order of the archive. */
  add(of: NumberedSlice, records: readonly unknown[]): SliceStats;
  /** Returns the stats of all slices that were added. */
  summary(): ArchiveStats;
}

export function createStatsCollector(): StatsCollector {
  const shapes = createShapeCollector();
  const quality = createQualityCounter();

  return {
    add(of, records) {
      const { dataset, hero, subject } = of.slice;
      const endpoint = endpointOf(dataset);
      for (const [index, record] of records.entries()) {
        shapes.add(dataset, record);
        quality.add(of, index + 1, `${hero} ${subject} ${recordKey(endpoint, record)}`, record);
      }
      return { records: records.length, sha256: hashSlice(records) };
    },
    summary: () => ({ shape: shapes.rows(), quality: quality.rows(), issues: quality.issues() }),
  };
}
