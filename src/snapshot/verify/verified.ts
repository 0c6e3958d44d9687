import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readDocument } from "../published/folder.ts";
import { draftOf, writeDraft } from "../published/fsync.ts";
import { SCHEMA_VERSION } from "../schema/version.ts";

/** A file that was proved, and what it was said to be. */
const proved = z.object({ sha256: z.string(), version: z.string(), content_hash: z.string(), size: z.int() });
type Proved = z.infer<typeof proved>;

/** A file that was refused, by its hash. */
const refusal = z.object({ sha256: z.string(), version: z.string(), reason: z.string() });
export type Refusal = z.infer<typeof refusal>;

const memory = z.object({
  /** Another program may prove other things. */
  schema_version: z.literal(SCHEMA_VERSION),
  proved: z.array(proved),
  refused: z.array(refusal),
});
type Memory = z.infer<typeof memory>;

/** The newest so many of each. */
const MOST = 200;

const fileOf = (data: string) => join(data, "proofs.json");

/** What proofs in this folder came to, by the sha256 of the files: a proof takes long, and what killed one may kill the next. */
function read(data: string): Memory {
  try {
    if (existsSync(fileOf(data))) return memory.parse(JSON.parse(readDocument(fileOf(data))));
  } catch {
    // Without it everything is proved again.
  }
  return { schema_version: SCHEMA_VERSION, proved: [], refused: [] };
}

function write(data: string, { schema_version, proved, refused }: Memory) {
  writeDraft(fileOf(data), { schema_version, proved: proved.slice(-MOST), refused: refused.slice(-MOST) });
  renameSync(draftOf(fileOf(data)), fileOf(data));
}

/** Whether this very file was proved to be what it is said to be. */
export const isProved = (data: string, promised: Proved): boolean =>
  read(data).proved.some((one) => FACTS.every((fact) => one[fact] === promised[fact]));

const FACTS = Object.keys(proved.shape) as (keyof Proved)[];

export const refusalOf = (data: string, sha256: string): Refusal | undefined =>
  read(data).refused.find((one) => one.sha256 === sha256);

/** To be called by who may publish in the folder, and nobody else. */
export function rememberProved(data: string, { sha256, version, content_hash, size }: Proved): void {
  const { proved: before, refused, ...rest } = read(data);
  const isOther = (one: { sha256: string }) => one.sha256 !== sha256;
  write(data, {
    ...rest,
    proved: [...before.filter(isOther), { sha256, version, content_hash, size }],
    refused: refused.filter(isOther),
  });
}

export function rememberRefused(data: string, refused: Refusal): void {
  const { refused: others, ...rest } = read(data);
  write(data, { ...rest, refused: [...others.filter(({ sha256 }) => sha256 !== refused.sha256), refused] });
}
