import { DEFAULT_KEEP } from "../../../src/snapshot/published/folder.ts";
import { DEFAULT_MAX_LOSS, type PublishOptions } from "../../../src/snapshot/published/publish.ts";
import { flag, number } from "../command.ts";

export type PublishFlags = Required<Pick<PublishOptions, "maxLoss" | "keep" | "compress">>;

export const allowPartialFlag = () => flag("--allow-partial", "publish as latest even if the snapshot is a subset");

export const maxLossFlag = () =>
  number(
    "--max-loss <percent>",
    "share of heroes, languages or records of an endpoint that may be lost since the last snapshot",
    [0, 100],
    false,
  ).default(DEFAULT_MAX_LOSS);

export const compressFlag = () => flag("--compress", "write a copy compressed with zstd beside the file, for `pull`");

export const keepFlag = () =>
  number("--keep <n>", "number of published snapshots to keep", [1, 1_000_000]).default(DEFAULT_KEEP);
