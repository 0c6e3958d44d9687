import { EXIT, Failure } from "../../../api/failure.ts";
import { isSample } from "../../../api/sample-data.ts";
import { endUnreachable } from "../../../network/unreachable.ts";
import { type CurrentLatest, readCurrentLatest } from "../../../snapshot/published/current-latest.ts";
import { type Pointer, readPointer } from "../../../snapshot/published/pointer.ts";
import { refuseOtherProvenance } from "../../../snapshot/published/provenance.ts";
import { type Publication, type PublishOptions, publish } from "../../../snapshot/published/publish.ts";
import type { SignedNights } from "../../../snapshot/verify/signed-nights.ts";
import { compareInProcess } from "../changes/compare.ts";
import { type Client, createClient } from "./client.ts";
import { explainFullDisk, isSourceRefused, NotFound, SourceRefused, SourceUnreachable } from "./errors.ts";
import { fetchSnapshot, removeDrafts } from "./fetch.ts";
import { type PullHistory, pullHistory } from "./history.ts";
import { findNewerInHand, finishEarlier, takeFromHand } from "./in-hand.ts";
import { DOWNLOAD_LIMITS, type DownloadLimits } from "./limits.ts";
import { fetchPast, findPast, type RemoteNight } from "./past.ts";
import { noteRefusal, type RefusalOptions, rejectKnownRefusal, verifyDownload } from "./refusals.ts";
import { fetchByFileUrl, fetchDocuments, fetchLatest, type Remote, type RemoteDocuments } from "./remote.ts";
import { hasOtherSignature, renewInHand, toSignedRemote } from "./signed.ts";

/** The progress of a pull; bytes of the file, or of its compressed copy. */
export type PullStep =
  | { step: "download"; version: string; bytes: number; total: number }
  | { step: "verify"; version: string };

export interface PullOptions extends Omit<PublishOptions, "latest" | "isPast">, RefusalOptions {
  /** True to take the version that the source points to although it is older than the one in hand. */
  allowOlder?: boolean;
  /** Limits that differ from `DOWNLOAD_LIMITS`. */
  limits?: Partial<DownloadLimits>;
  /** Takes only signed nights, and no unproved night that lies here keeps them away. */
  signed?: SignedNights | undefined;
  /** Takes the nights before the latest too. */
  past?: PullPast | undefined;
  /** Takes the history of the source, if none is here. The caller has locked it. */
  history?: PullHistory | undefined;
  /** Called with the pointer of the source, and with the version in hand if the source published that later. */
  onPoll?: (pointer: Pointer, olderThan: string | undefined) => void;
  /** Called as the file arrives, and when it is verified; not at all if there is nothing to fetch. */
  onProgress?: ((step: PullStep) => void) | undefined;
  /** The address of the operator for the `User-Agent`. */
  contact?: string | undefined;
  /** Stops the pull; the next one resumes the download. */
  signal?: AbortSignal;
}

export interface PullPast {
  /** The first day, as 2026-11-27; without it all nights that `keep` does not drop. */
  since?: string | undefined;
  onNight: (published: Publication) => void;
  /** Called with a night that the source has damaged; the others are taken anyway. */
  onRefused: (version: string, reason: string) => void;
  /** Called with the newest night that `keep` would drop. */
  onBeyond: (version: string) => void;
}

/**
 * Fetches the latest snapshot of another mirror, verifies it and publishes it as a build does. Rejects with a `Failure`: `EXIT.usage` if
 * the source or its file is refused, `EXIT.unchanged` if the source is older or was refused before, `EXIT.unreachable` if it does not
 * answer; and as `publish` does.
 */
export async function pull(source: URL, data: string, options: PullOptions = {}): Promise<Publication> {
  const limits = { ...DOWNLOAD_LIMITS, ...options.limits };
  const client = createClient(limits, options);
  let neededBytes = 0;
  try {
    const { remote, documents } = await findRemote(client, source, data, options.signed);
    const olderThan = await findNewerInHand(client, remote, data, options.signed);
    options.onPoll?.(remote.pointer, olderThan);
    refuseOtherProvenance(data, remote.pointer.version, isSample(remote.pointer));
    if (documents) renewInHand(data, remote.pointer.version, documents, options.signed?.keys);
    let said = documents;
    const readLatest = async (): Promise<RemoteNight> => {
      said ??= await fetchDocuments(client, remote, false);
      return { remote, documents: said };
    };
    if (options.past) {
      const latest = await readLatest();
      neededBytes = spaceFor(remote.pointer, latest.documents);
      await pullPast(client, latest, data, limits, { ...options, past: options.past });
    }
    let publication = await takeFromHand(data, remote, olderThan, options);
    if (publication) finishEarlier(data, options.keep);
    else {
      rejectKnownRefusal(data, remote.pointer, options);
      const { documents: read } = await readLatest();
      neededBytes = spaceFor(remote.pointer, read);
      const more = { ...options, documents: read, older: olderThan !== undefined };
      publication = await fetchAndPublish(client, remote, data, limits, more);
      removeDrafts(data);
    }
    if (options.history) await pullHistory(client, readLatest, data, limits, options.history, options);
    return publication;
  } catch (error) {
    if (!(error instanceof SourceUnreachable)) removeDrafts(data);
    throw explainFullDisk(toFailure(error), data, neededBytes);
  } finally {
    await client.close();
  }
}

/** Pulls past nights, the oldest first: if it is killed, each night here still follows one that is here. */
async function pullPast(
  client: Client,
  latest: RemoteNight,
  data: string,
  limits: DownloadLimits,
  options: PullOptions & { past: PullPast },
) {
  const { past, signed, keep } = options;
  const { versions, beyond } = await findPast(client, latest, data, { ...past, keep, signed });
  if (beyond !== undefined) past.onBeyond(beyond);
  for (const version of versions)
    try {
      const night = await fetchPast(client, latest, version, signed);
      if (!night) throw new SourceRefused(`${version} is no longer there`);
      const { remote, documents } = night;
      refuseOtherProvenance(data, version, isSample(remote.pointer));
      rejectKnownRefusal(data, remote.pointer, options);
      const more = { ...options, documents, older: true, isPast: true };
      past.onNight(await fetchAndPublish(client, remote, data, limits, more));
    } catch (error) {
      if (!(isSourceRefused(error) || error instanceof NotFound)) throw error;
      past.onRefused(version, error.message);
    }
}

/** Finds the version that a source points to, with its documents if it must be signed or has another signature. */
async function findRemote(client: Client, source: URL, data: string, signed: SignedNights | undefined) {
  const remote = await fetchLatest(client, source);
  if (!signed && !(await hasOtherSignature(client, remote, data))) return { remote };
  const documents = await fetchDocuments(client, remote, signed !== undefined);
  return { remote: signed ? toSignedRemote(remote, documents, signed.keys) : remote, documents };
}

/** Returns the bytes that a pull may need at once: the file and its compressed copy. */
const spaceFor = ({ size }: Pointer, { manifest: { compressed } }: RemoteDocuments): number =>
  size + (compressed?.size ?? 0);

/** Fetches a snapshot into an empty folder and verifies it: the latest of a source, or the one whose file the URL names. */
export async function fetchVerified(source: URL, folder: string): Promise<string> {
  const client = createClient(DOWNLOAD_LIMITS);
  try {
    const isFile = source.pathname.endsWith(".sqlite");
    const remote = isFile ? await fetchByFileUrl(client, source) : await fetchLatest(client, source);
    const { manifest } = await fetchDocuments(client, remote, false);
    const draft = await fetchSnapshot(client, remote, manifest, folder, DOWNLOAD_LIMITS);
    await verifyDownload(draft, remote.pointer);
    return draft;
  } catch (error) {
    throw toFailure(error);
  } finally {
    await client.close();
  }
}

interface Fetching extends PullOptions {
  documents: RemoteDocuments;
  /** True if a later version lies here already. */
  older: boolean;
  /** True if it is put beside the latest. */
  isPast?: boolean;
}

async function fetchAndPublish(
  client: Client,
  remote: Remote,
  data: string,
  limits: DownloadLimits,
  { older, documents, isPast = false, ...options }: Fetching,
): Promise<Publication> {
  const { manifest, text, signature } = documents;
  const { onProgress = () => {} } = options;
  const { version } = remote.pointer;
  const draft = await fetchSnapshot(client, remote, manifest, data, limits, (bytes, total) =>
    onProgress({ step: "download", version, bytes, total }),
  );
  onProgress({ step: "verify", version });
  const { coverage, ages, quality, stale, misfits, drift, closed, endpoints, crawl, journal } = manifest;
  const { sequence, follows } = manifest;
  const isSigned = options.signed !== undefined;
  const signed = signature === undefined ? undefined : { manifest: text, signature };
  try {
    const verification = await verifyDownload(draft, remote.pointer, options.signal);
    const published = await publish(draft, data, verification, {
      ...options,
      latest: true,
      isPast,
      before: isPast ? undefined : await readBefore(data, options.signed),
      compare: compareInProcess(options.signal),
      origin: { sequence, follows, older, isSigned, signed },
      report: { coverage, ages, quality, stale, misfits, drift, closed, endpoints, crawl, journal },
    });
    // A source may name the same data otherwise: it is not fetched again at each look.
    if (!published.changed) options.refused?.add(remote.pointer.sha256);
    return published;
  } catch (error) {
    noteRefusal(error, data, remote.pointer, options);
    throw error;
  }
}

/** Reads the latest snapshot in hand. If it is not proved, it does not count for the gate against loss. */
async function readBefore(data: string, signed: SignedNights | undefined): Promise<CurrentLatest | undefined> {
  const pointer = readPointer(data);
  const verdict = pointer && (await signed?.prove(pointer.version));
  if (!pointer || !(verdict instanceof Failure)) return readCurrentLatest(data);
  return { pointer, counts: undefined, closed: [], standing: undefined, fault: verdict.message };
}

function toFailure(error: unknown): unknown {
  if (error instanceof SourceRefused)
    return new Failure(EXIT.usage, error.message, "nothing was published; the latest snapshot here stays", error);
  if (error instanceof SourceUnreachable || error instanceof NotFound) {
    const why = "why" in error ? error.why : undefined;
    return endUnreachable(error.message, why, "run the same command again to resume", error);
  }
  return error;
}
