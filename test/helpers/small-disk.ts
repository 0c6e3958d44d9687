import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LARGE = "64m";

const mount = (...words: string[]) => execFileSync("mount", words);

/** Only root may mount. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "metasnap-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "none", place], { stdio: "ignore" });
  if (status === 0) execFileSync("umount", [place]);
  rmSync(place, { recursive: true });
  return status === 0;
}

/** A disk with a copy of a folder and so many bytes free: `using disk = smallDisk(folder, 20_000)`. */
export function smallDisk(folder: string, freeBytes: number) {
  const path = mkdtempSync(join(tmpdir(), "metasnap-disk-"));
  mount("-t", "tmpfs", "-o", `size=${LARGE}`, "none", path);
  cpSync(folder, path, { recursive: true });
  const { blocks, bavail, bsize } = statfsSync(path);
  mount("-o", `remount,size=${(blocks - bavail) * bsize + freeBytes}`, path);
  return {
    path,
    enlarge: () => void mount("-o", `remount,size=${LARGE}`, path),
    [Symbol.dispose]() {
      // A process that has just ended may still hold it for a moment.
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true });
    },
  };
}
