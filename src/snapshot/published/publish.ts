import { rmSync } from "node:fs";
import { type ClosedPart, isWithin, type Part } from "../../api/parts.ts";
import { isSample } from "../../api/sample-data.ts";
import { toDocument } from "../../base/files.ts";
import { type Change, type Release, release } from "../../base/release.ts";
import { type Signer, signManifest } from "../signature/signed-manifest.ts";
import { rememberVerified } from "../verify/verified.ts";
import type { Verification } from "../verify/verify.ts";
import { isAhead } from "./clock.ts";
import { COMPANION_DRAFTS, type CompanionOptions, type Made, makeCompanions } from "./companions.ts";
import type { CurrentLatest } from "./current-latest.ts";
import {
  COMPANION_NAMES,
  type Companion,
  companionOf,
  DEFAULT_KEEP,
  DEFAULT_MAX_LOSS,
  manifestOf,
  pointerFile,
  signatureOf,
  snapshotFile,
} from "./folder.ts";
import { type Counts, compareCounts, compareNights, type NightComparison, refuseLoss } from "./loss.ts";
import { parseManifest } from "./manifest.ts";
import { type Pointer, toPointer } from "./pointer.ts";
import { refuseOtherProvenance } from "./provenance.ts";
import { prune } from "./prune.ts";
import { assignSequence, markWithdrawn } from "./sequence.ts";
import { keepSigned, type Origin, signAgain, withExpiry } from "./signature.ts";

export interface PublishOptions extends CompanionOptions {
  /** True to move the pointer; a subset is published without. */
  latest: boolean;
  /** True for a night before one that another mirror has: it is put beside the latest, whatever that is. */
  isPast?: boolean;
  /** The percentage of heroes, languages or records of an endpoint that may be lost since the latest snapshot; 5 by default. */
  maxLoss?: number;
  /** The number of published snapshots that are kept; 30 by default. */
  keep?: number;
  /** Checked until the file gets its name; the short rest is always completed. */
  stop?: AbortSignal | undefined;
  /** Signs its manifest, and once more that of the latest snapshot if that holds the same data. */
  signer?: Signer | undefined;
  /** The night at another mirror: its number there is kept if it is signed, if nothing later is published here, or if that is `older`. */
  origin?: Origin;
}

export interface Publication {
  version: string;
  file: string;
  /** False if the latest snapshot holds the same data already. */
  changed: boolean;
  latest: boolean;
  /** Parts that are closed and were not in the latest before it; none for a subset. */
  newlyClosed: ClosedPart[];
  /** The number of slices that it lacks, the first, and how many of them have an answer in the latest before it. */
  holes: { count: number; first: string; lost: number };
  /** The latest before it and its fault, if it has changed since it was published. */
  corrupt?: { version: string; reason: string };
  /** The reason why the changes since the night before cannot be told. */
  uncompared?: string;
  /** The reason why no history lies beside it. */
  withoutHistory?: string;
  /** True if a statement that its maker signed is not true here, so that its manifest has no signature. */
  unsigned?: true;
}

interface PublishState {
  draft: string;
  data: string;
  file: string;
  pointer: Pointer;
  /** The text of the manifest. */
  manifest: string;
  signature: string | undefined;
  /** True if the pointer moves. */
  moves: boolean;
  /** The companions beside the draft, which get their places beside the file. */
  beside: ReadonlySet<Companion>;
}

/**
 * Lists the changes of a publication. A kill after any of them leaves the latest snapshot served; the next run makes the same changes from
 * the first.
 */
function toRelease({ draft, data, file, manifest, signature, moves, pointer, beside }: PublishState): Release {
  const signed = signatureOf(file);
  return [
    [
      // Companions of an earlier publication of the version need not be true of this one.
      ...COMPANION_NAMES.map((name): Change => {
        const at = companionOf(file, name);
        return beside.has(name) ? { file: at, draft: COMPANION_DRAFTS[name](draft) } : { file: at, gone: true };
      }),
      { file, draft },
    ],
    [
      { file: manifestOf(file), text: manifest },
      signature === undefined ? { file: signed, gone: true } : { file: signed, text: signature },
    ],
    moves ? [{ file: pointerFile(data), text: toDocument(pointer) }] : [],
  ];
}

type Publishing = PublishOptions & { before: CurrentLatest | undefined; report: object };

/**
 * Publishes a verified draft beside the latest before it (`before`, undefined for a subset): the draft gets its name, then the pointer
 * moves. If the latest snapshot holds the same data, the draft is removed instead. Rejects with a Failure if too much was lost (`shrunk`)
 * or the folder holds numbers of another provenance (`usage`): then nothing has changed.
 */
export async function publish(
  draft: string,
  data: string,
  verification: Verification,
  options: Publishing,
): Promise<Publication> {
  const { latest, isPast = false, maxLoss = DEFAULT_MAX_LOSS, keep = DEFAULT_KEEP, stop, origin, before } = options;
  const { head, counts, holes, sha256, size } = verification;
  const sample = isSample(head);
  refuseOtherProvenance(data, head.version, sample);
  const fault = before?.fault;
  if (before && fault === undefined && isSame(before, verification))
    return keepLatest(draft, data, verification, before, options);
  const comparison = before && compareWith(data, before, draft, counts);
  if (comparison) refuseLoss(comparison, maxLoss, origin ? "npm run pull -- URL" : "npm run build --");
  const file = snapshotFile(data, head.version);
  const moves = latest && !isPast;
  const { sequence, follows } = assignSequence(data, head.version, origin);
  const pointer = toPointer({ ...head, sha256, size, counts, sequence, sample, rolling: head.rolling === 1 });
  rememberVerified(data, pointer);
  const isRead = follows === before?.pointer.version;
  const isFit = latest && (fault === undefined || !isRead);
  const about = { since: isFit ? follows : null, isRead, moves };
  const { made, uncompared, withoutHistory } = await makeCompanions(draft, data, about, options);
  const { kept, ...stated } = stateManifest(pointer, follows, head, made, options);
  stop?.throwIfAborted();
  release(toRelease({ draft, data, file, moves, ...stated }));
  if (moves) withdrawAndPrune(data, pointer, keep);
  const corrupt = before && fault !== undefined && { version: before.pointer.version, reason: fault };
  return {
    version: head.version,
    file,
    changed: true,
    latest: moves,
    newlyClosed: moves ? findNew(verification.closed, before?.closed ?? []) : [],
    holes: { ...holes, lost: comparison?.holes ?? 0 },
    ...(corrupt && { corrupt }),
    ...(uncompared && { uncompared }),
    ...(withoutHistory && { withoutHistory }),
    ...(origin?.signed && !kept && { unsigned: true }),
  };
}

/** Drops the draft, which holds what the latest does. */
function keepLatest(
  draft: string,
  data: string,
  { holes }: Verification,
  { pointer: { version } }: CurrentLatest,
  { latest, keep = DEFAULT_KEEP, signer }: Publishing,
): Publication {
  rmSync(draft);
  if (signer) signAgain(data, version, signer);
  prune(data, keep);
  const unchanged = { changed: false, latest, newlyClosed: [], holes: { ...holes, lost: 0 } };
  return { version, file: snapshotFile(data, version), ...unchanged };
}

/** Makes the manifest, or keeps the one that another mirror has signed. */
function stateManifest(
  pointer: Pointer,
  follows: string | null,
  { version, game_version, licence, attribution }: Verification["head"],
  made: Made,
  { latest, origin, signer, report }: Publishing,
) {
  const order = { latest, ...(latest && { follows }) };
  const kept = keepSigned(origin, pointer, follows);
  const manifest =
    kept?.manifest ?? toDocument({ ...pointer, ...order, game_version, licence, attribution, ...made, ...report });
  const signature = kept?.signature ?? (signer && signManifest(manifest, version, signer));
  const said = parseManifest(manifest, version);
  return {
    kept,
    manifest,
    signature,
    pointer: withExpiry(pointer, signature),
    // Beside a manifest that somebody else has signed lie only the files that it names.
    beside: new Set(COMPANION_NAMES.filter((name) => made[name] && said[name]?.sha256 === made[name].sha256)),
  };
}

/** Withdraws versions that were published after this one, as the mirror they came from has gone back, and removes old ones. */
export function withdrawAndPrune(data: string, pointer: Pointer, keep: number) {
  markWithdrawn(data, pointer);
  prune(data, keep);
}

/**
 * Tells whether the latest snapshot is the same: the same data in the same tables, the same parts closed, and carried answers of the same
 * dates; if slices are of several nights, also asked by the same crawls. A night with a time in the future gives way to one without.
 */
const isSame = ({ pointer, standing }: CurrentLatest, { head, standing: own }: Verification) =>
  (!isAhead(pointer.started_at) || isAhead(head.started_at)) &&
  pointer.content_hash === head.content_hash &&
  pointer.schema_version === head.schema_version &&
  (pointer.version === head.version || (!pointer.rolling && head.rolling !== 1 && standing === own));

/** Compares with the latest snapshot; undefined if nobody can tell. */
function compareWith(data: string, before: CurrentLatest, draft: string, counts: Counts): NightComparison | undefined {
  if (before.fault === undefined) return compareNights(snapshotFile(data, before.pointer.version), draft);
  return before.counts && compareCounts(before.counts, counts);
}

const findNew = (parts: readonly ClosedPart[], before: readonly Part[]): ClosedPart[] =>
  parts.filter((part) => !before.some((outer) => isWithin(part, outer)));
