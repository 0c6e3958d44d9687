import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";

/** The pattern of versions, which name the published snapshots in a data folder. */
export const VERSION_PATTERN = String.raw`\d{8}T\d{6}Z-[0-9a-f]{8}`;

const VERSION = new RegExp(`^${VERSION_PATTERN}$`);

export const isVersion = (name: unknown): name is string => typeof name === "string" && VERSION.test(name);

/** Names a version, `20261121T030000Z-1a2b3c4d`: start of the crawl and content, in an order that sorts by time. */
export const nameVersion = (startedAt: string, contentHash: string): string =>
  `${startedAt.replaceAll(/[-:]|\.\d+/g, "")}-${contentHash.slice(0, 8)}`;

export const snapshotFolder = (data: string) => join(data, "snapshots");
export const snapshotFile = (data: string, version: string) => join(snapshotFolder(data), `${version}.sqlite`);
export const manifestOf = (file: string) => file.replace(/(?:\.sqlite)?$/, ".json");
/** Returns the path of the manifest's signature, in minisign's form; the file exists for versions that were signed. */
export const signatureOf = (file: string) => `${manifestOf(file)}.minisig`;
/**
 * Files that may lie beside that of a version, by their field in the manifest, which has size and hash. A mirror need not have all that its
 * maker had.
 */
export const COMPANIONS = {
  compressed: "sqlite.zst",
  /** The tables without the archive. */
  analysts: "analysts.sqlite",
  /** The history of the nights before it, compressed. Only the newest is kept. */
  history: "history.sqlite.zst",
  /** The changes since the night before. */
  changes: "changes.json",
} as const;
export type Companion = keyof typeof COMPANIONS;
export const COMPANION_NAMES = Object.keys(COMPANIONS) as readonly Companion[];
export const companionOf = (file: string, name: Companion) => file.replace(/(?:\.sqlite)?$/, `.${COMPANIONS[name]}`);
export const changesOf = (file: string) => companionOf(file, "changes");
export const analystsFileOf = (file: string) => companionOf(file, "analysts");
export const pointerFile = (data: string) => join(data, "latest.json");
/** The list of versions that the pointer was moved back past. No manifest holds it: a manifest may be signed. */
export const withdrawnFile = (data: string) => join(data, "withdrawn.json");
/** The outcome of the last crawl here. It is for the operator, and is published with no snapshot. */
export const lastCrawlFile = (data: string) => join(data, "last-crawl.json");

/** Lists versions whose file and manifest both lie here, by name. `sequence.ts` tells the order of publication. */
export function listVersions(data: string): string[] {
  if (!existsSync(snapshotFolder(data))) return [];
  const names = new Set(readdirSync(snapshotFolder(data)));
  const versions = [...names].filter((name) => name.endsWith(".sqlite")).map((name) => name.slice(0, -7));
  return versions.filter((version) => isVersion(version) && names.has(`${version}.json`)).sort();
}

/** Hints at what to do about a folder without a snapshot: the one that a demo has left beside it comes first. */
export function hintWithoutSnapshot(data: string, otherwise: string): string {
  const demo = join(dirname(data), ".demo");
  return isFinished(demo)
    ? `take the snapshot of the demo with --data ${nameForShell(demo)}, or ${otherwise}`
    : otherwise;
}

function isFinished(data: string): boolean {
  try {
    return existsSync(pointerFile(data)) && listVersions(data).length > 0;
  } catch {
    // A folder that cannot be read is no help to anybody.
    return false;
  }
}

/** Writes a path as one types it here: relative if it is below, in quotes if it needs them. */
export function nameForShell(path: string): string {
  const near = relative(process.cwd(), path);
  const shown = near === "" || near.startsWith("..") || isAbsolute(near) ? path : near;
  return /^[\w./@:+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Throws a Failure for usage if no such version is published. It names `place`, and those that are there or the command that publishes the
 * first.
 */
export function requireVersion(data: string, version: string, place: string, command: "build" | "crawl"): void {
  const versions = listVersions(data);
  if (versions.includes(version)) return;
  const published = `published are ${versions.toReversed().join(", ")}`;
  const hint = versions.length > 0 ? published : hintWithoutSnapshot(data, `publish one with \`npm run ${command}\``);
  throw new Failure(EXIT.usage, `${place}: holds no published version ${version}`, hint);
}

/** The largest pointer or manifest that is read, in bytes; that of a complete night has a fiftieth of it. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Reads the text of a pointer or a manifest. Throws if it is too large, a link, or no regular file (a device may have no end). */
export function readDocument(file: string, maxBytes = MAX_DOCUMENT_BYTES): string {
  const stats = lstatSync(file);
  if (!stats.isFile() || stats.size > maxBytes) throw new Error(`${file}: is not a file of at most ${maxBytes} bytes`);
  return readFileSync(file, "utf8");
}

/** The most bytes of the changes since the night before: enough for a night that rewrites every third skill text in 17 languages. */
export const MAX_CHANGES_BYTES = 16 * 1024 * 1024;

/** The number of published snapshots that are kept. */
export const DEFAULT_KEEP = 30;

/** The loss, in percent, that a new night may bring. */
export const DEFAULT_MAX_LOSS = 5;
