import { EXIT, Failure } from "../../api/failure.ts";
import { isSample, nameKind } from "../../api/sample-data.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/** Whether the snapshots of a folder hold made-up numbers, subsets among them; undefined where there is none. */
export function readKind(data: string): boolean | undefined {
  const one = readPointer(data) ?? readPublished(data).published[0];
  return one && isSample(one);
}

/** Throws a Failure for usage where a snapshot with made-up numbers would come to real ones, or the other way round. */
export function refuseOtherKind(data: string, version: string, sample: boolean): void {
  const kind = readKind(data);
  if (kind === undefined || kind === sample) return;
  throw new Failure(
    EXIT.usage,
    `${data}: holds snapshots of ${nameKind(kind)} numbers, and those of ${version} are ${nameKind(sample)}; nothing was published`,
    "name another folder with --data",
  );
}

/** The same of whole folders whose nights are to be folded into one history. */
export function refuseMixedKinds(data: string, from: string): void {
  const [ours, theirs] = [readKind(data), readKind(from)];
  if (ours === undefined || theirs === undefined || ours === theirs) return;
  throw new Failure(
    EXIT.usage,
    `${data}: holds snapshots of ${nameKind(ours)} numbers, and ${from} those of ${nameKind(theirs)} ones; nothing was folded`,
    "name another folder with --data or --from",
  );
}
