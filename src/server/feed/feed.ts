import { hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import pLimit from "p-limit";
import { createFileMemory } from "../../base/file-memory.ts";
import { fileIdentity } from "../../base/files.ts";
import { changesOf, MAX_CHANGES_BYTES } from "../../snapshot/published/folder.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { type NightSummary, summariseNight } from "./night-summary.ts";

/** A night whose changes are known. */
export interface FeedNight extends NightSummary {
  version: string;
  /** Start of its crawl. */
  startedAt: Date;
  /** The sha256 of its `changes.json`. */
  sha256: string;
}

/** Reads the nights of a feed, the last published first. */
export type ReadFeed = () => Promise<FeedNight[]>;

const MOST_NIGHTS = 30;

/** Parsing this much takes a tenth of a second, in which nobody else is answered. */
const MOST_PARSED_BYTES = 6 * 1024 * 1024;

const TOO_LARGE: NightSummary = { short: "much has changed", lines: ["The changes are too many for a summary."] };

interface Summarised {
  summary?: NightSummary | undefined;
}

/** Makes the reader of a feed. Each night is read once, and is in the feed only if its changes are the bytes that its manifest names. */
export function createFeed(versions: Pick<Versions, "list">): ReadFeed {
  const summaries = createFileMemory<Summarised>();
  const oneByOne = pLimit(1);

  async function readNight({ file, essentials, changes }: PublishedSnapshot): Promise<FeedNight[]> {
    const { version, started_at } = essentials;
    const startedAt = toFeedDate(started_at);
    if (!changes || !startedAt) return [];
    const { sha256 } = changes;
    const path = changesOf(file);
    const told = await summaries.find(
      () => `${fileIdentity(path)} ${sha256}`,
      () => summarise(path, sha256),
    );
    const summary = told?.summary;
    return summary ? [{ version, startedAt, sha256, ...summary }] : [];
  }

  return () =>
    oneByOne(async () => {
      const nights = versions.list().filter(({ changes, withdrawn }) => changes && !withdrawn);
      const told: FeedNight[] = [];
      // A file that cannot be read now may be there the next time.
      for (const night of nights.slice(0, MOST_NIGHTS)) told.push(...(await readNight(night).catch(() => [])));
      return told;
    });
}

/** Summarises a night; empty if the bytes are others. */
async function summarise(path: string, sha256: string): Promise<Summarised> {
  const stats = await stat(path);
  if (!stats.isFile() || stats.size > MAX_CHANGES_BYTES) return {};
  const bytes = await readFile(path);
  if (hash("sha256", bytes) !== sha256) return {};
  return { summary: bytes.length > MOST_PARSED_BYTES ? TOO_LARGE : summariseNight(bytes.toString()) };
}

/** Reads a date; undefined outside the years 1970 to 9999: dates of feeds have four digits for the year (RFC 3339). */
export function toFeedDate(iso: string): Date | undefined {
  const time = Date.parse(iso);
  return time >= 0 && time < Date.UTC(10_000, 0) ? new Date(time) : undefined;
}
