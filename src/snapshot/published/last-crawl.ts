import * as z from "zod";
import { toDocument } from "../../base/files.ts";
import { replaceFile } from "../../base/release.ts";
import { isVersion, lastCrawlFile, readDocument } from "./folder.ts";

const lastCrawlSchema = z.object({
  /** By the clock here, also if `SOURCE_DATE_EPOCH` dates the night. ISO 8601 in UTC. */
  began_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  exit_code: z.int().min(0).max(255),
  /** The snapshot that it has published; null if it has published none. */
  version: z.string().refine(isVersion).nullable(),
});

export type LastCrawl = z.infer<typeof lastCrawlSchema>;

/** The document has a tenth of it. */
const MAX_BYTES = 2048;

/** Leaves how a crawl ended beside its snapshots. How it ended does not change if this cannot be written. */
export function writeLastCrawl(data: string, crawl: LastCrawl): void {
  try {
    replaceFile(lastCrawlFile(data), toDocument(crawl));
  } catch {
    // The crawl has said itself that the disk is full. A folder that was made for it may have gone with its lock.
  }
}

/** Reads how the last crawl of a folder ended; undefined if no crawl has ended there, or if the file is damaged. */
export function readLastCrawl(data: string): LastCrawl | undefined {
  try {
    return lastCrawlSchema.parse(JSON.parse(readDocument(lastCrawlFile(data), MAX_BYTES)));
  } catch {
    return undefined;
  }
}
