import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { openJournal } from "../../src/journal/open.ts";
import { type BuildOptions, buildAndPublish } from "../../src/snapshot/pipeline.ts";
import { pointerOf } from "./data-folder.ts";

/**
 * Publishes what a night would be that had asked only some slices of a finished journal: the others are carried over from the
 * latest snapshot of the folder, or are holes where that lacks them.
 */
export function publishRolling(
  journal: string,
  data: string,
  isAsked: (slice: Slice) => boolean,
  isSuspect: (slice: Slice) => boolean = () => false,
  options: BuildOptions = { latest: true },
) {
  const file = join(data, "rolling.journal");
  copyFileSync(journal, file);
  const opened = openJournal(file);
  const { version, sha256 } = pointerOf(data);
  const carried = opened.slices().filter(({ slice }) => !isAsked(slice));
  const { finished_at } = opened.header();
  const ids = carried.map(({ id }) => id);
  opened.reopen(undefined, { policy: "budget" });
  opened.requeue(ids);
  opened.setPurpose(ids, "keep");
  opened.setState("base", { version, sha256 });
  opened.setState(
    "suspect",
    carried
      .map(({ slice }) => slice)
      .filter(isSuspect)
      .map(sliceId),
  );
  opened.finish(finished_at ?? "", 1);
  opened.close();
  return buildAndPublish(file, data, options);
}
