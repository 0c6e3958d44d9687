import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file that is not hidden, with its bytes. */
export const bytesOf = (place: string) =>
  Object.fromEntries(
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [relative(place, file), createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );

/** The files of a data folder that are for others. */
export function publicOf(data: string) {
  const { "proofs.json": _, ...files } = bytesOf(data);
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith("journals/")));
}
