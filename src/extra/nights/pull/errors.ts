import { EXIT, endOnFullDisk, Failure, isDiskFull } from "../../../api/failure.ts";
import { freeBytes } from "../../../base/files.ts";
import { describeBytes } from "../../../base/words.ts";
import type { Unreachable } from "../../../network/unreachable.ts";

/** The source sent something that cannot be accepted; to retry would not help. */
export class SourceRefused extends Error {
  override name = "SourceRefused";
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The source is silent, busy, slow, or breaks off; to retry may help. */
export class SourceUnreachable extends Error {
  override name = "SourceUnreachable";
  /** The reason why the host gave no answer, if it is known. */
  readonly why: Unreachable | undefined;
  constructor(message: string, cause?: unknown, why?: Unreachable) {
    super(message, { cause });
    this.why = why;
  }
}

/** The source does not have the file at the moment: it may be about to publish it, or have removed it. */
export class NotFound extends Error {
  override name = "NotFound";
}

/** Tells whether the local disk is at fault (full, or not writable), not the source. */
export const isDiskError = (error: unknown): boolean =>
  isDiskFull(error) || /^(EACCES|EROFS)$/.test(String((error as NodeJS.ErrnoException).code));

/** Explains a full disk in one line that says how much room there must be; `neededBytes` are those of a complete pull. */
export function explainFullDisk(error: unknown, folder: string, neededBytes: number): unknown {
  if (!isDiskFull(error)) return error;
  const [needed, free] = [neededBytes, freeBytes(folder)].map(describeBytes);
  return endOnFullDisk(folder, `this pull needs up to ${needed}, ${free} are free`, error);
}

/** Tells whether a source is refused for what it sent; what else was asked of it can be taken. */
export const isSourceRefused = (error: unknown): error is Error =>
  error instanceof SourceRefused || (error instanceof Failure && error.exit === EXIT.usage);
