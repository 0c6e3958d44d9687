import { LRUCache } from "lru-cache";
import type { Snapshot } from "../snapshot/read.ts";

/** Characters of record text: about the rank lists of all ranks and windows. */
const KEPT = 8 * 1024 * 1024;

/** The records of whole lists, those asked for last: reading one out of the file takes longer than sending it. */
export function createLists(snapshot: Snapshot) {
  const lists = new LRUCache<string, readonly string[]>({ maxSize: KEPT, sizeCalculation: sizeOf });
  return (dataset: string, slice: string): readonly string[] => {
    const key = `${dataset}?${slice}`;
    const records = lists.get(key) ?? snapshot.records(dataset, slice);
    lists.set(key, records);
    return records;
  };
}

const sizeOf = (records: readonly string[]) => records.reduce((size, { length }) => size + length, 1);
