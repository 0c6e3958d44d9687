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

/** By night; on most of them nothing happens. The first is always an ordinary one. */
export function planEvents(draw: Draw, nights: number, events: readonly Event[]): Map<number, Event> {
  const free = draw.shuffle(Array.from({ length: nights - 2 }, (_, night) => night + 1));
  return new Map(events.map((event) => [free.pop() ?? 1, event]));
}
