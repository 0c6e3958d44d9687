import { existsSync } from "node:fs";
import * as z from "zod";
import { EXIT, Failure } from "../../api/failure.ts";
import { explainDenied, toDocument } from "../../base/files.ts";
import { replaceFile } from "../../base/release.ts";
import { hintWithoutSnapshot, isVersion, listVersions, pointerFile, readDocument, snapshotFile } from "./folder.ts";
import { countsSchema } from "./loss.ts";

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** The fields that a manifest and the pointer share, in one order. */
export const essentials = {
  version: z.string().refine(isVersion),
  content_hash: sha256Schema,
  schema_version: z.string(),
  /** ISO 8601 in UTC. */
  started_at: z.iso.datetime(),
  /** The hash of the file, in hex; `size` in bytes, of which a database has at least one page. */
  sha256: sha256Schema,
  size: z.int().min(512),
  counts: countsSchema,
  /** Number of the publication in its folder, from 1. */
  sequence: z.int().min(1),
  /** True if its numbers are made up. */
  sample: z.boolean(),
  /** True if it has slices that its own crawl did not ask for. */
  rolling: z.boolean(),
};

export const pointerSchema = z.looseObject({
  ...essentials,
  /** The time until which a signed pointer may be taken for the newest. ISO 8601 in UTC. */
  expires_at: z.iso.datetime().optional().catch(undefined),
});
export type Pointer = z.infer<typeof pointerSchema>;

/** Returns the part of a manifest that the pointer repeats. */
export const toPointer = (manifest: object): Pointer => z.object(essentials).parse(manifest);

/** The pointer's file is there, and is no pointer. */
export class DamagedPointer extends Failure {
  constructor(file: string, cause: unknown) {
    const hint =
      "the next crawl, build or pull writes it again, or `npm run rollback -- --to <version>` now; delete it if no night is here";
    super(EXIT.usage, `${file}: is not a pointer of metasnap`, hint, cause);
  }
}

/** Reads `latest.json`; undefined before the first publication. Throws a `DamagedPointer`, or a Failure for usage if it cannot be read. */
export function readPointer(data: string): Pointer | undefined {
  const file = pointerFile(data);
  if (!existsSync(file)) return undefined;
  try {
    return pointerSchema.parse(JSON.parse(readDocument(file)));
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    // It may be whole, and must not be deleted.
    if (syscall) {
      const why = explainDenied(file) ?? message;
      throw new Failure(EXIT.usage, `${file}: cannot be read: ${why}`, "make it readable for this user", error);
    }
    throw new DamagedPointer(file, error);
  }
}

export const writePointer = (data: string, pointer: Pointer) => replaceFile(pointerFile(data), toDocument(pointer));

/** Returns the file that the pointer names. Throws a Failure for usage if there is no pointer, or a damaged one. */
export function latestFile(data: string): string {
  const pointer = readPointer(data);
  if (pointer) return snapshotFile(data, pointer.version);
  const subset = listVersions(data).at(-1);
  const hint = subset
    ? `only a complete night becomes the latest: name a file with --snapshot ${snapshotFile(data, subset)}, or crawl with --allow-partial`
    : hintWithoutSnapshot(data, "run `npm run crawl` or `npm run pull` first, or name a file with --snapshot");
  throw new Failure(EXIT.usage, `${pointerFile(data)}: does not exist`, hint);
}
