import { cutTo } from "./body/bounds.ts";

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  internal: 1,
  unchanged: 2,
  incomplete: 3,
  unreachable: 4,
  shrunk: 5,
  shapeChanged: 6,
  newlyClosed: 7,
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Tells whether an error of SQLite or of the system means that a disk is full or fails, which says nothing about the files on it. SQLite
 * reports a used-up quota, and shared memory that finds no room, as I/O errors. A read error may be the file's own.
 */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EFBIG|EIO|SQLITE_FULL|SQLITE_IOERR(?!_(SHORT_)?READ|_CORRUPTFS).*)$/.test(codeOf(error));

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** The most characters of a message, which may quote what somebody else has written. */
const MAX_FAILURE_CHARS = 4000;

/** An end that the operator must know about: one line that says what and where, and a hint that says what to do next. */
export class Failure extends Error {
  override name = "Failure";
  readonly exit: ExitCode;
  readonly hint: string;

  constructor(exit: ExitCode, message: string, hint: string, cause?: unknown) {
    // SQLite quotes whole statements.
    super(cutTo(MAX_FAILURE_CHARS, message).replaceAll(/\s*\n\s*/g, " "), { cause });
    this.exit = exit;
    this.hint = hint;
  }
}

/** The faults of a disk, by error code. Other codes of `isDiskFull` may also mean that it fails. */
const FULL: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  SQLITE_FULL: "the disk is full",
  EDQUOT: "the quota of this disk is used up",
};

/** Makes the failure of a command that has filled the disk; `room` says how much it needs and how much is free. */
export function endOnFullDisk(folder: string, room: string, cause: unknown): Failure {
  const code = codeOf(cause);
  const what = FULL[code] ?? `the disk is full or fails (${code})`;
  const hint = "free space, then run the same command again";
  return new Failure(EXIT.usage, `${folder}: ${what}: ${room}; nothing was published`, hint, cause);
}
