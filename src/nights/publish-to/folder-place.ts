import { constants, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { makeFolder } from "../../journal/make-folder.ts";
import { snapshotFolder } from "../../snapshot/published/folder.ts";
import { draftOf, fsyncPath, hashFile } from "../../snapshot/published/fsync.ts";
import { versionOf } from "../../snapshot/published/prune.ts";
import { listFolder, POINTER, readDocuments } from "./contents.ts";
import type { Place } from "./place.ts";

/** Removes the drafts of a run that was killed: nobody else may be at work in the folder. */
export function openFolderPlace(folder: string): Place {
  removeDrafts(folder);
  return {
    name: folder,
    list: async () => listFolder(folder),
    readDocuments: async (names) => readDocuments(folder, names),
    async put(file, name) {
      const target = join(folder, name);
      makeFolder(dirname(target));
      // Where the file system can, the copy shares its blocks.
      await copyFile(file, draftOf(target), constants.COPYFILE_FICLONE);
      fsyncPath(draftOf(target));
      if ((await hashFile(draftOf(target))) !== (await hashFile(file)))
        throw new Failure(EXIT.incomplete, `${target}: was not written as it was read`, "run the same command again");
      renameSync(draftOf(target), target);
      fsyncPath(dirname(target));
    },
    async remove(name) {
      rmSync(join(folder, name), { force: true });
    },
  };
}

function removeDrafts(folder: string) {
  rmSync(draftOf(join(folder, POINTER)), { force: true });
  const beside = snapshotFolder(folder);
  if (!existsSync(beside)) return;
  for (const name of readdirSync(beside))
    if (versionOf(name) !== undefined && name.endsWith(".draft")) rmSync(join(beside, name), { force: true });
}
