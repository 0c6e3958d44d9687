import { fstatSync } from "node:fs";
import sonic from "sonic-boom";
import { toLogLine } from "../../api/sanitize.ts";

export const LOG_LEVELS = ["off", "error", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Record<string, unknown>;

/** Lines of JSON. The method of a level that is off is missing, so that callers do not gather fields for it. */
export interface ServerLog {
  error?: (event: string, facts: Fields) => void;
  info?: (event: string, facts: Fields) => void;
  debug?: (event: string, facts: Fields) => void;
  /** Writes all buffered lines before it returns. */
  flush(): void;
}

/** Bytes that wait for a slow reader of the log. Beyond them lines are dropped: serving comes first. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** A log on a file descriptor, written asynchronously: a slow reader never blocks a request. */
export function createLog(level: LogLevel, fd = 2): ServerLog {
  if (level === "off") return { flush() {} };
  let sink: sonic.SonicBoom | undefined;
  const open = () => {
    const opened = new sonic.SonicBoom({ fd, sync: false, maxLength: MAX_BUFFERED_BYTES });
    // A closed log is no reason to stop serving.
    return opened.on("error", () => {});
  };
  const writeAt = (name: Exclude<LogLevel, "off">) => {
    const begin = priority(name, fd);
    return (event: string, facts: Fields) => {
      sink ??= open();
      sink.write(begin + toLogLine({ level: name, event, ...facts }));
    };
  };
  const rank = LOG_LEVELS.indexOf(level);
  return {
    error: writeAt("error"),
    ...(rank >= 2 && { info: writeAt("info") }),
    ...(rank >= 3 && { debug: writeAt("debug") }),
    flush: () => sink?.flushSync(),
  };
}

/** The priorities of syslog, as in sd-daemon(3). */
const PRIORITIES = { error: 3, info: 6, debug: 7 } as const;

/** The priority that each line to a file begins with if the journal of systemd reads it; otherwise an empty text. */
export function priority(level: keyof typeof PRIORITIES, fd: number): string {
  const { JOURNAL_STREAM: stream } = process.env;
  if (stream === undefined) return "";
  const { dev, ino } = fstatSync(fd);
  return stream === `${dev}:${ino}` ? `<${PRIORITIES[level]}>` : "";
}
