import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

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
