import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { fsyncPath, makeFolder, replaceFile, writeAnew } from "../../base/files.ts";
import { INDEX_FILE, readIndexedPaths, toNameIndex } from "./file-index.ts";

/** Drafts, and the names of the files that are about to be replaced: after a kill the next run knows them as ours. */
const DRAFTS = ".partial-api";

/** The folder of the lock (journal/lock.ts), inside the folder of the files. */
export const LOCK_OF_API = ".lock-api";

/** What may lie in a folder that counts as empty. */
const NOT_COUNTED = [DRAFTS, LOCK_OF_API, ".git"];

/** A folder of ours, to write to. No link in it is followed. */
export interface FilesFolder extends Disposable {
  /** What earlier runs have written, by their indexes. */
  claimed: ReadonlySet<string>;
  /** Whether the file has these bytes. Throws a Failure for usage where somebody else's file lies there. */
  holds(path: string, body: Buffer): boolean;
  /** Whether a run has ended with this index, and none has begun since. */
  endedWith(index: string): boolean;
  /** Writes a draft of a file. */
  stage(path: string, body: Buffer): void;
  /** Puts the drafts in their places, removes files that no longer exist in the new export, and writes the index last. */
  place(stale: readonly string[], index: string): void;
}

/** Throws a Failure for usage where the folder is neither empty nor ours: others would lose what they have there. */
export function openFilesFolder(out: string): FilesFolder {
  makeFolder(out);
  const drafts = join(out, DRAFTS);
  inspect(out, INDEX_FILE);
  const claimed = claim(out, drafts);
  clear(drafts);
  const staged = new Map<string, string>();

  return {
    claimed,

    holds(path, body) {
      if (!inspect(out, path)) return false;
      if (readFileSync(join(out, path)).equals(body)) return true;
      if (claimed.has(path)) return false;
      const hint = "remove it, or name another folder with --out";
      throw new Failure(EXIT.usage, `${join(out, path)}: is in the way, and no export wrote it`, hint);
    },

    endedWith: (index) =>
      !existsSync(join(drafts, INDEX_FILE)) &&
      inspect(out, INDEX_FILE) &&
      readFileSync(join(out, INDEX_FILE), "utf8") === index,

    stage(path, body) {
      makeFolder(drafts);
      const draft = join(drafts, String(staged.size));
      // Not synced: bytes that a failing machine loses are not those of the index, and the next run sees it.
      const handle = openSync(draft, "wx");
      try {
        writeFileSync(handle, body);
      } finally {
        closeSync(handle);
      }
      staged.set(path, draft);
    },

    place(stale, index) {
      makeFolder(drafts);
      replaceFile(join(drafts, INDEX_FILE), toNameIndex(new Set([...claimed, ...staged.keys()])));
      // Both names of the way to it must be on the disk before the first file is.
      fsyncPath(drafts);
      fsyncPath(out);
      for (const [path, draft] of staged) {
        inspect(out, path);
        mkdirSync(dirname(join(out, path)), { recursive: true });
        renameSync(draft, join(out, path));
      }
      for (const path of stale) remove(out, path);
      const draft = join(drafts, "last");
      writeAnew(draft, index);
      fsyncPath(draft);
      renameSync(draft, join(out, INDEX_FILE));
      fsyncPath(out);
      rmSync(join(drafts, INDEX_FILE));
    },

    [Symbol.dispose]: () => clear(drafts),
  };
}

function claim(out: string, drafts: string): Set<string> {
  const indexed = readIndexedPaths(out);
  const begun = lstatSync(drafts, { throwIfNoEntry: false })?.isDirectory() ? readIndexedPaths(drafts) : undefined;
  const others = readdirSync(out).filter((name) => !NOT_COUNTED.includes(name));
  if (others.length > 0 && !indexed && !begun) {
    const what = "is neither empty nor has an index.json of an export as api";
    throw new Failure(EXIT.usage, `${out}: ${what}; nothing was written`, "name another folder with --out");
  }
  return new Set([...(indexed ?? []), ...(begun ?? [])]);
}

/** Removes the drafts of a run that did not end well, but not the names that it noted. */
function clear(drafts: string) {
  const stats = lstatSync(drafts, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) rmSync(drafts);
  if (!stats?.isDirectory()) return;
  for (const name of readdirSync(drafts))
    if (name !== INDEX_FILE || !lstatSync(join(drafts, name)).isFile())
      rmSync(join(drafts, name), { recursive: true, force: true });
  if (readdirSync(drafts).length === 0) rmdirSync(drafts);
}

/** Whether a file lies there. Throws a Failure for usage where a link or something else is in the way. */
function inspect(out: string, path: string): boolean {
  const parts = path.split("/");
  for (const [index] of parts.entries()) {
    const part = join(out, ...parts.slice(0, index + 1));
    const stats = lstatSync(part, { throwIfNoEntry: false });
    if (!stats) return false;
    const isLast = index === parts.length - 1;
    if (isLast ? stats.isFile() : stats.isDirectory()) continue;
    const what = stats.isSymbolicLink() ? "is a link, and none is followed" : `is not a ${isLast ? "file" : "folder"}`;
    throw new Failure(EXIT.usage, `${part}: ${what}`, "remove it, or name another folder with --out");
  }
  return true;
}

/** With the folders that have become empty. */
function remove(out: string, path: string) {
  if (!inspect(out, path)) return;
  rmSync(join(out, path));
  for (
    let folder = dirname(path);
    folder !== "." && readdirSync(join(out, folder)).length === 0;
    folder = dirname(folder)
  )
    rmdirSync(join(out, folder));
}
