import { lockFolder } from "../../src/journal/lock.ts";
import type { Manifest } from "../../src/snapshot/published/manifest.ts";
import { restorePointer } from "../../src/snapshot/published/rollback.ts";
import { describeDamagedMarks, readNights } from "../../src/snapshot/published/sequence.ts";
import { complain } from "./say.ts";

/** Writes a damaged pointer again, and tells it. */
export const restoreAndTell = (data: string) => complain(...restorePointer(data));

/** Allows one crawl, build or pull at a time in a data folder, whose pointer is whole then. */
export function lockToPublish(data: string): Disposable {
  restoreAndTell(data);
  return lockFolder(data);
}

/** Published nights that stand and that do not, the first published first. Damaged manifests are told of. */
export function listStanding(data: string): { standing: Manifest[]; withdrawn: Manifest[] } {
  const { nights, damaged } = readNights(data);
  complain(...describeDamagedMarks(data));
  for (const version of damaged) complain(`${version}: its manifest is damaged; the night is skipped`);
  const { standing = [], withdrawn = [] } = Object.groupBy(nights, (night) =>
    night.withdrawn ? "withdrawn" : "standing",
  );
  return { standing, withdrawn };
}
