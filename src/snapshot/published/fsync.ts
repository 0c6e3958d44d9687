import { createHash } from "node:crypto";
import { closeSync, createReadStream, fsyncSync, openSync, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Brings the bytes of a file, or the names in a folder, onto the disk. */
export function sync(path: string) {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Where the next content of a file lies whole, before it takes its name. */
export const draftOf = (file: string) => `${file}.draft`;

export function writeDraft(file: string, json: object) {
  writeFileSync(draftOf(file), `${JSON.stringify(json, null, 2)}\n`);
  sync(draftOf(file));
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
