import { LRUCache } from "lru-cache";

/**
 * Remembers what was found in files, by an identity that changes if one of them does (`fileIdentity`). Files are read once for as long as
 * none of them changes.
 */
export interface FileMemory<Found> {
  /** Returns what is remembered of files with this identity; undefined if it is unknown. */
  known(identity: string): Found | undefined;
  /** Looks once. Undefined if `look` finds nothing, or if the files change while they are read. */
  findNow(identify: () => string, look: () => Found | undefined): Found | undefined;
  /** Looks again if files change meanwhile. Undefined if `look` finds nothing, or if they go on changing. */
  find(identify: () => string | Promise<string>, look: () => Promise<Found | undefined>): Promise<Found | undefined>;
  forget(identity: string): void;
}

/** The most files that are remembered; a folder has fewer by default. */
const MOST_FILES = 1000;
/** The most reads of a file that changes each time. */
const MOST_READS = 3;

export function createFileMemory<Found extends object | string>(): FileMemory<Found> {
  const memory = new LRUCache<string, Found>({ max: MOST_FILES });
  const keep = (identity: string, found: Found | undefined) => {
    if (found !== undefined) memory.set(identity, found);
    return found;
  };
  return {
    known: (identity) => memory.get(identity),
    findNow(identify, look) {
      const identity = identify();
      const known = memory.get(identity);
      if (known !== undefined) return known;
      const found = look();
      return identify() === identity ? keep(identity, found) : undefined;
    },
    async find(identify, look) {
      for (let reads = 0; reads < MOST_READS; reads += 1) {
        const identity = await identify();
        const known = memory.get(identity);
        if (known !== undefined) return known;
        const found = await look();
        if ((await identify()) === identity) return keep(identity, found);
      }
      return undefined;
    },
    forget: (identity) => void memory.delete(identity),
  };
}
