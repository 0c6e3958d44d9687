import { existsSync, rmSync, statSync } from "node:fs";
import * as z from "zod";
import { hashFile } from "../../base/files.ts";
import { isVersion, MAX_CHANGES_BYTES, snapshotFile } from "./folder.ts";

/** The changes since the night before in a manifest: the version of that night, and the JSON file beside the snapshot. */
export const changesSchema = z.object({ since: z.string().refine(isVersion), size: z.int(), sha256: z.string() });

type ChangesFile = z.infer<typeof changesSchema>;

export interface CompareTask {
  before: string;
  after: string;
  target: string;
  /** Those of the two that were read in full for this publication: nobody need read them in full again. */
  verified: string[];
}

/** Writes as JSON what changed from one snapshot to another; rejects if that cannot be told. */
export type Compare = (task: CompareTask) => Promise<void>;

/** Returns the path of changes that are not published yet. */
export const draftOfChanges = (draft: string) => `${draft}.changes`;

/** The changes, or why they cannot be told; neither if the night before is not here. */
export interface Compared {
  changes?: ChangesFile;
  uncompared?: string;
}

/**
 * Compares a draft with the night that it follows; `isBeforeVerified` says whether that was read in full already. It fails only when it is
 * told to stop: a night whose changes are unknown is still a night.
 */
export async function compareDraft(
  draft: string,
  data: string,
  since: string | null | undefined,
  isBeforeVerified: boolean,
  compare: Compare | undefined,
): Promise<Compared> {
  const target = draftOfChanges(draft);
  rmSync(target, { force: true });
  if (!since || !compare) return {};
  const before = snapshotFile(data, since);
  if (!existsSync(before)) return {};
  try {
    await compare({ before, after: draft, target, verified: isBeforeVerified ? [before, draft] : [draft] });
    const { size } = statSync(target);
    if (size > MAX_CHANGES_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_CHANGES_BYTES} are kept`);
    return { changes: { since, size, sha256: await hashFile(target) } };
  } catch (error) {
    rmSync(target, { force: true });
    if ((error as Error).name === "AbortError") throw error;
    return { uncompared: (error as Error).message };
  }
}
