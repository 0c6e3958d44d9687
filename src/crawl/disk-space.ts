import { statfsSync } from "node:fs";

/**
 * Bytes for one slice: its answer in the journal (5 kB), its rows in the snapshot (7 kB), and those again while it is
 * verified. Measured with a whole crawl of the sample.
 */
const BYTES_OF_A_SLICE = 19_000;

/** What a folder lacks for so many slices, in megabytes; nothing where it has room. */
export function findShortage(folder: string, slices: number): { free_mb: number; needed_mb: number } | undefined {
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, slices * BYTES_OF_A_SLICE];
  const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6);
  return free < needed ? { free_mb: toMegabytes(free), needed_mb: toMegabytes(needed) } : undefined;
}
