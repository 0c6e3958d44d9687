import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import type { SnapshotTable } from "../schema/row-types.ts";
import { isVerified, rememberVerified } from "../verify/verified.ts";
import type { Verification } from "../verify/verify.ts";
import { findFault, verifyInProcess } from "../verify/verify-process.ts";
import { compressedOf, compressFile } from "./compress.ts";
import { KEEP, manifestOf, pointerFile, snapshotFile, snapshotFolder, VERSION_PATTERN } from "./folder.ts";
import { draftOf, hashFile, sync, writeDraft } from "./fsync.ts";
import { isNight, type Manifest } from "./manifest.ts";
import { type Pointer, readPointer, toPointer } from "./pointer.ts";
import { findPrevious, markWithdrawn, nextSequence, readPublished } from "./sequence.ts";
import { type Counts, refuseShrunk } from "./shrink-guard.ts";

const OURS = new RegExp(`^(${VERSION_PATTERN})\\.(?:json|sqlite|sqlite\\.zst)(?:\\.draft)?$`);

export interface PublishOptions {
  /** Move the pointer; a subset is published without. */
  latest: boolean;
  /** Publish although slices are missing. */
  allowPartial?: boolean;
  /** Percent of heroes, languages or records that may be lost since the last snapshot. */
  maxLoss?: number;
  /** Published snapshots that stay. */
  keep?: number;
  /** Put a compressed copy beside the file. */
  compress?: boolean;
  /** Told of each step that is done. */
  onStep?: (name: string) => void;
  /** Where its source published it: kept where nothing later lies here, or where that is known to be older than it. */
  place?: Pick<Manifest, "sequence" | "follows"> & { older: boolean };
}

export const MAX_LOSS = 5;

export interface Publication {
  version: string;
  file: string;
  /** False when the latest snapshot holds the same data already. */
  changed: boolean;
  latest: boolean;
  /** The snapshot that was the latest, where it is not what was published then, and why. */
  unsound?: { version: string; reason: string };
}

interface Work {
  draft: string;
  data: string;
  file: string;
  pointer: Pointer;
  manifest: object;
  latest: boolean;
  compress: boolean;
  keep: number;
}

type Step = [name: string, step: (work: Work) => void];

/** A cut after any of these leaves the last snapshot served, and the next run takes the same steps to the end. */
export const STEPS: Step[] = [
  ["sync file", ({ draft, compress }) => [draft, ...(compress ? [compressedOf(draft)] : [])].forEach(sync)],
  ["rename copy", ({ draft, file, compress }) => compress && renameSync(compressedOf(draft), compressedOf(file))],
  ["rename file", ({ draft, file }) => renameSync(draft, file)],
  ["sync folder", ({ file }) => sync(dirname(file))],
  ["write manifest", ({ file, manifest }) => writeDraft(manifestOf(file), manifest)],
  ["rename manifest", ({ file }) => renameSync(draftOf(manifestOf(file)), manifestOf(file))],
  ["sync manifest", ({ file }) => sync(dirname(file))],
  ["write pointer", ({ data, latest, pointer }) => latest && writeDraft(pointerFile(data), pointer)],
  ["rename pointer", ({ data, latest }) => latest && renameSync(draftOf(pointerFile(data)), pointerFile(data))],
  ["sync pointer", ({ data }) => sync(data)],
  ["prune", ({ data, latest, keep, pointer }) => latest && settle(data, pointer, keep)],
];

/** Gives a proved draft its name and then moves the pointer, once every gate is passed. */
export async function publish(
  draft: string,
  data: string,
  proof: Verification,
  {
    latest,
    allowPartial = false,
    maxLoss = MAX_LOSS,
    keep = KEEP,
    compress = false,
    onStep,
    place: elsewhere,
    report,
  }: PublishOptions & { report: object },
): Promise<Publication> {
  const { head, counts, sha256, size } = proof;
  refuseHoles(proof, allowPartial);
  const before = latest ? await readInHand(data) : undefined;
  const { fault } = before ?? {};
  if (before && fault === undefined && isSame(before.pointer, head)) {
    const { version } = before.pointer;
    rmSync(draft);
    prune(data, keep);
    return { version, file: snapshotFile(data, version), changed: false, latest };
  }
  if (before?.counts) refuseShrunk(before.counts, counts, maxLoss);
  const file = snapshotFile(data, head.version);
  const place = takePlace(data, head.version, elsewhere);
  const pointer = toPointer({ ...head, sha256, size, counts, sequence: place.sequence });
  rememberVerified(data, pointer);
  const compressed = compress && (await compressFile(draft, compressedOf(draft)));
  const manifest = {
    ...pointer,
    latest,
    ...(latest && { follows: place.follows }),
    game_version: head.game_version,
    ...(compressed && { compressed }),
    ...report,
  };
  const work: Work = { draft, data, file, pointer, manifest, latest, compress, keep };
  for (const [name, step] of STEPS) {
    step(work);
    onStep?.(name);
  }
  const unsound = before && fault !== undefined && { version: before.pointer.version, reason: fault };
  return { version: head.version, file, changed: true, latest, ...(unsound && { unsound }) };
}

/** What was published after it is withdrawn: its source went back. */
function settle(data: string, pointer: Pointer, keep: number) {
  markWithdrawn(data, pointer);
  prune(data, keep);
}

/** No folder has published so often; who says so would use up the numbers. */
const HIGHEST = 1_000_000;

/** Where the next publication stands among those before it. The last one published again keeps its place. */
function takePlace(data: string, version: string, elsewhere: PublishOptions["place"]) {
  const pointer = readPointer(data);
  // A rollback that was cut has not marked what it withdrew.
  if (pointer) markWithdrawn(data, pointer);
  const { published } = readPublished(data);
  const next = nextSequence(published, pointer);
  const { sequence: theirs = 0, follows: followed, older = false } = elsewhere ?? {};
  const isFree = theirs >= next || (older && published.every(({ sequence }) => sequence !== theirs));
  if (followed !== undefined && theirs > 0 && theirs <= HIGHEST && isFree)
    return { sequence: theirs, follows: followed };
  const last = published.at(-1);
  const again = last?.version === version ? last : undefined;
  const before = pointer?.version === version ? findPrevious(published.filter(isNight), pointer) : pointer;
  return {
    sequence: again?.sequence ?? next,
    follows: again?.follows === undefined ? (before?.version ?? null) : again.follows,
  };
}

/** The same data in the same tables. */
const isSame = (a: Pick<Pointer, "content_hash" | "schema_version">, b: SnapshotTable) =>
  a.content_hash === b.content_hash && a.schema_version === b.schema_version;

function refuseHoles({ holes: { count, first } }: Verification, allowPartial: boolean) {
  if (count === 0 || allowPartial) return;
  const hint = "ask again with `npm run crawl -- --retry-failed`, or publish it so with --allow-partial";
  throw new Failure(EXIT.incomplete, `${count} slices are missing, the first is ${first}; nothing was published`, hint);
}

/** What is published now: it is not believed to be what it was when it was proved. */
interface InHand {
  pointer: Pointer;
  counts: Counts | undefined;
  /** Why it is not any more. */
  fault: string | undefined;
}

async function readInHand(data: string): Promise<InHand | undefined> {
  const pointer = readPointer(data);
  if (!pointer) return undefined;
  const { counts, sha256, version } = pointer;
  const file = snapshotFile(data, version);
  if (!existsSync(file)) return { pointer, counts, fault: `${file}: has vanished` };
  const isKnown = counts && isVerified(data, pointer) && (await hashFile(file)) === sha256;
  if (isKnown) return { pointer, counts, fault: undefined };
  const proof = await verifyInProcess(file, pointer).catch((error: unknown) => error as Error);
  if (proof instanceof Error) return { pointer, counts, fault: proof.message };
  return { pointer, counts: proof.counts, fault: findFault(proof) };
}

/**
 * Removes what was published before the last `keep`, and what a cut run left; never what the pointer names, or is not
 * ours. Subsets have a count of their own. What a damaged manifest keeps without a place has that of its name.
 */
function prune(data: string, keep: number) {
  const { published, damaged } = readPublished(data);
  const [nights, subsets] = [published.filter(isNight), published.filter((one) => !isNight(one))];
  const newest = [nights, subsets].flatMap((some) => some.slice(-keep)).map(({ version }) => version);
  const named = [...nights.map(({ version }) => version), ...damaged].sort().slice(-keep);
  const unknown = damaged.filter((version) => named.includes(version));
  const kept = new Set([...newest, ...unknown, readPointer(data)?.version]);
  const old = readdirSync(snapshotFolder(data)).filter((name) => {
    const version = OURS.exec(name)?.[1];
    return version !== undefined && (!kept.has(version) || name.endsWith(".draft"));
  });
  // A manifest goes before its file: a file without one is not published.
  for (const name of old.sort()) rmSync(join(snapshotFolder(data), name), { force: true });
  rmSync(draftOf(pointerFile(data)), { force: true });
}
