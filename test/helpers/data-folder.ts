import { hash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashFile, toDocument } from "../../src/base/files.ts";
import { type Pointer, toPointer } from "../../src/snapshot/published/pointer.ts";
import { temporaryFolder } from "./run.ts";

/** A copy of a data folder that is gone when the test is over: `using folder = copyOf(data)`. */
export function copyOf(data: string) {
  const folder = temporaryFolder();
  cpSync(data, folder.path, { recursive: true });
  return folder;
}

/** A copy as the folder was when this night had just been published: with what came before, and not what came later. */
export function copyUntil(data: string, version = "") {
  const folder = copyOf(data);
  for (const name of published(folder.path))
    if (name.slice(0, version.length) > version) rmSync(join(folder.path, "snapshots", name));
  writeFileSync(join(folder.path, "latest.json"), toDocument(toPointer(manifestOf(data, version))));
  return folder;
}

const days = new Map<string, string>();

/**
 * Empties the count of a budget before a night on another day. The days of a budget are those of the real clock, of which a test has one;
 * `SOURCE_DATE_EPOCH` only dates the nights.
 */
export function beginDay(data: string, epoch: number | string) {
  const day = new Date(Number(epoch) * 1000).toISOString().slice(0, 10);
  if (days.get(data) !== day)
    for (const end of ["", "-wal", "-shm"]) rmSync(join(data, `requests.sqlite${end}`), { force: true });
  days.set(data, day);
}

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** Reads the pointer of a data folder. */
export const pointerOf = (data: string): Pointer => readJson(join(data, "latest.json"));

export const existsLatest = (data: string): boolean => existsSync(join(data, "latest.json"));

/** The file of a version; of the latest, unless one is named. */
export const fileOf = (data: string, version = pointerOf(data).version): string =>
  join(data, "snapshots", `${version}.sqlite`);

export const manifestFileOf = (data: string, version?: string): string =>
  fileOf(data, version).replace(/sqlite$/, "json");

export const manifestOf = (data: string, version?: string) => readJson(manifestFileOf(data, version));

/** The versions that the pointer was moved back past; none before the first rollback. */
export const withdrawnOf = (data: string): string[] =>
  existsSync(join(data, "withdrawn.json")) ? readJson(join(data, "withdrawn.json")).withdrawn : [];

/** Names of the files beside the snapshots, sorted; none before the first publication. */
export const published = (data: string): string[] =>
  existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")).sort() : [];

/** Makes what changed in a night another text, and the manifest fit it. */
export function putChanges(data: string, version: string | undefined, text: string) {
  writeFileSync(join(data, "snapshots", `${version}.changes.json`), text);
  const manifest = manifestOf(data, version);
  const changes = { ...manifest.changes, size: Buffer.byteLength(text), sha256: hash("sha256", text) };
  writeFileSync(manifestFileOf(data, version), JSON.stringify({ ...manifest, changes }));
}

/** Makes pointer and manifest fit the latest file as it is now. With another version in `facts` the files get its name. */
export async function vouchForLatest(
  data: string,
  facts: { version?: string; content_hash?: string; schema_version?: string } = {},
) {
  const file = fileOf(data);
  const now = { sha256: await hashFile(file), size: statSync(file).size, ...facts };
  for (const name of [join(data, "latest.json"), manifestFileOf(data)]) {
    const { compressed, ...said } = readJson(name);
    writeFileSync(name, JSON.stringify({ ...said, ...now }));
  }
  if (facts.version)
    for (const ending of ["json", "sqlite"])
      renameSync(file.replace(/sqlite$/, ending), join(data, "snapshots", `${facts.version}.${ending}`));
}
