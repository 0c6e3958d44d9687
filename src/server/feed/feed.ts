import { hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { fileIdentity } from "../../base/files.ts";
import { changesOf, MAX_CHANGES_BYTES } from "../../snapshot/published/folder.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { type NightSummary, summariseNight } from "./night-summary.ts";

/** A night of which is known what changed. */
export interface FeedNight extends NightSummary {
  version: string;
  /** Start of its crawl. */
  at: Date;
  /** The sha256 of its `changes.json`. */
  sha256: string;
}

/** The nights of a feed, the last published first. */
export type ReadFeed = () => Promise<FeedNight[]>;

const MOST_NIGHTS = 30;

/** Parsing this much takes a tenth of a second, in which nobody else is answered. */
const MOST_PARSED_BYTES = 6 * 1024 * 1024;

const TOO_LARGE: NightSummary = { short: "much has changed", lines: ["The changes are too many for a summary."] };

/** Each night is read once: only one whose changes are the bytes that its manifest names is told. */
export function createFeed(versions: Pick<Versions, "list">): ReadFeed {
  const summaries = new LRUCache<string, { summary: NightSummary | undefined }>({ max: 4 * MOST_NIGHTS });
  const oneByOne = pLimit(1);

  async function readNight({ file, essentials, changes }: PublishedSnapshot): Promise<FeedNight[]> {
    const { version, started_at } = essentials;
    const at = new Date(started_at);
    if (!changes || Number.isNaN(at.getTime())) return [];
    const { sha256 } = changes;
    const path = changesOf(file);
    const key = `${fileIdentity(path)} ${sha256}`;
    const { summary } = summaries.get(key) ?? { summary: await summarise(path, sha256).catch(() => undefined) };
    summaries.set(key, { summary });
    return summary ? [{ version, at, sha256, ...summary }] : [];
  }

  return () =>
    oneByOne(async () => {
      const nights = versions.list().filter(({ changes, withdrawn }) => changes && !withdrawn);
      const told: FeedNight[] = [];
      for (const night of nights.slice(0, MOST_NIGHTS)) told.push(...(await readNight(night)));
      return told;
    });
}

/** Undefined if the bytes are others. */
async function summarise(path: string, sha256: string): Promise<NightSummary | undefined> {
  const stats = await stat(path);
  if (!stats.isFile() || stats.size > MAX_CHANGES_BYTES) return undefined;
  const bytes = await readFile(path);
  if (hash("sha256", bytes) !== sha256) return undefined;
  return bytes.length > MOST_PARSED_BYTES ? TOO_LARGE : summariseNight(bytes.toString());
}
