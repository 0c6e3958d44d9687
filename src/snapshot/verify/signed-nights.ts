import { existsSync, lstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import pLimit from "p-limit";
import { EXIT, Failure } from "../../api/failure.ts";
import { createFileHashes } from "../../base/file-hashes.ts";
import { createFileMemory } from "../../base/file-memory.ts";
import { fileIdentity, openUnlinked } from "../../base/files.ts";
import {
  COMPANION_NAMES,
  companionOf,
  listVersions,
  manifestOf,
  signatureOf,
  snapshotFile,
} from "../published/folder.ts";
import { isNight, type Manifest, parseManifest } from "../published/manifest.ts";
import { readSigned } from "../published/signature.ts";
import type { VerifyKey } from "../signature/minisign.ts";
import { findForgery } from "../signature/signed-manifest.ts";

/** The nights of a folder that may be served. */
export interface ProvedNights {
  /** True if all files of a night were proved, and none of them has changed since. */
  isProved(version: string): boolean;
}

/** The nights of a folder of which all that lies there is what the holder of one of the keys has signed. */
export interface SignedNights extends ProvedNights {
  keys: readonly VerifyKey[];
  /**
   * Reads all files of a night, once for as long as nothing of them changes: its manifest as it was signed, or a Failure for usage if
   * nobody with one of the keys has signed it, if a file is another than it says, or if it is no night.
   */
  prove(version: string): Promise<Manifest | Failure>;
  /**
   * Reads all files of the proved nights once more, one after the other: somebody may have changed one through a mapping that was
   * there before it was proved, which the system does not tell.
   */
  proveAgain(): Promise<void>;
  /** Changes when any of its files does. */
  identityOf(version: string): string;
}

const TAKE_FROM_ITS_MAKER = "take it again from a source that has it as it was signed";
/** A file that is written all the while is read so often. */
const MOST_READS = 3;

export function createSignedNights(
  data: string,
  keys: readonly VerifyKey[],
  hashes = createFileHashes(),
): SignedNights {
  const verdicts = createFileMemory<Manifest | Failure>();
  const identityOf = (version: string) => `${version} ${identifyNight(data, version)}`;
  // The second of two that ask for a night finds what the first has read.
  const oneByOne = pLimit(1);

  /** Judges at once; undefined if a file has to be read first. A new signature costs no reading. */
  const judge = (version: string): Manifest | Failure | undefined =>
    verdicts.findNow(
      () => identityOf(version),
      () => judgeNight(snapshotFile(data, version), version, keys, (path) => hashes.known(fileIdentity(path))),
    );

  async function prove(version: string): Promise<Manifest | Failure> {
    const file = snapshotFile(data, version);
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const verdict = judge(version);
      if (verdict) return verdict;
      for (const path of filesOf(file)) await withFile(path, hashes.of);
    }
    return judge(version) ?? refusal(file, "cannot be read, or changes while it is read");
  }

  async function proveAgain() {
    for (const version of listVersions(data).filter(isProved)) {
      for (const path of filesOf(snapshotFile(data, version))) await withFile(path, hashes.again);
      verdicts.forget(identityOf(version));
      judge(version);
    }
  }

  const isProved = (version: string) => {
    const verdict = judge(version);
    return verdict !== undefined && !(verdict instanceof Failure);
  };

  return {
    keys,
    prove: (version) => oneByOne(prove, version),
    proveAgain,
    isProved,
    identityOf,
  };
}

const filesOf = (file: string) => [file, ...COMPANION_NAMES.map((name) => companionOf(file, name))];

/** Hands an open file to `read`; undefined if it is not there, is a link, or cannot be read. */
async function withFile(path: string, read: (handle: FileHandle) => Promise<string | undefined>) {
  try {
    await using handle = await openUnlinked(path);
    return await read(handle);
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a file; undefined for a link, and for what is not there or cannot be looked at. */
function sizeOf(path: string): number | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

/** Changes with any of its files. */
export function identifyNight(data: string, version: string): string {
  const file = snapshotFile(data, version);
  return [...filesOf(file), manifestOf(file), signatureOf(file)].map(fileIdentity).join(" ");
}

/** Judges a night by the hashes of its files; undefined if one is not known. */
function judgeNight(
  file: string,
  version: string,
  keys: readonly VerifyKey[],
  hashOf: (path: string) => string | undefined,
): Manifest | Failure | undefined {
  const signed = readSigned(file);
  if (!signed) return refusal(manifestOf(file), "cannot be read");
  const forgery = findForgery(signed, keys);
  if (forgery !== undefined) return refusal(manifestOf(file), forgery);
  const manifest = readAs(signed.manifest, version);
  if (!manifest || !isNight(manifest)) return refusal(manifestOf(file), `is not that of the night ${version}`);
  const named = [
    { path: file, expected: manifest },
    ...COMPANION_NAMES.map((name) => ({ path: companionOf(file, name), expected: manifest[name] })),
  ];
  for (const { path, expected } of named) {
    // A mirror need not have what its maker had beside the file, and what no manifest names is not served.
    if (!expected || (path !== file && !existsSync(path))) continue;
    if (sizeOf(path) !== expected.size) return refusal(path, "is not what was signed");
    const sha256 = hashOf(path);
    if (sha256 === undefined) return undefined;
    if (sha256 !== expected.sha256) return refusal(path, "is not what was signed");
  }
  return manifest;
}

function readAs(text: string, version: string): Manifest | undefined {
  try {
    return parseManifest(text, version);
  } catch {
    return undefined;
  }
}

const refusal = (file: string, what: string) => new Failure(EXIT.usage, `${file}: ${what}`, TAKE_FROM_ITS_MAKER);
