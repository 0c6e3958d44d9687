import { recordKey } from "../../api/body/read-record.ts";
import type { Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { hashSlice } from "./hash.ts";
import { createQuality, type QualityRow } from "./quality.ts";
import { createShapes, type ShapeRow } from "./shape.ts";

/** What a snapshot says of the records of a slice. */
export interface Finding {
  records: number;
  sha256: string;
}

/** What it says of all of them. */
export interface Summary {
  shape: ShapeRow[];
  quality: QualityRow[];
}

/** Looks at every record once. Slices must come in the order of the archive. */
export function createFindings() {
  const shapes = createShapes();
  const quality = createQuality();

  return {
    add({ dataset, lang, hero, subject }: Slice, records: readonly unknown[]): Finding {
      const endpoint = endpointOf(dataset);
      for (const record of records) {
        shapes.add(dataset, record);
        quality.add(dataset, lang, `${hero} ${subject} ${recordKey(endpoint, record)}`, record);
      }
      return { records: records.length, sha256: hashSlice(records) };
    },
    summary: (): Summary => ({ shape: shapes.rows(), quality: quality.rows() }),
  };
}
