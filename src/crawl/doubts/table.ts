import { newerBatch } from "./batches/newer-batch.ts";
import { olderThanBase } from "./batches/older-than-base.ts";
import { otherBatch } from "./batches/other-batch.ts";
import { passingBatch } from "./batches/passing-batch.ts";
import type { DoubtCheck } from "./check.ts";
import { empty } from "./empty.ts";
import { languages } from "./languages.ts";
import { oddMarks } from "./odd-marks.ts";
import { oddRecords } from "./odd-records.ts";
import { rankLists } from "./rank-lists.ts";
import { unknownHeroes } from "./unknown-heroes.ts";
import { unlistedTexts } from "./unlisted-texts.ts";
import { unstamped } from "./unstamped.ts";

/**
 * All that a valid answer is doubted for. A check is asked if none before it has anything to ask again: while batches are mixed,
 * rates and languages say nothing new.
 */
export const CHECKS: readonly DoubtCheck[] = [
  empty,
  oddRecords,
  oddMarks,
  unknownHeroes,
  passingBatch,
  newerBatch,
  otherBatch,
  olderThanBase,
  rankLists,
  unstamped,
  unlistedTexts,
  languages,
];
