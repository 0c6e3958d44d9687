import { createHash } from "node:crypto";
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it one by one; true if it was missing. Node's own `recursive` tries for ever if making one fails as if
 * the folder above were missing, as in /proc.
 */
export function makeFolder(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}

/** Brings the bytes of a file, or the names in a folder, onto the disk. */
export function fsyncPath(path: string) {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a file anew. To write to an existing one would write through a link that somebody has put in its place. */
export function writeAnew(file: string, text: string | Uint8Array) {
  rmSync(file, { force: true });
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    // Node names no file if it was made, and the disk is full when it is filled.
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}

/** The text of a manifest or a pointer. */
export const toDocument = (json: object): string => `${JSON.stringify(json, null, 2)}\n`;

/** JSON with a line for each entry of its lists, so that a comparison line by line shows which of them changed. */
export function toListDocument(facts: object, lists: Record<string, readonly object[]>): string {
  const parts = [
    ...Object.entries(facts).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ...Object.entries(lists).map(([name, entries]) => {
      const lines = entries.map((entry) => `\n${JSON.stringify(entry)}`);
      return `${JSON.stringify(name)}:[${lines.join()}\n]`;
    }),
  ];
  return `{${parts.join(",\n")}}\n`;
}

/**
 * Changes if a file is replaced or written: nobody but the system sets `ctime`. It does not change while somebody writes through a
 * shared mapping to pages that are not yet on the disk.
 */
export const identify = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;

/** Identifies a file; one that is not there or cannot be looked at, by the reason. */
export function fileIdentity(file: string): string {
  try {
    return identify(statSync(file, { bigint: true }));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/** The flags to open a file that may be a pipe: else the call waits for a writer. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file to read it. Rejects for a link, and waits for no pipe. */
export const openUnlinked = (file: string): Promise<FileHandle> =>
  open(file, READ_AT_ONCE | (constants.O_NOFOLLOW ?? 0));

/** The sha256, in hex. */
export async function hashFile(file: string): Promise<string> {
  await using handle = await open(file);
  return await hashOpen(handle);
}

export async function hashOpen(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  // Each piece is read into the same memory: a stream allocates every one, and up to 50 MB of them wait to be collected.
  const piece = Buffer.allocUnsafeSlow(256 * 1024);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Returns the free room, also for a folder that is not there yet. A file system without blocks, such as /proc, says nothing about its room.
 */
export function freeBytes(folder: string): number {
  if (!existsSync(folder)) return freeBytes(dirname(folder));
  const { blocks, bavail, bsize } = statfsSync(folder);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/** Explains why a path, or the nearest folder above it, may not be written; undefined if neither rights nor the file system forbid it. */
export function explainDenied(path: string, named = path): string | undefined {
  if (!existsSync(path)) return dirname(path) === path ? undefined : explainDenied(dirname(path), named);
  const it = path === named ? "it" : path;
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EROFS") return `${it} lies on a read-only file system`;
    const us = process.getuid?.();
    if (us === undefined) return undefined;
    const { uid, mode } = statSync(path);
    return `${it} belongs to ${nameUser(uid)} (mode ${(mode & 0o777).toString(8)}), and this process is of ${nameUser(us)}`;
  }
}

/** A container may have users without names. */
function nameUser(uid: number): string {
  const users = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  const [, name] = new RegExp(`^([^:\\n]+):[^:\\n]*:${uid}:`, "m").exec(users) ?? [];
  return name ?? `user ${uid}`;
}
