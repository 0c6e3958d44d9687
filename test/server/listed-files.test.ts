/** A folder in which somebody else writes: a mirror without a key gives away what its manifests list, and nothing else. */
import { execFileSync } from "node:child_process";
import { copyFileSync, linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceFile } from "../../src/base/release.ts";
import { compressedPath } from "../../src/snapshot/published/companions.ts";
import { analystsFileOf, changesOf } from "../../src/snapshot/published/folder.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { sha256 } from "../helpers/tampering.ts";

const nights = temporaryFolder();
let version = "";
beforeAll(async () => {
  await publishDays(nights.path, [0, 1], "--endpoints", "heroes,stats", "--compress", "--analysts-file");
  version = pointerOf(nights.path).version;
});
afterAll(() => nights[Symbol.dispose]());

const SECRET = "-----BEGIN PRIVATE KEY-----\n";
const PLACES: readonly [path: (version: string) => string, file: (data: string) => string][] = [
  [(name) => `/snapshots/${name}.sqlite`, (data) => fileOf(data)],
  [(name) => `/snapshots/${name}.sqlite.zst`, (data) => compressedPath(fileOf(data))],
  [(name) => `/snapshots/${name}.analysts.sqlite`, (data) => analystsFileOf(fileOf(data))],
  [(name) => `/snapshots/${name}/changes.json`, (data) => changesOf(fileOf(data))],
];

type Put = (file: string, secret: string) => void;
const PUTS: readonly [name: string, put: Put][] = [
  ["a link to a secret", (file, secret) => symlinkSync(secret, file)],
  ["a secret", (file, secret) => linkSync(secret, file)],
  [
    "a link to itself elsewhere",
    (file) => {
      copyFileSync(`${file}.whole`, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
  ],
  ["other bytes of the same size", (file) => writeFileSync(file, readFileSync(`${file}.whole`).fill(0, 100, 120))],
  ["a pipe without end", (file) => void execFileSync("mkfifo", [file])],
];

test.for(PUTS)("%s in the place of a listed file is not there", async ([, put]) => {
  using folder = copyOf(nights.path);
  const secret = join(folder.path, "night.key");
  writeFileSync(secret, SECRET);
  await using mirror = await startFollowing(folder.path);
  for (const [path, file] of PLACES) {
    const whole = await fetch(mirror.url + path(version));
    expect([path(version), whole.status, sha256(Buffer.from(await whole.arrayBuffer()))]).toEqual([
      path(version),
      200,
      sha256(readFileSync(file(folder.path))),
    ]);
    renameSync(file(folder.path), `${file(folder.path)}.whole`);
    put(file(folder.path), secret);
    for (const headers of [{}, { range: "bytes=0-9" }]) {
      const answer = await fetch(mirror.url + path(version), { headers });
      expect([path(version), answer.status, (await answer.text()).includes(SECRET)]).toEqual([
        path(version),
        404,
        false,
      ]);
    }
    rmSync(file(folder.path));
    renameSync(`${file(folder.path)}.whole`, file(folder.path));
    const again = await fetch(mirror.url + path(version));
    expect([again.status, (await again.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  }
});

test("a manifest that lists another file gives away nothing that does not have its size and hash", async () => {
  using folder = copyOf(nights.path);
  const secret = join(folder.path, "night.key");
  writeFileSync(secret, SECRET);
  const copy = compressedPath(fileOf(folder.path));
  rmSync(copy);
  symlinkSync(secret, copy);
  const manifest = JSON.parse(readFileSync(manifestFileOf(folder.path), "utf8"));
  const compressed = { size: SECRET.length, sha256: sha256(Buffer.from(SECRET)) };
  writeFileSync(manifestFileOf(folder.path), JSON.stringify({ ...manifest, compressed }));
  await using mirror = await startFollowing(folder.path);
  expect((await fetch(`${mirror.url}/snapshots/${version}.sqlite.zst`)).status).toBe(404);
});

test("a manifest that is a link is none", async () => {
  using folder = copyOf(nights.path);
  renameSync(manifestFileOf(folder.path), join(folder.path, "elsewhere.json"));
  symlinkSync(join(folder.path, "elsewhere.json"), manifestFileOf(folder.path));
  await using mirror = await startFollowing(folder.path);
  expect((await fetch(`${mirror.url}/snapshots/${version}.json`)).status).toBe(404);
});

test("a draft that is a link to another file is made anew, and leaves that alone", () => {
  using folder = temporaryFolder();
  const [victim, file] = [join(folder.path, "victim"), join(folder.path, "latest.json")];
  writeFileSync(victim, "mine");
  symlinkSync(victim, `${file}.draft`);
  replaceFile(file, "new");
  expect([readFileSync(victim, "utf8"), readFileSync(file, "utf8")]).toEqual(["mine", "new"]);
});
