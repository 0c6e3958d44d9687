import sonic from "sonic-boom";
import { toJson } from "../../api/harmless.ts";

export const LOG_LEVELS = ["off", "error", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Facts = Record<string, unknown>;

/** Lines of JSON. A level that is off is not there, so that nobody gathers facts for it. */
export interface Log {
  error?: (event: string, facts: Facts) => void;
  info?: (event: string, facts: Facts) => void;
  debug?: (event: string, facts: Facts) => void;
  /** Everything is written, also when the process ends right after. */
  flush(): void;
}

/** Bytes that wait for a reader that does not read. Above, lines are dropped: serving comes first. */
const WAITING = 1024 * 1024;

/** A log on a file descriptor, written behind the requests' back: a slow reader never holds one up. */
export function createLog(level: LogLevel, fd = 2): Log {
  if (level === "off") return { flush() {} };
  let sink: sonic.SonicBoom | undefined;
  const open = () => {
    const opened = new sonic.SonicBoom({ fd, sync: false, maxLength: WAITING });
    // Nobody reads any more: that is no reason to stop serving.
    return opened.on("error", () => {});
  };
  const at = (name: LogLevel) => (event: string, facts: Facts) => {
    sink ??= open();
    sink.write(`${toJson({ time: new Date().toISOString(), level: name, event, ...facts })}\n`);
  };
  const rank = LOG_LEVELS.indexOf(level);
  return {
    error: at("error"),
    ...(rank >= 2 && { info: at("info") }),
    ...(rank >= 3 && { debug: at("debug") }),
    flush: () => sink?.flushSync(),
  };
}
