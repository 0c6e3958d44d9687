import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { copyUntil, fileOf, pointerOf, published } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { RATES, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startSource } from "../helpers/upstream/source.ts";

const LARGE = "64m";

const mount = (...words: string[]) => execFileSync("mount", words);

/** A disk with a copy of a folder and so many bytes free: `using disk = smallDisk(folder, 20_000)`. */
function smallDisk(folder: string, freeBytes: number) {
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

const nights = temporaryFolder();
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(nights.path, [0, 1], ...RATES, "--compress");
});
afterAll(() => nights[Symbol.dispose]());

describe("on a disk that is full", () => {
  const toldFull = (path: string) =>
    `${path}: the disk is full: this pull needs up to \\d\\.\\d MB, \\d\\.\\d MB are free; nothing was published`;

  /** With room for a part of the file. */
  function begin() {
    using first = copyUntil(nights.path, versions[0]);
    return smallDisk(first.path, statSync(fileOf(nights.path)).size / 2);
  }

  test("what cannot be fetched is one line, the night before stays, and the next pull succeeds", async () => {
    using disk = begin();
    await using source = await startSource(nights.path);
    const before = [readFileSync(join(disk.path, "latest.json"), "utf8"), published(disk.path)];
    const words = [source.url, "--data", disk.path];
    const line = expect.stringMatching(`^${toldFull(disk.path)}; free space, then run the same command again\n$`);
    const progress = expect.stringMatching(/^download \S+ 0% .*\n(?:(?:download|verifying) .*\n)*$/);
    expect(await runProcess("pull", words)).toMatchObject({ code: 64, stdout: progress, stderr: line });
    expect([readFileSync(join(disk.path, "latest.json"), "utf8"), published(disk.path)]).toEqual(before);
    disk.enlarge();
    expect(await runCommand("pull", words)).toMatchObject({ code: 0, stderr: "" });
    expect(await hashFile(fileOf(disk.path))).toBe(pointerOf(nights.path).sha256);
  });

  test("a server that follows serves on, and takes the night once there is room", async () => {
    using disk = begin();
    await using source = await startSource(nights.path);
    const words = ["--data", disk.path, "--follow", source.url, "--every", "1s"];
    await using served = await startServe(words);
    const ask = async () => {
      const { status, headers } = await fetch(`${served.url}/api/heroes`);
      return [status, headers.get("x-snapshot-version")];
    };
    await expect.poll(served.log).toMatch(new RegExp(`"cannot-follow".*${toldFull(disk.path)}`));
    expect(await ask()).toEqual([200, versions[0]]);
    disk.enlarge();
    await expect.poll(ask).toEqual([200, versions[1]]);
    expect(await hashFile(fileOf(disk.path))).toBe(pointerOf(nights.path).sha256);
  });
});
