import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Library {
  name: string;
  version: string;
  license: string;
  /** The operating systems that it is for; all if it is left out. */
  os?: string[];
}

interface LockFile {
  packages: Record<string, Omit<Library, "name"> & { dev?: boolean }>;
}

/**
 * Libraries that `npm run assets` puts into the scripts of the pages, so that they are in every package, also if they are of development.
 */
export const BUNDLED = ["@sqlite.org/sqlite-wasm", "fastest-levenshtein"];

/** Lists all libraries that run with metasnap, also those that other libraries need, by name. */
export function readProduction(): Library[] {
  const file = join(import.meta.dirname, "..", "..", "package-lock.json");
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as LockFile;
  return Object.entries(packages)
    .map(([path, library]) => ({ ...library, name: path.replace(/^(.*\/)?node_modules\//, "") }))
    .filter(({ name, dev }) => name !== "" && (!dev || BUNDLED.includes(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
