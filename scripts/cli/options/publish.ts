import { DEFAULT_KEEP } from "../../../src/snapshot/published/folder.ts";
import { DEFAULT_MAX_LOSS, type PublishOptions } from "../../../src/snapshot/published/publish.ts";
import { flag, number } from "../command.ts";

export type PublishFlags = Required<Pick<PublishOptions, "allowPartial" | "maxLoss" | "keep" | "compress">>;

export const allowPartial = () =>
  flag("--allow-partial", "publish as latest although it is a subset or slices are missing");

export const maxLoss = () =>
  number(
    "--max-loss <percent>",
    "heroes, languages or records that may be lost since the last; 100: all records of an endpoint too",
    [0, 100],
    false,
  ).default(DEFAULT_MAX_LOSS);

export const compress = () => flag("--compress", "put a copy beside the file, compressed with zstd, for `pull`");

export const keep = () => number("--keep <n>", "published snapshots that stay", [1, 1_000_000]).default(DEFAULT_KEEP);
