import { isDeepStrictEqual } from "node:util";
import { isFullSelection, type Selection } from "../../api/selection.ts";
import type { BaseId } from "../read/base.ts";
import type { Manifest } from "./manifest.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/**
 * The snapshot that a crawl of this selection goes on from: the latest; of a subset the newest of the same selection, if there is
 * one. Undefined where nothing is published.
 */
export function findBase(data: string, selection: Selection): BaseId | undefined {
  const same = isFullSelection(selection) ? undefined : findSubset(data, selection);
  const { version, sha256 } = same ?? readPointer(data) ?? {};
  return version === undefined || sha256 === undefined ? undefined : { version, sha256 };
}

const findSubset = (data: string, selection: Selection): Manifest | undefined =>
  readPublished(data).published.findLast(
    ({ withdrawn, crawl }) =>
      !withdrawn && isDeepStrictEqual((crawl as { selection?: unknown } | undefined)?.selection, selection),
  );
