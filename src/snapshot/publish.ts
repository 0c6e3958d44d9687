import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { EXIT, Failure } from "../api/failure.ts";
import { compressedOf, compressFile } from "./compress.ts";
import { draftOf, hashFile, sync, writeDraft } from "./durable.ts";
import {
  isVersion,
  KEEP,
  listVersions,
  manifestOf,
  pointerFile,
  readDocument,
  snapshotFile,
  snapshotFolder,
  VERSION_PATTERN,
} from "./folder.ts";
import { countsSchema, readCounts, refuseShrunk } from "./gate.ts";
import { openSnapshotFile } from "./open.ts";
import { readHoles } from "./summary.ts";
import type { SnapshotTable } from "./tables.ts";

const OURS = new RegExp(`^(${VERSION_PATTERN})\\.(?:json|sqlite|sqlite\\.zst)(?:\\.draft)?$`);

const essentials = {
  version: z.string().refine(isVersion),
  content_hash: z.string(),
  schema_version: z.string(),
  started_at: z.string(),
  sha256: z.string(),
  size: z.int(),
  counts: countsSchema.optional(),
};

export const pointerSchema = z.looseObject(essentials);
export type Pointer = z.infer<typeof pointerSchema>;

/** What a manifest and the pointer share, in one order. */
export const toPointer = (manifest: object): Pointer => z.object(essentials).parse(manifest);

/** What `latest.json` points to; nothing before the first publication. */
export function readPointer(data: string): Pointer | undefined {
  const file = pointerFile(data);
  if (!existsSync(file)) return undefined;
  const hint =
    "publish again with `npm run build` after deleting it, or choose with `npm run rollback -- --to <version>`";
  const refuse = (cause: unknown) => new Failure(EXIT.usage, `${file}: is not a pointer of metasnap`, hint, cause);
  let json: unknown;
  try {
    json = JSON.parse(readDocument(file));
  } catch (error) {
    throw refuse(error);
  }
  const pointer = pointerSchema.safeParse(json);
  if (!pointer.success) throw refuse(pointer.error);
  return pointer.data;
}

/** The file that the pointer names. */
export function latestFile(data: string): string {
  const pointer = readPointer(data);
  if (pointer) return snapshotFile(data, pointer.version);
  const hint = "run `npm run crawl` first, or name a file with --snapshot";
  throw new Failure(EXIT.usage, `${pointerFile(data)}: does not exist`, hint);
}

export interface PublishOptions {
  /** Move the pointer; a subset is published without. */
  latest: boolean;
  /** Publish although slices are missing. */
  allowPartial?: boolean;
  /** Percent of heroes, languages or records that may be lost since the last snapshot. */
  maxLoss?: number;
  /** Published snapshots that stay. */
  keep?: number;
  /** Put a compressed copy beside the file. */
  compress?: boolean;
  /** Told of each step that is done. */
  onStep?: (name: string) => void;
}

export const MAX_LOSS = 5;

export interface Publication {
  version: string;
  file: string;
  /** False when the latest snapshot holds the same data already. */
  changed: boolean;
  latest: boolean;
}

interface Work {
  draft: string;
  data: string;
  file: string;
  pointer: Pointer;
  manifest: object;
  latest: boolean;
  compress: boolean;
  keep: number;
}

type Step = [name: string, step: (work: Work) => void];

/** A cut after any of these leaves the last snapshot served, and the next run takes the same steps to the end. */
export const STEPS: Step[] = [
  ["sync file", ({ draft, compress }) => [draft, ...(compress ? [compressedOf(draft)] : [])].forEach(sync)],
  ["rename copy", ({ draft, file, compress }) => compress && renameSync(compressedOf(draft), compressedOf(file))],
  ["rename file", ({ draft, file }) => renameSync(draft, file)],
  ["sync folder", ({ file }) => sync(dirname(file))],
  ["write manifest", ({ file, manifest }) => writeDraft(manifestOf(file), manifest)],
  ["rename manifest", ({ file }) => renameSync(draftOf(manifestOf(file)), manifestOf(file))],
  ["sync manifest", ({ file }) => sync(dirname(file))],
  ["write pointer", ({ data, latest, pointer }) => latest && writeDraft(pointerFile(data), pointer)],
  ["rename pointer", ({ data, latest }) => latest && renameSync(draftOf(pointerFile(data)), pointerFile(data))],
  ["sync pointer", ({ data }) => sync(data)],
  ["prune", ({ data, latest, keep }) => latest && prune(data, keep)],
];

/** Gives a draft its name and then moves the pointer, once every check has passed. */
export async function publish(
  draft: string,
  data: string,
  {
    latest,
    allowPartial = false,
    maxLoss = MAX_LOSS,
    keep = KEEP,
    compress = false,
    onStep,
    report,
  }: PublishOptions & { report: object },
): Promise<Publication> {
  const { head, counts } = checkDraft(draft, allowPartial);
  const before = readPointer(data);
  if (latest && before && isSame(before, head) && existsSync(snapshotFile(data, before.version))) {
    rmSync(draft);
    prune(data, keep);
    return { version: before.version, file: snapshotFile(data, before.version), changed: false, latest };
  }
  const last = latest && before && countsOf(data, before);
  if (last) refuseShrunk(last, counts, maxLoss);
  const file = snapshotFile(data, head.version);
  const pointer = toPointer({ ...head, sha256: await hashFile(draft), size: statSync(draft).size, counts });
  const compressed = compress && (await compressFile(draft, compressedOf(draft)));
  const manifest = {
    ...pointer,
    latest,
    game_version: head.game_version,
    ...(compressed && { compressed }),
    ...report,
  };
  const work: Work = { draft, data, file, pointer, manifest, latest, compress, keep };
  for (const [name, step] of STEPS) {
    step(work);
    onStep?.(name);
  }
  return { version: head.version, file, changed: true, latest };
}

/** The same data in the same tables. */
const isSame = (a: Pick<Pointer, "content_hash" | "schema_version">, b: SnapshotTable) =>
  a.content_hash === b.content_hash && a.schema_version === b.schema_version;

function checkDraft(draft: string, allowPartial: boolean) {
  const db = openSnapshotFile(draft);
  try {
    const broken = db.pragma("foreign_key_check") as unknown[];
    if (broken.length > 0) throw new Error(`${draft}: ${broken.length} rows refer to nothing`);
    const [hole, ...others] = readHoles(db);
    if (hole && !allowPartial) {
      const message = `${others.length + 1} slices are missing, the first is ${hole.dataset} ${hole.slice} (${hole.reason})`;
      const hint = "ask again with `npm run crawl -- --retry-failed`, or publish it so with --allow-partial";
      throw new Failure(EXIT.incomplete, `${message}; nothing was published`, hint);
    }
    const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
    return { head, counts: readCounts(db) };
  } finally {
    db.close();
  }
}

/** From the pointer, which knows them also when its file has vanished; pointers of old do not carry them. */
function countsOf(data: string, { counts, version }: Pointer) {
  const file = snapshotFile(data, version);
  if (counts || !existsSync(file)) return counts;
  const db = openSnapshotFile(file);
  try {
    return readCounts(db);
  } finally {
    db.close();
  }
}

/** Removes what is older than the newest `keep`, and what a cut run left; never what the pointer names, or is not ours. */
function prune(data: string, keep: number) {
  const kept = new Set([...listVersions(data).slice(0, keep), readPointer(data)?.version]);
  const old = readdirSync(snapshotFolder(data)).filter((name) => {
    const version = OURS.exec(name)?.[1];
    return version !== undefined && (!kept.has(version) || name.endsWith(".draft"));
  });
  // A manifest goes before its file: a file without one is not published.
  for (const name of old.sort()) rmSync(join(snapshotFolder(data), name), { force: true });
  rmSync(draftOf(pointerFile(data)), { force: true });
}
