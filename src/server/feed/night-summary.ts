import * as z from "zod";
import { sanitizeLine } from "../../api/sanitize.ts";

/** What a feed says of a night, in the words of its changes. */
export interface NightSummary {
  /** In one line. */
  short: string;
  lines: readonly string[];
}

/** More than the words of any night have; a mirror may have the file from elsewhere. */
const MOST_LINES = 60;
const MOST_CHARS = 2_000;

const line = z.string().transform((text) => sanitizeLine(text.slice(0, MOST_CHARS)));

const diff = z.object({
  news: z.object({
    short: line,
    lines: z
      .array(z.unknown())
      .transform((lines) => lines.slice(0, MOST_LINES).flatMap((one) => line.safeParse(one).data ?? [])),
  }),
});

/** Undefined if the text is no such JSON. */
export function summariseNight(json: string): NightSummary | undefined {
  try {
    return diff.parse(JSON.parse(json)).news;
  } catch {
    return undefined;
  }
}
