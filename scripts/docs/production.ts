import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Library {
  name: string;
  version: string;
  license: string;
  /** The operating systems that it is for; all of them where there is none. */
  os?: string[];
}

interface LockFile {
  packages: Record<string, Omit<Library, "name"> & { dev?: boolean }>;
}

/** What `npm run assets` puts into the scripts of the pages, so that it is in every package, also if it is of development. */
export const BUNDLED = ["@sqlite.org/sqlite-wasm", "fastest-levenshtein"];

/** All that runs where metasnap does, that of other libraries too, by name. */
export function readProduction(): Library[] {
  const file = join(import.meta.dirname, "..", "..", "package-lock.json");
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as LockFile;
  return Object.entries(packages)
    .map(([path, library]) => ({ ...library, name: path.replace(/^(.*\/)?node_modules\//, "") }))
    .filter(({ name, dev }) => name !== "" && (!dev || BUNDLED.includes(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
