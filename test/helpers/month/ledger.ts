/** A publication as it ought to be known. */
export interface Entry {
  version: string;
  sequence: number;
  /** A copy of the file as it was published. */
  file: string;
  /** The version that was the latest before; null before the first. Subsets follow nothing. */
  follows: string | null;
  subset: boolean;
  /** Answers that it lacks, and the same night with nothing failing. */
  failed: number;
  whole?: string;
}

/** Keeps the books of a folder by what was done, not by what the folder says. */
export function createLedger() {
  const entries: Entry[] = [];
  let latest = "";

  const find = (version: string) => entries.find((entry) => entry.version === version);
  const nights = () => entries.filter(({ subset }) => !subset);

  /** The pointer's night, the one that it followed, and so on to the first. */
  function standing(): Set<string> {
    const way = new Set<string>();
    for (let at = find(latest); at; at = at.follows === null ? undefined : find(at.follows)) way.add(at.version);
    return way;
  }

  return {
    get latest() {
      return latest;
    },
    add(entry: Omit<Entry, "sequence" | "follows">) {
      const follows = entry.subset || latest === "" ? null : latest;
      entries.push({ ...entry, follows, sequence: entries.length + 1 });
      if (!entry.subset) latest = entry.version;
    },
    moveTo(version: string) {
      latest = version;
    },
    find,
    all: (): readonly Entry[] => entries,
    /** In the order of publication. */
    nights,
    standing: () => nights().filter(({ version }) => standing().has(version)),
    isWithdrawn: (version: string) => !standing().has(version),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
