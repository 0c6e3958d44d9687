import { EXIT, Failure } from "../../../api/failure.ts";
import { DEFAULT_KEEP } from "../../../snapshot/published/folder.ts";
import { isNight, type Manifest } from "../../../snapshot/published/manifest.ts";
import { chooseKept } from "../../../snapshot/published/prune.ts";
import { readPublished } from "../../../snapshot/published/sequence.ts";
import { findForgery } from "../../../snapshot/signature/signed-manifest.ts";
import type { SignedNights } from "../../../snapshot/verify/signed-nights.ts";
import type { Client } from "./client.ts";
import { SourceRefused } from "./errors.ts";
import { fetchNight, type Remote, type RemoteDocuments } from "./remote.ts";
import { findSigned } from "./signed.ts";

/** A night of a source, and what that says of it. */
export interface RemoteNight {
  remote: Remote;
  documents: RemoteDocuments;
}

export interface PastOptions {
  /** The first day that is wanted, as 2026-11-27; without it all are. */
  since?: string | undefined;
  keep?: number | undefined;
  signed?: SignedNights | undefined;
  /** Called with a night that the source has damaged; those before it cannot be found. */
  onRefused: (version: string, reason: string) => void;
}

export interface Past {
  /** The versions that are not here, the oldest first. */
  versions: string[];
  /** The newest that is wanted and left at the source, because `keep` would let it go. */
  beyond: string | undefined;
}

/** Ten years of nights. */
const MAX_NIGHTS = 4000;

/**
 * Finds the nights before the latest of a source: each manifest names the night that it follows. They end where none is wanted, the
 * source has none, or `keep` would let them go. Throws a Failure for usage if the nights here have other numbers.
 */
export async function findPast(client: Client, latest: RemoteNight, data: string, options: PastOptions): Promise<Past> {
  const { since = "", keep = DEFAULT_KEEP, signed } = options;
  const { published, damaged } = readPublished(data);
  const here = new Map(published.map((manifest) => [manifest.version, manifest]));
  const { version } = latest.remote.pointer;
  const chain: Manifest[] = [here.get(version) ?? latest.documents.manifest];
  const missing = new Set<string>();
  // A name begins with the time of UTC.
  const wanted = (night: string | null | undefined) =>
    night && night >= since.replaceAll("-", "") ? night : undefined;
  let next = wanted(latest.documents.manifest.follows);
  while (next && chain.length < Math.min(keep, MAX_NIGHTS)) {
    const inHand = here.get(next);
    const isFit = inHand && (!signed || (await findSigned(signed, next)) !== undefined);
    const manifest = isFit ? inHand : await readPast(client, latest, next, options);
    // Its maker no longer has it, or another version of the program does not state its place in the order.
    if (!manifest || manifest.follows === undefined) return end(undefined);
    refuseOtherNumbers(manifest, chain, published);
    chain.push(manifest);
    if (!isFit) missing.add(next);
    next = wanted(manifest.follows);
  }
  return end(next);

  function end(beyond: string | undefined): Past {
    const others = published.filter((one) => chain.every((other) => other.version !== one.version));
    const kept = chooseKept({ published: [...others, ...chain], damaged }, version, keep);
    const [versions, left] = [[...missing].filter((one) => kept.has(one)), [...missing].find((one) => !kept.has(one))];
    return { versions: versions.reverse(), beyond: left ?? beyond };
  }
}

async function readPast(client: Client, latest: RemoteNight, version: string, { signed, onRefused }: PastOptions) {
  try {
    return (await fetchPast(client, latest, version, signed))?.documents.manifest;
  } catch (error) {
    if (!(error instanceof SourceRefused)) throw error;
    onRefused(version, error.message);
    return undefined;
  }
}

/** A night of the past as the source has it, signed if it has to be; undefined if it has it no more. */
export async function fetchPast(
  client: Client,
  { remote: { pointer, folder } }: RemoteNight,
  version: string,
  signed: SignedNights | undefined,
): Promise<RemoteNight | undefined> {
  const night = await fetchNight(client, folder, version, signed !== undefined || pointer.expires_at !== undefined);
  if (!night || !signed) return night;
  const { manifest, text, signature } = night.documents;
  // Its expiry does not matter: it need not be the newest.
  const forgery = findForgery({ manifest: text, signature }, signed.keys);
  if (forgery !== undefined) throw new SourceRefused(`the manifest of ${version} ${forgery}`);
  if (!isNight(manifest)) throw new SourceRefused(`${version} is not a night, says its signed manifest`);
  return night;
}

/** A night keeps its number; among others it would stand in another order, or be one too many. */
function refuseOtherNumbers(night: Manifest, chain: readonly Manifest[], published: readonly Manifest[]) {
  const isTaken = published.some(({ version, sequence }) => sequence === night.sequence && version !== night.version);
  if (!isTaken && night.sequence < (chain.at(-1)?.sequence ?? 0)) return;
  const message = `${night.version} is number ${night.sequence} at the source, and the nights here are numbered otherwise`;
  throw new Failure(EXIT.usage, message, "pull past nights into a folder of their own with --data");
}
