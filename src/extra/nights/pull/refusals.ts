import { EXIT, Failure } from "../../../api/failure.ts";
import { isSample } from "../../../api/sample-data.ts";
import type { Pointer } from "../../../snapshot/published/pointer.ts";
import { refusalOf, rememberRefused } from "../../../snapshot/verify/verified.ts";
import type { Verification } from "../../../snapshot/verify/verify.ts";
import { findFault, verifyInProcess } from "../../../snapshot/verify/verify-process.ts";
import { SourceRefused } from "./errors.ts";

export interface RefusalOptions {
  /** Fetch and verify again what was refused before. */
  retryRefused?: boolean;
  /** The sha256 of files that are not fetched again: refused ones, and the data in hand under another name. `pull` adds to it. */
  refused?: Set<string>;
}

/**
 * Checks that a file from elsewhere is what its pointer says; rejects with `SourceRefused`. Missing slices are no error: what is lost
 * with them is for `publish` to say, as for a build.
 */
export async function verifyDownload(draft: string, pointer: Pointer, signal?: AbortSignal): Promise<Verification> {
  const { version } = pointer;
  const verification = await verifyInProcess(draft, "reader", pointer, { signal }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new SourceRefused(error.message.replace(draft, version), error);
  });
  const fault = findFault(verification);
  if (fault) throw new SourceRefused(`${version} does not hold what it says, ${fault}`);
  const { schema_version, started_at, rolling } = verification.head;
  const differences = {
    "kind of numbers": isSample(verification.head) !== isSample(pointer),
    schema_version: schema_version !== pointer.schema_version,
    started_at: started_at !== pointer.started_at,
    rolling: (rolling === 1) !== pointer.rolling,
  };
  const [different] = Object.entries(differences).find(([, isDifferent]) => isDifferent) ?? [];
  if (different) throw new SourceRefused(`${version} says another ${different} inside than its manifest`);
  return verification;
}

/** A refused file is not fetched again while the source points to it: a bad one not even after a restart. */
export function noteRefusal(error: unknown, data: string, { version, sha256 }: Pointer, { refused }: RefusalOptions) {
  if (error instanceof SourceRefused) rememberRefused(data, { version, sha256, reason: error.message.slice(0, 500) });
  if (error instanceof SourceRefused || error instanceof Failure) refused?.add(sha256);
}

export function rejectKnownRefusal(
  data: string,
  { version, sha256 }: Pointer,
  { refused, retryRefused }: RefusalOptions,
) {
  const hint = "the source has to publish another one; --retry-refused tries this one again";
  if (refused?.has(sha256)) throw new Failure(EXIT.unchanged, `${version} was refused and is still the same`, hint);
  const refusal = retryRefused ? undefined : refusalOf(data, sha256);
  if (!refusal) return;
  refused?.add(sha256);
  throw new Failure(EXIT.usage, `${version} was refused before, and is still the same: ${refusal.reason}`, hint);
}
