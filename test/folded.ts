import type { Night } from "../src/nights/history/history.ts";
import { listNights } from "../src/nights/published.ts";
import { snapshotFile } from "../src/snapshot/folder.ts";

/** The nights of a data folder as its command folds them. */
export const readNights = (data: string): Night[] =>
  listNights(data).nights.map(({ version, sequence = null, withdrawn = false }) => ({
    file: snapshotFile(data, version),
    sequence,
    withdrawn,
  }));
