import { constants, existsSync, lstatSync, realpathSync, rmSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../../api/failure.ts";
import { hashFile, makeFolder } from "../../../base/files.ts";
import { draftOf, release } from "../../../base/release.ts";
import { snapshotFolder } from "../../../snapshot/published/folder.ts";
import { sweepDrafts } from "../../../snapshot/published/prune.ts";
import { listFolder, readDocuments } from "./contents.ts";
import type { Place } from "./place.ts";

/** Opens the place and removes the drafts of a run that was killed: nobody else may be at work in the folder. */
export function openFolderPlace(folder: string): Place {
  sweepDrafts(folder);
  return {
    name: folder,
    list: async () => listFolder(folder),
    readDocuments: async (names) => readDocuments(folder, names),
    async put(file, name) {
      const target = join(folder, name);
      const draft = draftOf(target);
      makeFolder(dirname(target));
      // A file in the place of the draft may be a link to another file.
      rmSync(draft, { force: true });
      // If the file system can do so, the copy shares its blocks.
      await copyFile(file, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      if ((await hashFile(draft)) !== (await hashFile(file)))
        throw new Failure(EXIT.incomplete, `${target}: was not written as it was read`, "run the same command again");
      release([[{ file: target, draft }]]);
    },
    async remove(name) {
      rmSync(join(folder, name), { force: true });
    },
  };
}

/**
 * Throws a Failure if the place is the data folder, lies in it or holds it, by whatever name, or if its `snapshots` is a link: a place
 * loses the nights that it need not keep.
 */
export function refuseOverlap(data: string, folder: string): void {
  const beside = snapshotFolder(folder);
  const dataFolders = [data, snapshotFolder(data)];
  for (const there of [folder, beside])
    if (dataFolders.some((dataFolder) => isWithin(dataFolder, there) || isWithin(there, dataFolder))) {
      const what =
        identityOf(folder) === identityOf(data) ? "is the data folder itself" : "and the data folder overlap";
      throw new Failure(EXIT.usage, `${folder}: ${what} (${data})`, "name another folder");
    }
  if (lstatSync(beside, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Failure(EXIT.usage, `${beside}: is a link to another folder`, "name a place that has a folder there");
}

/** Returns the identity of a folder, one under all its names: links, mounts, other cases of letters. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Tells whether a path is that folder, or lies or would lie in it. */
function isWithin(path: string, folder: string): boolean {
  const wanted = identityOf(folder);
  if (wanted === undefined) return false;
  let ancestor = path;
  while (!existsSync(ancestor)) ancestor = dirname(ancestor);
  for (ancestor = realpathSync(ancestor); identityOf(ancestor) !== wanted; ancestor = dirname(ancestor))
    if (ancestor === dirname(ancestor)) return false;
  return true;
}
