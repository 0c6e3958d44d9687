import { fstatSync } from "node:fs";

/** Those of syslog, as in sd-daemon(3). */
const PRIORITIES = { error: 3, info: 6, debug: 7 } as const;

/** What each line to a file begins with where the journal of systemd reads it, which then knows its level; else nothing. */
export function priority(level: keyof typeof PRIORITIES, fd: number): string {
  const { JOURNAL_STREAM: stream } = process.env;
  if (stream === undefined) return "";
  const { dev, ino } = fstatSync(fd);
  return stream === `${dev}:${ino}` ? `<${PRIORITIES[level]}>` : "";
}
