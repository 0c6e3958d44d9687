import { InvalidArgumentError, type Option } from "commander";
import * as z from "zod";
import { DOWNLOAD_LIMITS } from "../../../src/extra/nights/pull/limits.ts";
import { flag, option } from "../command.ts";
import { MEANINGS } from "./variables.ts";

/** Parses the address of a mirror or of a static host with a data folder. */
export function parseSource(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It must be an http or https URL.");
  if (url.username || url.password) throw new InvalidArgumentError("It must not carry a user name or password.");
  return url;
}

/** Parses a day of UTC. */
export function parseDay(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError("It must be a day, as 2026-11-27.");
}

const MAX_CONTACT_CHARS = 200;

/** An option for the operator's address, which goes into a comment of the `User-Agent`; parentheses would end that. */
export const contact = (asked: "upstream" | "source"): Option =>
  option("--contact <address>", `${MEANINGS.contact} for the ${asked}'s operator; recommended`).argParser((text) => {
    const isPlain = /^[\x21-\x7e]+$/.test(text) && !/[()\\]/.test(text) && text.length <= MAX_CONTACT_CHARS;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPage = /^https?:$/.test(url?.protocol ?? "") && url?.username === "" && url.password === "";
    if (isPlain && (isPage || z.email().safeParse(text).success)) return text;
    throw new InvalidArgumentError(
      `It must be a mail address, or an http or https URL without a user name or password, of at most ${MAX_CONTACT_CHARS} plain characters.`,
    );
  });

export const allowOlder = () => flag("--allow-older", "accept the source's latest snapshot even if it is older");

export const retryRefused = () => flag("--retry-refused", "fetch and verify again snapshots that were refused before");

export const follow = (): Option =>
  option("--follow <url>", "pull from this mirror or static host at regular intervals").argParser(parseSource);

export const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

/** The longest time; timers of Node hold at most 24 days. */
const MAX_TIME_MS = 500 * 3_600_000;

/** Parses a length of time such as 90s, 10m or 6h to milliseconds. */
export function parseTime(text: string): number {
  const [, count, unit = ""] = /^(\d{1,7})([smh])$/.exec(text) ?? [];
  const time = Number(count) * (UNITS[unit] ?? 0);
  if (time > 0 && time <= MAX_TIME_MS) return time;
  throw new InvalidArgumentError("It must be a number with s, m or h, as in 10m, and at most 500h.");
}

/** Formats a time for `parseTime`, in the largest unit that fits. */
export function formatTime(ms: number): string {
  const fits = Object.entries(UNITS).filter(([, size]) => ms % size === 0);
  const [unit = "s", size = 1000] = fits.at(-1) ?? [];
  return Number.isFinite(ms) ? `${ms / size}${unit}` : "none";
}

export const every = (): Option =>
  option("--every <time>", "how often to check the source: 90s, 10m, 6h").argParser(parseTime).default(600_000, "10m");

export const frozenAfter = (): Option =>
  option(
    "--frozen-after <time>",
    "/health and /metrics report the source as frozen if it has nothing newer for this time",
  )
    .argParser(parseTime)
    .default(48 * 3_600_000, "48h");

/** An option whose default is the time for the largest file at the slowest rate allowed, and a third more. */
export const pullTime = (): Option =>
  option("--pull-time <time>", MEANINGS["pull-time"])
    .argParser((text) => (text === "none" ? Number.POSITIVE_INFINITY : parseTime(text)))
    .default(DOWNLOAD_LIMITS.totalMs, "24h");
