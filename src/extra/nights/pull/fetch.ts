import { renameSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../base/files.ts";
import { sweep } from "../../../base/release.ts";
import { compressedPath, decompressFile } from "../../../snapshot/published/companions.ts";
import { snapshotFolder } from "../../../snapshot/published/folder.ts";
import type { Client } from "./client.ts";
import { download, removePart } from "./download.ts";
import { isDiskError, NotFound, SourceRefused } from "./errors.ts";
import type { DownloadLimits } from "./limits.ts";
import { type Remote, type RemoteManifest, urlOf } from "./remote.ts";

/**
 * Downloads a version into the folder of snapshots and returns the path of the draft: compressed in transit if the source has it so.
 * Rejects as `download` does.
 */
export async function fetchSnapshot(
  client: Client,
  { pointer: { version, size, sha256 }, folder }: Remote,
  { compressed }: RemoteManifest,
  data: string,
  limits: DownloadLimits,
  onBytes?: (bytes: number, total: number) => void,
): Promise<string> {
  makeFolder(snapshotFolder(data));
  removeDrafts(data, version);
  const draft = draftIn(data, version);
  const tell = (total: number) => (bytes: number) => onBytes?.(bytes, total);
  if (compressed) {
    const copy = `${compressedPath(draft)}.part`;
    const url = urlOf(folder, compressedPath(`${version}.sqlite`));
    if (await downloadIfFound(client, { url, ...compressed, onBytes: tell(compressed.size) }, copy, limits)) {
      await decompress(copy, draft, size, version);
      renameSync(copy, compressedPath(draft));
      return draft;
    }
  }
  const part = `${draft}.part`;
  const whole = { url: urlOf(folder, `${version}.sqlite`), size, sha256, onBytes: tell(size) };
  await download(client, whole, part, limits);
  renameSync(part, draft);
  return draft;
}

const PREFIX = ".pull-";
export const draftIn = (data: string, version: string) => join(snapshotFolder(data), `${PREFIX}${version}.sqlite`);

/** Removes what earlier pulls left, except the parts of `keep`, which a download resumes. */
export const removeDrafts = (data: string, keep?: string): void =>
  sweep(snapshotFolder(data), (name) => name.startsWith(PREFIX) && !(keep && isPartOf(keep, name)));

const isPartOf = (version: string, name: string) =>
  name.startsWith(`${PREFIX}${version}.`) && /\.part(?:\.tag)?$/.test(name);

/** A manifest may name a compressed copy that the source does not have. */
export async function downloadIfFound(...[client, file, part, limits]: Parameters<typeof download>): Promise<boolean> {
  try {
    await download(client, file, part, limits);
    return true;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    removePart(part);
    return false;
  }
}

/** Writes the draft; `maxBytes` is the most that it may have. Rejects with `SourceRefused` if the copy holds more, or is damaged. */
export async function decompress(copy: string, draft: string, maxBytes: number, name: string) {
  try {
    await decompressFile(copy, draft, maxBytes);
  } catch (error) {
    if (isDiskError(error)) throw error;
    throw new SourceRefused(`${name} cannot be decompressed: ${(error as Error).message}`, error);
  }
}
