import { DEFAULT_KEEP, DEFAULT_MAX_LOSS } from "../../../src/snapshot/published/folder.ts";
import type { PublishOptions } from "../../../src/snapshot/published/publish.ts";
import { flag, number, option } from "../command.ts";
import { MEANINGS } from "./variables.ts";

export type PublishFlags = Required<Pick<PublishOptions, "maxLoss" | "keep" | "compress" | "analystsFile">>;

/** Flags of commands that publish what they have crawled. */
export interface BuildPublishFlags extends PublishFlags {
  /** True to publish the history of the folder too. */
  historyFile: boolean;
}

export const allowPartialFlag = () => flag("--allow-partial", MEANINGS["allow-partial"]);

export const maxLossFlag = () =>
  number("--max-loss <percent>", MEANINGS["max-loss"], [0, 100], false).default(DEFAULT_MAX_LOSS);

export const compressFlag = () => flag("--compress", MEANINGS.compress);

export const analystsFileFlag = () => flag("--analysts-file", MEANINGS["analysts-file"]);

export const historyFileFlag = () => flag("--history-file", MEANINGS["history-file"]);

export const keepFlag = () => number("--keep <n>", MEANINGS.keep, [1, 1_000_000]).default(DEFAULT_KEEP);

export const insteadOfLatest = () => option("--snapshot <file>", MEANINGS.snapshot);
