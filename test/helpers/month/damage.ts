import { copyFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, snapshotFile } from "../../../src/snapshot/published/folder.ts";
import type { Draw } from "../draw.ts";

/** Damages snapshots or their manifests on the disk, and puts them right again. */
export function createDamage(draw: Draw, data: string) {
  const manifests = new Map<string, Buffer>();
  const ever = new Set<string>();
  return {
    has: (version: string) => manifests.has(version),
    any: () => manifests.size > 0,
    /** Whether it tells of one that is or was damaged. */
    explains: (problem: string) => [...ever].some((version) => problem.includes(version)),
    /** Whoever has the file open goes on with what was there. */
    do(version: string) {
      const snapshot = snapshotFile(data, version);
      const manifest = manifestOf(snapshot);
      manifests.set(version, readFileSync(manifest));
      ever.add(version);
      const file = draw.pick([snapshot, manifest]);
      const draft = join(data, "damaged");
      copyFileSync(file, draft);
      if (file === manifest) writeFileSync(draft, "{");
      else truncateSync(draft, 4096 * (1 + draw.below(40)));
      renameSync(draft, file);
    },
    undo(version: string, whole: string) {
      copyFileSync(whole, snapshotFile(data, version));
      writeFileSync(manifestOf(snapshotFile(data, version)), manifests.get(version) ?? "");
      manifests.delete(version);
    },
  };
}
