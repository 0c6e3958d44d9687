import { KEEP } from "../src/snapshot/folder.ts";
import { number } from "./command.ts";

export const keep = () => number("--keep <n>", "published snapshots that stay", [1, 1_000_000]).default(KEEP);
