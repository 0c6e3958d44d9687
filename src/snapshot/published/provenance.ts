import { EXIT, Failure } from "../../api/failure.ts";
import { isSample, nameProvenance } from "../../api/sample-data.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/** Tells whether the snapshots of a folder hold made-up numbers, subsets among them; undefined if there is no snapshot. */
export function readProvenance(data: string): boolean | undefined {
  const snapshot = readPointer(data) ?? readPublished(data).published[0];
  return snapshot && isSample(snapshot);
}

/** Throws a Failure for usage if a snapshot with made-up numbers would come to real ones, or the other way round. */
export function refuseOtherProvenance(data: string, version: string, sample: boolean): void {
  const provenance = readProvenance(data);
  if (provenance === undefined || provenance === sample) return;
  throw new Failure(
    EXIT.usage,
    `${data}: holds snapshots of ${nameProvenance(provenance)} numbers, and those of ${version} are ${nameProvenance(sample)}; nothing was published`,
    "name another folder with --data",
  );
}

/** Throws such a Failure for two folders whose nights are to be folded into one history. */
export function refuseMixedProvenance(data: string, from: string): void {
  const [ours, theirs] = [readProvenance(data), readProvenance(from)];
  if (ours === undefined || theirs === undefined || ours === theirs) return;
  throw new Failure(
    EXIT.usage,
    `${data}: holds snapshots of ${nameProvenance(ours)} numbers, and ${from} those of ${nameProvenance(theirs)} ones; nothing was folded`,
    "name another folder with --data or --from",
  );
}
