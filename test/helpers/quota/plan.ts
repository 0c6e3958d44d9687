import type { Draw } from "../draw.ts";

/** What happens besides that numbers roll over. */
export type Event =
  /** A new version of the game: texts change. */
  | "patch"
  | "hero"
  /** Nobody crawls. */
  | "off"
  /** Killed, and run again on the same day. */
  | "killed"
  /** Killed; the next night goes on with it. */
  | "abandoned"
  /** Run a second time when it is over. */
  | "twice";

/**
 * By night; on most of them nothing happens. The first and the last are ordinary ones, and versions of the game come early enough
 * that what follows from them is seen.
 */
export function planEvents(draw: Draw, nights: number, events: readonly Event[]): Map<number, Event> {
  const planned = new Map<number, Event>();
  for (const event of events) {
    const last = event === "patch" ? Math.ceil(nights * 0.7) : nights - 1;
    const free = Array.from({ length: last - 1 }, (_, night) => night + 1).filter((night) => !planned.has(night));
    planned.set(draw.pick(free), event);
  }
  return planned;
}
