import { EXIT, Failure } from "../../api/failure.ts";
import type { Header } from "../../journal/schema.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/**
 * Returns the highest number of a journal that a manifest names, also of a night that was pulled: crawls that build on it count on from
 * there. 0 if none names one.
 */
export const findLastPublished = (data: string): number =>
  Math.max(0, ...readPublished(data).published.map(({ journal = 0 }) => journal));

/**
 * Throws a Failure for usage if a build would go back: the latest night is of a journal that was finished later, or a rollback has
 * withdrawn the night of this one.
 */
export function refuseOlder(data: string, file: string, header: Header): void {
  const { number = 0 } = header;
  const latest = readLatest(data);
  const hint = "publish it anyway with --allow-older, or name another one with --journal";
  if (latest?.journal !== undefined && number < latest.journal)
    throw new Failure(
      EXIT.usage,
      `${file}: is journal ${number}, and the latest night, ${latest.version}, is of journal ${latest.journal}; nothing was published`,
      hint,
    );
  const nights = readPublished(data).published.filter((night) => isOf(night, header));
  const [withdrawn] = nights.filter((night) => night.withdrawn);
  if (withdrawn && nights.every((night) => night.withdrawn))
    throw new Failure(
      EXIT.usage,
      `${file}: a rollback has withdrawn its night, ${withdrawn.version}; nothing was published`,
      hint,
    );
}

function readLatest(data: string): Manifest | undefined {
  const pointer = readPointer(data);
  const manifest = pointer && readManifest(data, pointer.version);
  return manifest instanceof Error ? undefined : manifest;
}

/** Another mirror's journals have numbers of their own. */
const isOf = ({ journal, started_at }: Manifest, header: Header) =>
  journal === header.number && started_at === header.started_at;
