import { parseBody } from "../api/body.ts";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { recordKey } from "../api/read-record.ts";
import { unwrap } from "../api/wrapping.ts";
import { hashSlice } from "./hash.ts";
import { createQuality, type QualityRow } from "./quality.ts";
import { createShapes, type ShapeRow } from "./shape.ts";

/** The bodies of a slice, by page; none when it was not captured. */
export interface Bodies {
  slice: Slice;
  pages: readonly Uint8Array[];
}

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
    add({ slice: { dataset, lang, hero, subject }, pages }: Bodies): Finding {
      const endpoint = endpointOf(dataset);
      // Only captured answers come here: the crawl has looked at their envelope.
      const records = pages.flatMap((page) => unwrap(endpoint.wrapping ?? "pages", parseBody(page)));
      for (const record of records) {
        shapes.add(dataset, record);
        quality.add(dataset, lang, `${hero} ${subject} ${recordKey(endpoint, record)}`, record);
      }
      return { records: records.length, sha256: hashSlice(records) };
    },
    summary: (): Summary => ({ shape: shapes.rows(), quality: quality.rows() }),
  };
}
