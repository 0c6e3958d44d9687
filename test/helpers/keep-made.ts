import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { importsOf } from "./imports.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * A folder that is made once, kept on the disk, shared by all runs, and only read by the tests: another one is made when any file
 * changes that it is made by. The second value is to be called when all tests are over.
 */
export async function keepMade(
  name: string,
  maker: string,
  make: (draft: string) => Promise<unknown>,
): Promise<[folder: string, check: () => void]> {
  const cache = join(ROOT, "node_modules", ".cache", name);
  const folder = join(cache, hashOf(importsOf("scripts/crawl.ts", maker, "package-lock.json")));
  if (!existsSync(folder)) {
    // Beside its place. The next run clears the draft of one that was killed, and leaves that of one that is at work.
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache).filter((one) => !isAtWork(one)))
      rmSync(join(cache, name), { recursive: true });
    const draft = join(cache, `draft-${process.pid}`);
    mkdirSync(draft);
    await make(draft);
    if (existsSync(folder)) rmSync(draft, { recursive: true });
    else renameSync(draft, folder);
  }
  const before = describeFiles(folder);
  const check = () => {
    if (describeFiles(folder) === before) return;
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`a test has changed what is only read: ${relative(ROOT, folder)} is made anew next time`);
  };
  return [folder, check];
}

const isAtWork = (name: string) => existsSync(name.replace(/^draft-/, "/proc/"));

function hashOf(files: Iterable<string>): string {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...files].sort()) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

const describeFiles = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .map(({ name, stats: { size, mtimeMs } }) => `${name} ${size} ${mtimeMs}`)
    .sort()
    .join("\n");
