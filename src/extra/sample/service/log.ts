import type { Form } from "../troubles/forms.ts";
import { isOf, type Slice, type Slices } from "./slice.ts";

/** A request, and how it was answered. */
export interface Logged {
  day: number;
  /** The request as "GET /api/heroes?size=1". */
  request: string;
  /** The slice; undefined if it was no valid question of an endpoint. */
  slice?: Slice;
  /** The forms of the troubles that it met. */
  forms: readonly Form[];
  /** True if it got the right answer, changed or not. */
  isAnswered: boolean;
}

const NONE: readonly Form[] = [];

/** Remembers all requests. A night has those since `begin`. */
export function createLog() {
  const entries: Logged[] = [];
  let before = 0;
  let counts = new Map<string, number>();

  return {
    entries,
    begin() {
      before = entries.length;
      counts = new Map();
    },
    note(day: number, request: string): Logged {
      const logged: Logged = { day, request, forms: NONE, isAnswered: false };
      entries.push(logged);
      counts.set(request, (counts.get(request) ?? 0) + 1);
      return logged;
    },
    /** Number of requests in the night, and of those like this one. */
    place: (request: string) => ({ ofNight: entries.length - before, ofPath: counts.get(request) ?? 0 }),
    /** The requests of this night for such slices. */
    asked: (slices: Slices) => entries.slice(before).filter(({ slice }) => slice && isOf(slice, slices)),
  };
}
