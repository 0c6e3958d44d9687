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

/** Whether an error of SQLite or of the system says that a disk has no room: that says nothing of what lies on it. */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(String((error as { code?: unknown }).code));

/** It may quote what somebody else has written. */
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

/** The end of a command that has filled the disk; `room` says how much it needs and how much is free. */
export const endOnFullDisk = (folder: string, room: string, cause: unknown): Failure =>
  new Failure(
    EXIT.incomplete,
    `${folder}: the disk is full: ${room}; nothing was published`,
    "free space, then run the same command again",
    cause,
  );
