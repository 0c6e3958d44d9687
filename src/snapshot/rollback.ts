import { readFileSync, renameSync } from "node:fs";
import { EXIT, Failure } from "../api/failure.ts";
import { draftOf, sync, writeDraft } from "./durable.ts";
import { listVersions, manifestOf, pointerFile, snapshotFile } from "./folder.ts";
import { openSnapshotFile } from "./open.ts";
import { type Pointer, readPointer, toPointer } from "./pointer.ts";

/**
 * Moves the pointer to a published version and nothing else: back by default, to any one with `to`. Reads the pointer only
 * to find the one before it, so that a pointer which is beyond reading can be put right.
 */
export function rollback(data: string, to?: string): Pointer {
  const manifest = readManifest(data, to === undefined ? previous(data) : known(data, to));
  const pointer = toPointer(manifest);
  openSnapshotFile(snapshotFile(data, pointer.version)).close();
  writeDraft(pointerFile(data), pointer);
  renameSync(draftOf(pointerFile(data)), pointerFile(data));
  sync(data);
  return pointer;
}

function known(data: string, version: string): string {
  const versions = listVersions(data);
  if (versions.includes(version)) return version;
  const hint = versions.length > 0 ? `published are ${versions.join(", ")}` : "publish one with `npm run build`";
  throw new Failure(EXIT.usage, `${data}: holds no published version ${version}`, hint);
}

/** The newest one before the pointer's that was published as the latest: a subset never was. */
function previous(data: string): string {
  const pointer = readPointer(data);
  if (!pointer) throw new Failure(EXIT.usage, `${pointerFile(data)}: does not exist`, "name a version with --to");
  const older = listVersions(data).filter((version) => version < pointer.version);
  const found = older.find((version) => readManifest(data, version).latest !== false);
  if (found) return found;
  const message = `${data}: holds nothing to roll back to, ${pointer.version} is the first that was published`;
  throw new Failure(EXIT.usage, message, "name another version with --to");
}

export function readManifest(data: string, version: string): Record<string, unknown> {
  const file = manifestOf(snapshotFile(data, version));
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    if (toPointer(manifest).version === version) return manifest;
    throw new Error(`names ${String(manifest.version)}`);
  } catch (error) {
    const hint = "build it again with `npm run build`, or name another version with --to";
    throw new Failure(EXIT.usage, `${file}: is not the manifest of ${version}`, hint, error);
  }
}
