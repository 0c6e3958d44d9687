import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readDocument } from "../../../snapshot/published/folder.ts";
import { parseManifest } from "../../../snapshot/published/manifest.ts";
import { type Pointer, pointerSchema } from "../../../snapshot/published/pointer.ts";
import { versionOf } from "../../../snapshot/published/prune.ts";
import type { PublishedVersions } from "../../../snapshot/published/sequence.ts";

export const POINTER = "latest.json";
/** The list of nights that the pointer was moved back past. */
export const WITHDRAWN = "withdrawn.json";
const FOLDER = "snapshots/";

/** The contents of one place, by names such as `latest.json` and `snapshots/<version>.sqlite`. */
export interface Contents {
  /** The size of every file, in bytes. */
  sizes: ReadonlyMap<string, number>;
  /** The texts of the pointer, of the list of withdrawn nights, the manifests and the signatures. */
  documents: ReadonlyMap<string, string>;
}

export const snapshotName = (version: string, ending: string) => `${FOLDER}${version}.${ending}`;

/** Returns the version that a name belongs to; undefined if it is not one of ours, or a draft. */
export const versionOfName = (name: string): string | undefined =>
  name.startsWith(FOLDER) && !name.endsWith(".draft") ? versionOf(name.slice(FOLDER.length)) : undefined;

/** Tells whether a name is that of a document. They are small, and only their bytes change under their names. */
const isDocument = (name: string): boolean =>
  isBesideFolder(name) || (versionOfName(name) !== undefined && /(?<!\.changes)\.json(?:\.minisig)?$/.test(name));

export const isPublishedName = (name: string): boolean => isBesideFolder(name) || versionOfName(name) !== undefined;
const isBesideFolder = (name: string) => name === POINTER || name === WITHDRAWN;

/** Lists our names in a folder, with their sizes. */
export function listFolder(folder: string): Map<string, number> {
  const beside = join(folder, FOLDER);
  const names = existsSync(beside) ? readdirSync(beside).map((name) => FOLDER + name) : [];
  const ours = [POINTER, WITHDRAWN, ...names].filter(isPublishedName);
  const sizes = ours.map((name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.size] as const);
  return new Map(sizes.flatMap(([name, size]) => (size === undefined ? [] : [[name, size]])));
}

/** Reads the documents of a folder. A file that vanishes meanwhile, or is not a document, is skipped. */
export function readDocuments(folder: string, names: Iterable<string>): Map<string, string> {
  const texts = [...names].filter(isDocument).map((name) => [name, readText(join(folder, name))] as const);
  return new Map(texts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

function readText(file: string): string | undefined {
  try {
    return readDocument(file);
  } catch {
    return undefined;
  }
}

/** Reads the pointer of a place; undefined if there is none, an error if it cannot be read. */
export function pointerIn({ sizes, documents }: Contents): Pointer | Error | undefined {
  const text = documents.get(POINTER);
  if (text === undefined) return sizes.has(POINTER) ? new Error("it cannot be read") : undefined;
  try {
    return pointerSchema.parse(JSON.parse(text));
  } catch (error) {
    return error as Error;
  }
}

/** Returns the versions with a manifest, and as damaged those with other files but no readable one. */
export function publishedIn({ sizes, documents }: Contents): PublishedVersions {
  const versions = new Set([...sizes.keys()].flatMap((name) => versionOfName(name) ?? []));
  const files: PublishedVersions = { published: [], damaged: [] };
  for (const version of versions)
    try {
      files.published.push(parseManifest(documents.get(snapshotName(version, "json")) ?? "", version));
    } catch {
      files.damaged.push(version);
    }
  return files;
}
