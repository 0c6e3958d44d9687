import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./api-files.ts";

/** Every file that is not hidden, with the hash of its bytes. */
export const bytesOf = (place: string) =>
  Object.fromEntries(
    listFiles(place)
      .filter((path) => !/(?:^|\/)\.[^/]*$/.test(path))
      .map((path) => [path, hash("sha256", readFileSync(join(place, path)))]),
  );

/** The files of a data folder that are for others. */
export function publicOf(data: string) {
  const { "proofs.json": _, "last-crawl.json": __, ...files } = bytesOf(data);
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith("journals/")));
}
