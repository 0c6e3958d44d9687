import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { EXIT, Failure } from "../api/failure.ts";
import { openSnapshotFile } from "./open.ts";
import type { SnapshotTable } from "./tables.ts";

const VERSION = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

export const pointerSchema = z.looseObject({
  version: z.string().regex(VERSION),
  content_hash: z.string(),
  schema_version: z.string(),
  started_at: z.string(),
  sha256: z.string(),
  size: z.int(),
});

export type Pointer = z.infer<typeof pointerSchema>;

export const snapshotFolder = (data: string) => join(data, "snapshots");
export const snapshotFile = (data: string, version: string) => join(snapshotFolder(data), `${version}.sqlite`);
const pointerFile = (data: string) => join(data, "latest.json");

/** What `latest.json` points to; nothing before the first publication. */
export function readPointer(data: string): Pointer | undefined {
  const file = pointerFile(data);
  if (!existsSync(file)) return undefined;
  const refuse = (cause: unknown) =>
    new Failure(EXIT.usage, `${file}: is not a pointer of metasnap`, "publish again with `npm run build`", cause);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
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

export interface Publication {
  version: string;
  file: string;
  /** False when the latest snapshot holds the same data already. */
  changed: boolean;
  latest: boolean;
}

/**
 * Gives a checked draft its name, and then moves the pointer: file, manifest, pointer, each whole on the disk before the
 * next. With `latest` false the file is published without becoming the latest.
 */
export async function publish(
  draft: string,
  data: string,
  { latest, report }: { latest: boolean; report: object },
): Promise<Publication> {
  const snapshot = checkDraft(draft);
  const file = snapshotFile(data, snapshot.version);
  const before = readPointer(data);
  if (latest && before && isSame(before, snapshot) && existsSync(snapshotFile(data, before.version))) {
    rmSync(draft);
    return { version: before.version, file: snapshotFile(data, before.version), changed: false, latest };
  }
  const essentials = {
    version: snapshot.version,
    content_hash: snapshot.content_hash,
    schema_version: snapshot.schema_version,
    started_at: snapshot.started_at,
    sha256: await hashFile(draft),
    size: statSync(draft).size,
  };
  sync(draft);
  renameSync(draft, file);
  sync(dirname(file));
  replaceFile(file.replace(/sqlite$/, "json"), { ...essentials, game_version: snapshot.game_version, ...report });
  if (latest) replaceFile(pointerFile(data), essentials);
  return { version: snapshot.version, file, changed: true, latest };
}

/** The same data in the same tables. */
const isSame = (a: Pick<Pointer, "content_hash" | "schema_version">, b: SnapshotTable) =>
  a.content_hash === b.content_hash && a.schema_version === b.schema_version;

function checkDraft(draft: string): SnapshotTable {
  const db = openSnapshotFile(draft);
  try {
    const broken = db.pragma("foreign_key_check") as unknown[];
    if (broken.length > 0) throw new Error(`${draft}: ${broken.length} rows refer to nothing`);
    return db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
  } finally {
    db.close();
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function replaceFile(file: string, json: object) {
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(json, null, 2)}\n`);
  sync(draft);
  renameSync(draft, file);
  sync(dirname(file));
}

function sync(path: string) {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
