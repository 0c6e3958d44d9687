import { existsSync } from "node:fs";
import { isVerified } from "../verify/verified.ts";
import { findFault, verifyInProcess } from "../verify/verify-process.ts";
import { snapshotFile } from "./folder.ts";
import { hashFile } from "./fsync.ts";
import { type Pointer, readPointer } from "./pointer.ts";
import type { Counts } from "./shrink-guard.ts";

/** The snapshot that the pointer names, checked again: its file may have changed since it was published. */
export interface CurrentLatest {
  pointer: Pointer;
  counts: Counts | undefined;
  /** What is wrong with the file; undefined where it is what was published. */
  fault: string | undefined;
}

/** Undefined before the first publication. Reads the whole file. */
export async function readCurrentLatest(data: string): Promise<CurrentLatest | undefined> {
  const pointer = readPointer(data);
  if (!pointer) return undefined;
  const { counts, sha256, version } = pointer;
  const file = snapshotFile(data, version);
  if (!existsSync(file)) return { pointer, counts, fault: `${file}: has vanished` };
  const isSound = counts && isVerified(data, pointer) && (await hashFile(file)) === sha256;
  if (isSound) return { pointer, counts, fault: undefined };
  const verification = await verifyInProcess(file, pointer).catch((error: unknown) => error as Error);
  if (verification instanceof Error) return { pointer, counts, fault: verification.message };
  return { pointer, counts: verification.counts, fault: findFault(verification) };
}
