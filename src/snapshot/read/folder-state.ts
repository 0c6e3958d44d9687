import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { freeBytes } from "../../base/files.ts";
import { journalFolder } from "../../journal/listing.ts";
import type { Header } from "../../journal/schema.ts";
import { readHeaderUnlocked } from "../../journal/unlocked.ts";
import { lastCrawlFile, manifestOf, pointerFile, snapshotFile, snapshotFolder } from "../published/folder.ts";
import { findLastPublished } from "../published/journals.ts";
import { type LastCrawl, readLastCrawl } from "../published/last-crawl.ts";
import { isNight } from "../published/manifest.ts";
import { readPointer } from "../published/pointer.ts";
import { describeDamagedMarks, type Published, readPublished } from "../published/sequence.ts";
import { openCheckedFile } from "./open.ts";
import { readClosedParts } from "./standing.ts";
import { countSliceStates, type SliceStates } from "./summary.ts";

/** A published version, either a night or a subset beside the nights. */
interface NightState {
  version: string;
  sequence: number;
  /** Start of its crawl, ISO 8601 in UTC. */
  began_at: string;
  age_seconds: number;
  state: "latest" | "withdrawn" | "subset" | "earlier";
  /** Its slices by state. Null if its file cannot be read. */
  slices: SliceStates | null;
  closed_parts: number | null;
  /** Size of its file in bytes. */
  size: number;
}

/** A journal with answers that are in no night. */
export interface OpenJournal {
  file: string;
  state: "unfinished" | "not built";
  /** The time when its last run began. */
  began_at: string;
  /** The time when it was last written to. */
  written_at: string;
  /** Size in bytes, with its log. */
  size: number;
}

export interface FolderState {
  data: string;
  /** Nights in the order of publication. */
  nights: NightState[];
  journals: OpenJournal[];
  last_crawl: LastCrawl | null;
  bytes: { snapshots: number; journals: number; free: number };
  /** Files that cannot be read, in one line each. */
  damaged: string[];
}

/**
 * Reads the state of a data folder at a moment, in milliseconds since 1970. It takes no lock, writes nothing, and reads a folder in which
 * another process works: files that vanish meanwhile are left out. Throws a Failure for usage if there is no such folder.
 */
export function readFolderState(data: string, moment: number): FolderState {
  if (!statSync(data, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(EXIT.usage, `${data}: is no folder`, "name another folder with --data, or crawl into this one");
  const damaged: string[] = [];
  const attempt = createAttempt(damaged);
  // Read first: the version that it names is published before it, and removed after it.
  const latest = attempt(pointerFile(data), () => readPointer(data)?.version);
  const { published, damaged: unknown } = readPublished(data);
  const isThere = latest === undefined || [...unknown, ...published.map(({ version }) => version)].includes(latest);
  if (!isThere) damaged.push(`${pointerFile(data)}: names ${latest}, which is not published here`);
  const last_crawl = readLastCrawl(data) ?? null;
  const unreadable = [
    ...unknown.map((version) => manifestOf(snapshotFile(data, version))),
    ...(last_crawl ? [] : [lastCrawlFile(data)]),
  ];
  damaged.push(...unreadable.filter((file) => existsSync(file)).map((file) => `${file}: is damaged`));
  damaged.push(...describeDamagedMarks(data));
  return {
    data,
    nights: published.flatMap((night) => {
      const file = snapshotFile(data, night.version);
      const states = attempt(file, () => readStates(file));
      if (!states && !existsSync(file)) return [];
      return [{ ...describeNight(night, latest, moment), ...(states ?? { slices: null, closed_parts: null }) }];
    }),
    journals: readJournals(data, attempt),
    last_crawl,
    bytes: { snapshots: sizeOf(snapshotFolder(data)), journals: sizeOf(journalFolder(data)), free: freeBytes(data) },
    damaged,
  };
}

type Attempt = <T>(file: string, read: () => T) => T | undefined;

/** Makes a reader that keeps a line for each file that it cannot read, and none for one that is gone. */
const createAttempt =
  (damaged: string[]): Attempt =>
  (file, read) => {
    try {
      return read();
    } catch (error) {
      const { message } = error as Error;
      if (existsSync(file)) damaged.push(message.startsWith(file) ? message : `${file}: ${message}`);
      return undefined;
    }
  };

function describeNight(night: Published, latest: string | undefined, moment: number) {
  const { version, sequence, started_at, size } = night;
  const [began_at, age] = [started_at, (moment - Date.parse(started_at)) / 1000];
  const other = night.withdrawn ? "withdrawn" : isNight(night) ? "earlier" : "subset";
  const state: NightState["state"] = version === latest ? "latest" : other;
  return { version, sequence, began_at, age_seconds: Math.max(0, Math.floor(age)), state, size };
}

function readStates(file: string) {
  const db = openCheckedFile(file);
  try {
    return { slices: countSliceStates(db), closed_parts: readClosedParts(db).length };
  } finally {
    db.close();
  }
}

function readJournals(data: string, attempt: Attempt): OpenJournal[] {
  const folder = journalFolder(data);
  const built = findLastPublished(data);
  const files = namesIn(folder).filter((name) => name.endsWith(".journal"));
  return files.flatMap((name) => {
    const file = join(folder, name);
    const header = attempt(file, () => readHeaderUnlocked(file));
    const state = header && stateOf(header, built);
    if (!header || !state) return [];
    const parts = [file, `${file}-wal`].flatMap((part) => lstatSync(part, { throwIfNoEntry: false }) ?? []);
    const written_at = new Date(Math.max(0, ...parts.map(({ mtimeMs }) => mtimeMs))).toISOString();
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return [{ file, state, began_at: header.started_at, written_at, size }];
  });
}

function stateOf({ finished_at, built, number = 0 }: Header, lastPublished: number): OpenJournal["state"] | undefined {
  if (finished_at === null) return "unfinished";
  return built === undefined && number > lastPublished ? "not built" : undefined;
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

const sizeOf = (folder: string): number =>
  namesIn(folder).reduce((sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
