import type { Entry, Ledger } from "./ledger.ts";

/** Nights that the follower keeps. */
export const KEEP = 3;

/** Keeps the books of a mirror that follows: what it has published, and which of it it can know to be withdrawn. */
export function createFollowerBooks(ledger: Ledger) {
  const published: Entry[] = [];
  const withdrawn = new Set<string>();
  let kept: Entry[] = [];

  return {
    /** The way of a night leads back to what lies here of those before it; what lies beside that way is withdrawn. */
    add(version: string) {
      const night = ledger.find(version);
      if (!night) throw new Error(`${version} is not in the books`);
      const here = [...kept, night];
      const way = [night];
      for (let at: Entry | undefined = night; at; at = here.find((other) => other.version === at?.follows))
        if (at !== night) way.push(at);
      const first = way.at(-1)?.sequence ?? 0;
      for (const other of here)
        if (way.includes(other)) withdrawn.delete(other.version);
        else if (other.sequence > first) withdrawn.add(other.version);
      published.push(night);
      kept = here.slice(-KEEP);
      // What stands says of the night before it that it stands too.
      for (const { version: own, follows } of kept) if (!withdrawn.has(own) && follows) withdrawn.delete(follows);
    },
    nights: () => published.map((night) => ({ ...night, withdrawn: withdrawn.has(night.version) })),
  };
}
