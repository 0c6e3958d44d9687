import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../../api/failure.ts";
import { makeFolder, writeAnew } from "../../../base/files.ts";
import { type Change, openStage, stageName } from "../../../base/release.ts";
import { INDEX_FILE, readIndexedPaths, toNameIndex } from "./file-index.ts";

const STAGE = "api";

/** The note with the names of the files that are about to be replaced: after a kill the next run knows them as ours. */
const NOTE = ".unfinished-api.json";

/** The folder of the lock (journal/lock.ts), inside the folder of the files. */
export const LOCK_OF_API = ".lock-api";

/** Names that do not count: a folder with nothing else is empty. */
const NOT_COUNTED = [stageName(STAGE), NOTE, LOCK_OF_API, ".git"];

/** A folder of ours that is written to. No link in it is followed. */
export interface FilesFolder extends Disposable {
  /** The files that earlier runs have written, by their indexes. */
  claimed: ReadonlySet<string>;
  /** Tells whether the file has these bytes. Throws a Failure for usage if somebody else's file lies there. */
  holds(path: string, body: Buffer): boolean;
  /** Tells whether a run has ended with this index, and none has begun since. */
  endedWith(index: string): boolean;
  /** Writes a draft of a file. */
  stage(path: string, body: Buffer): void;
  /** Puts the drafts in their places, removes files that no longer exist in the new export, and writes the index last. */
  place(stale: readonly string[], index: string): void;
}

/** Opens a folder. Throws a Failure for usage if it is neither empty nor ours: others would lose what they have there. */
export function openFilesFolder(out: string): FilesFolder {
  makeFolder(out);
  inspect(out, INDEX_FILE);
  const [index, note] = [join(out, INDEX_FILE), join(out, NOTE)];
  const claimed = claim(out, index, note);
  const stage = openStage(out, STAGE);
  const staged: (Change & { path: string })[] = [];

  return {
    claimed,

    holds(path, body) {
      if (!inspect(out, path)) return false;
      if (readFileSync(join(out, path)).equals(body)) return true;
      if (claimed.has(path)) return false;
      const hint = "remove it, or name another folder with --out";
      throw new Failure(EXIT.usage, `${join(out, path)}: is in the way, but no export wrote it`, hint);
    },

    endedWith: (text) => !inspect(out, NOTE) && inspect(out, INDEX_FILE) && readFileSync(index, "utf8") === text,

    stage(path, body) {
      const draft = stage.draft(String(staged.length));
      writeAnew(draft, body);
      staged.push({ path, file: join(out, path), draft, unsynced: true });
    },

    place(stale, text) {
      for (const path of [...staged.map((change) => change.path), ...stale]) inspect(out, path);
      stage.release([
        [{ file: note, text: toNameIndex(new Set([...claimed, ...staged.map(({ path }) => path)])) }],
        [...staged, ...stale.map((path) => ({ file: join(out, path), gone: true as const }))],
        [{ file: index, text }],
        [{ file: note, gone: true }],
      ]);
      for (const path of stale) removeEmpty(out, dirname(path));
    },

    [Symbol.dispose]: stage[Symbol.dispose],
  };
}

function claim(out: string, index: string, note: string): Set<string> {
  const [indexed, begun] = [readIndexedPaths(index), readIndexedPaths(note)];
  const others = readdirSync(out).filter((name) => !NOT_COUNTED.includes(name));
  if (others.length > 0 && !indexed && !begun) {
    const what = "is not empty, and has no index.json of an export as api";
    throw new Failure(EXIT.usage, `${out}: ${what}; nothing was written`, "name another folder with --out");
  }
  // Also a link or a folder with its name.
  if (!begun) rmSync(note, { recursive: true, force: true });
  return new Set([...(indexed ?? []), ...(begun ?? [])]);
}

/** Tells whether a file lies there. Throws a Failure for usage if a link or something else is in the way. */
function inspect(out: string, path: string): boolean {
  const parts = path.split("/");
  for (const [index] of parts.entries()) {
    const part = join(out, ...parts.slice(0, index + 1));
    const stats = lstatSync(part, { throwIfNoEntry: false });
    if (!stats) return false;
    const isLast = index === parts.length - 1;
    if (isLast ? stats.isFile() : stats.isDirectory()) continue;
    const what = stats.isSymbolicLink()
      ? "is a link, and links are not followed"
      : `is not a ${isLast ? "file" : "folder"}`;
    throw new Failure(EXIT.usage, `${part}: ${what}`, "remove it, or name another folder with --out");
  }
  return true;
}

/** Removes a folder, and those around it that have become empty with it. */
function removeEmpty(out: string, folder: string) {
  if (folder === "." || !lstatSync(join(out, folder), { throwIfNoEntry: false })?.isDirectory()) return;
  if (readdirSync(join(out, folder)).length > 0) return;
  rmdirSync(join(out, folder));
  removeEmpty(out, dirname(folder));
}
