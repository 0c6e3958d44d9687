import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
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
  const decoder = new TextDecoder();

  return {
    add({ slice: { dataset, lang, hero, subject }, pages }: Bodies): Finding {
      const records = pages.flatMap((page) => {
        // Only captured answers come here: the crawl has looked at their envelope.
        return unwrap(endpointOf(dataset).wrapping ?? "pages", JSON.parse(decoder.decode(page)));
      });
      for (const record of records) {
        shapes.add(dataset, record);
        quality.add(dataset, lang, `${hero} ${subject} ${endpointOf(dataset).key(record)}`, record);
      }
      return { records: records.length, sha256: hashSlice(records) };
    },
    summary: (): Summary => ({ shape: shapes.rows(), quality: quality.rows() }),
  };
}
