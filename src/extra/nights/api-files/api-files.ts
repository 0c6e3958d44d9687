import { hash } from "node:crypto";
import { isSample } from "../../../api/sample-data.ts";
import { openSnapshot, type Snapshot } from "../../../snapshot/read/snapshot.ts";
import { PACKAGE_NAME, toPackageText } from "../export/data-package.ts";
import { type IndexedFile, type MissingFile, toIndex, VERSION_FILE } from "./file-index.ts";
import { type FilesFolder, openFilesFolder } from "./folder.ts";
import { type ApiFile, type FileSelection, makeFiles } from "./plan.ts";

export interface ApiFilesResult {
  version: string;
  /** The number of files that the index names. */
  files: number;
  bytes: number;
  /** The number of those that were not there with these bytes, the index among them. */
  written: number;
  removed: number;
  missing: readonly MissingFile[];
}

/**
 * Writes the answers of a mirror from a snapshot as files for a static host. Throws a `Failure` for a file that is no snapshot of ours, and
 * for a folder that is not ours to write to.
 */
export function writeApiFiles(file: string, out: string, selection: FileSelection): ApiFilesResult {
  const snapshot = openSnapshot(file);
  try {
    using folder = openFilesFolder(out);
    const { files, missing, changed } = stageFiles(snapshot, selection, folder);
    const index = toIndex(factsOf(snapshot), files, missing);
    const paths = new Set(files.map(({ path }) => path));
    const stale = [...folder.claimed].filter((path) => !paths.has(path));
    const isSame = changed === 0 && stale.length === 0 && folder.endedWith(index);
    if (!isSame) folder.place(stale, index);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const written = isSame ? 0 : changed + 1;
    return { version: snapshot.head.version, files: files.length, bytes, written, removed: stale.length, missing };
  } finally {
    snapshot.close();
  }
}

/** Writes drafts of files that changed. The files that describe the others come last. */
function stageFiles(snapshot: Snapshot, selection: FileSelection, folder: FilesFolder) {
  const missing: MissingFile[] = [];
  const files: (IndexedFile & { title: string })[] = [];
  let changed = 0;
  const add = ({ path, title, body }: ApiFile) => {
    files.push({ path, title, bytes: body.length, sha256: hash("sha256", body) });
    if (folder.holds(path, body)) return;
    folder.stage(path, body);
    changed += 1;
  };
  for (const file of makeFiles(snapshot, selection, missing)) add(file);
  add({ path: VERSION_FILE, title: "The snapshot", body: describeVersion(snapshot, selection) });
  files.sort(byPath);
  add({ path: PACKAGE_NAME, title: "", body: describePackage(snapshot, files) });
  const indexed = files.sort(byPath).map(({ title: _, ...file }) => file);
  return { files: indexed, missing: missing.sort(byPath), changed };
}

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : Number(a.path > b.path));

const factsOf = ({ head }: Snapshot) => ({ version: head.version, sample: isSample(head) });

/** Describes the snapshot that the files are from, and when its answers were asked. Nothing in it depends on the time of the export. */
function describeVersion(snapshot: Snapshot, { languages }: FileSelection): Buffer {
  const { version, started_at, content_hash, schema_version, game_version, heroes, ...head } = snapshot.head;
  const facts = { ...factsOf(snapshot), started_at, content_hash, schema_version, game_version, heroes };
  const origin = { rolling: head.rolling === 1, licence: head.licence, attribution: head.attribution };
  return Buffer.from(`${JSON.stringify({ ...facts, ...origin, languages, asked: snapshot.askedTimes() }, null, 1)}\n`);
}

const describePackage = ({ head }: Snapshot, files: readonly (IndexedFile & { title: string })[]): Buffer =>
  Buffer.from(
    toPackageText(
      head,
      "api",
      files.map(({ path, title, bytes, sha256 }) => ({
        name: path
          .replace(/\.json$/, "")
          .replaceAll("/", ".")
          .toLowerCase(),
        path,
        title,
        format: "json",
        mediatype: "application/json",
        encoding: "utf-8",
        bytes,
        hash: `sha256:${sha256}`,
      })),
    ),
  );
