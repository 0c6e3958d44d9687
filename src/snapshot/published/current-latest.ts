import { existsSync } from "node:fs";
import * as z from "zod";
import { openCheckedFile } from "../read/open.ts";
import { readFilled } from "../read/summary.ts";
import { isVerified } from "../verify/verified.ts";
import { findFault, verifyInProcess } from "../verify/verify-process.ts";
import { snapshotFile } from "./folder.ts";
import { hashFile } from "./fsync.ts";
import { readManifest } from "./manifest.ts";
import { type Pointer, readPointer } from "./pointer.ts";
import type { Counts } from "./shrink-guard.ts";

/** The snapshot that the pointer names, checked again: its file may have changed since it was published. */
export interface CurrentLatest {
  pointer: Pointer;
  counts: Counts | undefined;
  /** The datasets that have records. */
  filled: readonly string[];
  /** What is wrong with the file; undefined where it is what was published. */
  fault: string | undefined;
}

/** Undefined before the first publication. Reads the whole file. */
export async function readCurrentLatest(data: string): Promise<CurrentLatest | undefined> {
  const pointer = readPointer(data);
  if (!pointer) return undefined;
  const { counts, sha256, version } = pointer;
  const file = snapshotFile(data, version);
  const told = { pointer, counts, filled: toldAsFilled(data, version) };
  if (!existsSync(file)) return { ...told, fault: `${file}: has vanished` };
  const isSound = counts && isVerified(data, pointer) && (await hashFile(file)) === sha256;
  if (isSound) return { ...told, filled: readFilledOf(file), fault: undefined };
  const verification = await verifyInProcess(file, pointer).catch((error: unknown) => error as Error);
  if (verification instanceof Error) return { ...told, fault: verification.message };
  return { pointer, counts: verification.counts, filled: verification.filled, fault: findFault(verification) };
}

function readFilledOf(file: string): string[] {
  const db = openCheckedFile(file);
  try {
    return readFilled(db);
  } finally {
    db.close();
  }
}

const reported = z.object({ coverage: z.array(z.object({ dataset: z.string(), records: z.number() })) });

/** By the report in the manifest; nothing where it has none. */
function toldAsFilled(data: string, version: string): string[] {
  const { coverage = [] } = reported.safeParse(readManifest(data, version)).data ?? {};
  return [...new Set(coverage.filter(({ records }) => records > 0).map(({ dataset }) => dataset))];
}
