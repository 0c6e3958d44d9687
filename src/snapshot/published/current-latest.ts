import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Part } from "../../api/parts.ts";
import { isFullSelection, type Selection } from "../../api/selection.ts";
import { hashFile } from "../../base/files.ts";
import type { BaseId } from "../read/base.ts";
import { openCheckedFile } from "../read/open.ts";
import { hashStanding, readClosedParts } from "../read/standing.ts";
import { isVerified } from "../verify/verified.ts";
import { findFault, verifyInProcess } from "../verify/verify-process.ts";
import { snapshotFile } from "./folder.ts";
import type { Counts } from "./loss.ts";
import { isNight } from "./manifest.ts";
import { type Pointer, readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/** The snapshot that the pointer names, checked again: its file may have changed since it was published. */
export interface CurrentLatest {
  pointer: Pointer;
  /** Undefined if they do not count. */
  counts: Counts | undefined;
  /** The parts that were closed in its night, and a hash over them and the dates of carried answers; undefined if nobody can tell. */
  closed: readonly Part[];
  standing: string | undefined;
  /** The fault of the file; undefined if it is as it was published. */
  fault: string | undefined;
}

/**
 * Reads the latest snapshot; undefined before the first publication. Reads the whole file, unless it is the `base`, which was opened by its
 * hash in this run.
 */
export async function readCurrentLatest(data: string, base?: BaseId): Promise<CurrentLatest | undefined> {
  const pointer = readPointer(data);
  if (!pointer) return undefined;
  const { counts, sha256, version } = pointer;
  const file = snapshotFile(data, version);
  const told = { pointer, counts, closed: [], standing: undefined };
  if (!existsSync(file)) return { ...told, fault: `${file}: has vanished` };
  const isBase = base?.version === version && base.sha256 === sha256;
  const isSound = isVerified(data, pointer) && (isBase || (await hashFile(file)) === sha256);
  if (isSound) return { ...told, ...readState(file), fault: undefined };
  const verification = await verifyInProcess(file, "reader", pointer).catch((error: unknown) => error as Error);
  if (verification instanceof Error) return { ...told, fault: verification.message };
  const { closed, standing } = verification;
  return { pointer, counts: verification.counts, closed, standing, fault: findFault(verification) };
}

function readState(file: string) {
  const db = openCheckedFile(file);
  try {
    return { closed: readClosedParts(db), standing: hashStanding(db) };
  } finally {
    db.close();
  }
}

/**
 * Lists the snapshots that a crawl of this selection may build on, the best first: the latest, then the nights before it. For a subset,
 * those of the same selection come before all of them.
 */
export function listBases(data: string, selection: Selection): BaseId[] {
  const standing = readPublished(data)
    .published.filter(({ withdrawn }) => !withdrawn)
    .reverse();
  const same = isFullSelection(selection)
    ? []
    : standing.filter(({ crawl }) =>
        isDeepStrictEqual((crawl as { selection?: unknown } | undefined)?.selection, selection),
      );
  const latest = readPointer(data);
  const all = [...same, ...(latest ? [latest] : []), ...standing.filter(isNight)];
  return [...new Map(all.map(({ version, sha256 }) => [version, { version, sha256 }])).values()];
}
