import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { findFault, proveAside } from "../../snapshot/proof/aside.ts";
import { refusalOf, rememberRefused } from "../../snapshot/proof/memory.ts";
import type { Proof } from "../../snapshot/proof/prove.ts";
import { compressedOf, decompressFile } from "../../snapshot/published/compress.ts";
import { listVersions, snapshotFile, snapshotFolder } from "../../snapshot/published/folder.ts";
import { type Pointer, readPointer } from "../../snapshot/published/pointer.ts";
import { type Publication, type PublishOptions, publish } from "../../snapshot/published/publish.ts";
import { rollback } from "../../snapshot/published/rollback.ts";
import { isLater } from "../../snapshot/published/sequence.ts";
import { type Client, createClient } from "./client.ts";
import { download, type Patience, removePart } from "./download.ts";
import { fileAt, findPlace, type Manifest, type Remote, readManifest, readNamed, readRemote } from "./remote.ts";
import { Absent, Refused, Unreachable } from "./trouble.ts";

export interface PullOptions extends Omit<PublishOptions, "latest"> {
  /** Take what the source points to although it is older than what is in hand. */
  allowOlder?: boolean;
  /** Prove again what was refused before. */
  retryRefused?: boolean;
  patience?: Patience;
  /** What was refused for its contents, and is not fetched again as long as the source points to it. */
  refused?: Set<string>;
  /** Told what the source points to, and what is in hand where that came later. */
  onLook?: (pointer: Pointer, olderThan: string | undefined) => void;
  /** Breaks off; what has come stays for the next time. */
  signal?: AbortSignal;
}

export const PATIENCE: Patience = { timeout: 30_000, slowest: 16_384, attempts: 5 };

/** Fetches the newest snapshot of another mirror, proves it, and publishes it as a build does. */
export async function pull(source: URL, data: string, options: PullOptions = {}): Promise<Publication> {
  const { patience = PATIENCE, signal } = options;
  const client = createClient(patience, signal);
  try {
    const remote = await readRemote(client, source);
    const olderThan = await findLater(client, remote, data);
    options.onLook?.(remote.pointer, olderThan);
    const settled = settle(data, remote, olderThan, options.allowOlder ?? false);
    if (settled) return settled;
    refuseAgain(data, remote.pointer, options);
    const manifest = await readManifest(client, remote);
    const draft = await fetchSnapshot(client, remote, manifest, data, patience);
    const published = await proveAndPublish(draft, data, remote.pointer, manifest, {
      ...options,
      older: olderThan !== undefined,
    });
    removeDrafts(data);
    return published;
  } catch (error) {
    if (!(error instanceof Unreachable)) removeDrafts(data);
    throw explain(error);
  } finally {
    await client.close();
  }
}

/** Fetches a snapshot into an empty folder and proves it: the latest of a source, or the one whose file is named. */
export async function fetchProved(source: URL, folder: string): Promise<string> {
  const client = createClient(PATIENCE);
  try {
    const remote = source.pathname.endsWith(".sqlite")
      ? await readNamed(client, source)
      : await readRemote(client, source);
    const manifest = await readManifest(client, remote);
    const draft = await fetchSnapshot(client, remote, manifest, folder, PATIENCE);
    await prove(draft, remote.pointer);
    return draft;
  } catch (error) {
    throw explain(error);
  } finally {
    await client.close();
  }
}

async function proveAndPublish(
  draft: string,
  data: string,
  pointer: Pointer,
  manifest: Manifest,
  { older, ...options }: PullOptions & { older: boolean },
) {
  const { coverage, quality, stale, misfits, drift, crawl, sequence, follows } = manifest;
  try {
    const proof = await remembered(data, pointer, () => prove(draft, pointer, options.signal));
    return await publish(draft, data, proof, {
      ...options,
      latest: true,
      place: { sequence, follows, older },
      report: { coverage, quality, stale, misfits, drift, crawl },
    });
  } catch (error) {
    if (error instanceof Refused || error instanceof Failure) options.refused?.add(pointer.sha256);
    throw error;
  }
}

/** Believes nothing of a file from elsewhere. Holes are no damage; whether they may be published is decided as in a build. */
async function prove(draft: string, pointer: Pointer, signal?: AbortSignal): Promise<Proof> {
  const { version } = pointer;
  const proof = await proveAside(draft, pointer, { signal }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new Refused(error.message.replace(draft, version), error);
  });
  const fault = findFault(proof);
  if (fault) throw new Refused(`${version} does not hold what it says, ${fault}`);
  const names = ["schema_version", "started_at"] as const;
  const wrong = names.find((name) => proof.head[name] !== pointer[name]);
  if (wrong) throw new Refused(`${version} says another ${wrong} inside than its manifest`);
  return proof;
}

/** What was refused once is not fetched again as long as the source points to it: not after a restart either. */
async function remembered<T>(data: string, { version, sha256 }: Pointer, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refused) rememberRefused(data, { version, sha256, reason: error.message.slice(0, 500) });
    throw error;
  }
}

function refuseAgain(data: string, { version, sha256 }: Pointer, { refused, retryRefused = false }: PullOptions) {
  const hint = "the source has to publish another one; --retry-refused tries this one again";
  if (refused?.has(sha256)) throw new Failure(EXIT.unchanged, `${version} was refused and is still the same`, hint);
  const known = retryRefused ? undefined : refusalOf(data, sha256);
  if (!known) return;
  refused?.add(sha256);
  throw new Failure(EXIT.usage, `${version} was refused before, and is still the same: ${known.reason}`, hint);
}

function explain(error: unknown): unknown {
  if (error instanceof Refused)
    return new Failure(EXIT.usage, error.message, "nothing was published, what is in hand stays", error);
  if (error instanceof Unreachable || error instanceof Absent)
    return new Failure(EXIT.unreachable, error.message, "the same command again goes on where it broke off", error);
  return error;
}

/** What is in hand, where the source published it after what it points to now; one that does not know it is asked for its name. */
async function findLater(client: Client, remote: Remote, data: string): Promise<string | undefined> {
  const inHand = readPointer(data)?.version;
  if (inHand === undefined || inHand === remote.pointer.version) return undefined;
  const theirs = await findPlace(client, remote, inHand);
  return isLater(theirs, remote.pointer) ? inHand : undefined;
}

/** What needs no fetching. A version that lies here already is not published again: the operator may have rolled it back. */
function settle(
  data: string,
  { pointer: { version } }: Remote,
  olderThan: string | undefined,
  allowOlder: boolean,
): Publication | undefined {
  const inHand = readPointer(data)?.version;
  const file = snapshotFile(data, version);
  const held = listVersions(data).includes(version);
  if (version === inHand && existsSync(file)) return { version, file, changed: false, latest: true };
  if (olderThan !== undefined && !allowOlder) {
    const message = `the source has ${version}, older than ${olderThan} that is in hand`;
    throw new Failure(EXIT.unchanged, message, "take it with --allow-older if that is right");
  }
  if (!held) return undefined;
  if (allowOlder) rollback(data, version);
  return { version, file, changed: allowOlder, latest: allowOlder };
}

const draftIn = (data: string, version: string) => join(snapshotFolder(data), `.pull-${version}.sqlite`);

/** What earlier tries left: of this version to go on with, of others nothing. */
function removeDrafts(data: string, version?: string) {
  const folder = snapshotFolder(data);
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => name.startsWith(".pull-"));
  for (const name of left)
    if (!version || !name.startsWith(`.pull-${version}.`)) rmSync(join(folder, name), { force: true });
}

/** The file, compressed on the way where the source has it so. */
async function fetchSnapshot(
  client: Client,
  { pointer: { version, size, sha256 }, folder }: Remote,
  { compressed }: Manifest,
  data: string,
  patience: Patience,
): Promise<string> {
  mkdirSync(snapshotFolder(data), { recursive: true });
  removeDrafts(data, version);
  const draft = draftIn(data, version);
  if (compressed) {
    const copy = `${compressedOf(draft)}.part`;
    const url = fileAt(folder, compressedOf(`${version}.sqlite`));
    if (await downloadIfThere(client, { url, ...compressed }, copy, patience)) {
      await expand(copy, draft, size, version);
      renameSync(copy, compressedOf(draft));
      return draft;
    }
  }
  const part = `${draft}.part`;
  await download(client, { url: fileAt(folder, `${version}.sqlite`), size, sha256 }, part, patience);
  renameSync(part, draft);
  return draft;
}

/** A source may name a compressed copy that it does not hand out. */
async function downloadIfThere(...[client, wanted, part, patience]: Parameters<typeof download>): Promise<boolean> {
  try {
    await download(client, wanted, part, patience);
    return true;
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    removePart(part);
    return false;
  }
}

async function expand(copy: string, draft: string, size: number, version: string) {
  try {
    await decompressFile(copy, draft, size);
  } catch (error) {
    if (/^(ENOSPC|EDQUOT|EFBIG|EIO)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new Refused(`${version} cannot be decompressed: ${(error as Error).message}`, error);
  }
}
