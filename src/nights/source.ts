import { existsSync } from "node:fs";
import { fileOfVersion } from "./published.ts";

export interface Source extends Disposable {
  file: string;
}

/** The file of a snapshot that is named by its version, by its path or by a URL. */
export async function openSource(data: string, name: string): Promise<Source> {
  const file = existsSync(name) ? name : fileOfVersion(data, name);
  return { file, [Symbol.dispose]: () => {} };
}
