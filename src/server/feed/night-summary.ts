import * as z from "zod";
import { sanitizeLine } from "../../api/sanitize.ts";

/** The summary of a night in a feed, in the words of its changes. */
export interface NightSummary {
  /** The summary in one line. */
  short: string;
  lines: readonly string[];
}

/** The most lines; no night has so many, but a mirror may have the file from elsewhere. */
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

/** Summarises the JSON of a night's changes; undefined if the text is not one. */
export function summariseNight(json: string): NightSummary | undefined {
  try {
    return diff.parse(JSON.parse(json)).news;
  } catch {
    return undefined;
  }
}
