import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** A path in an import, in a process that is started from a file, or in a worker. */
const NAMED = /(?:\bfrom |\bimport\(|\bimport |\bnew URL\(|\bprogramFile\()"([^"]+)"/g;

/** The files of this project that these need, themselves included, as paths from the root. */
export function importsOf(...files: string[]): Set<string> {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file) || !/\.\w+$/.test(file) || !existsSync(join(ROOT, file))) return;
    found.add(file);
    for (const [, name = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(NAMED)) {
      add(name.startsWith(".") ? posix.join(posix.dirname(file), name) : name);
    }
  };
  for (const file of files) add(file);
  return found;
}
