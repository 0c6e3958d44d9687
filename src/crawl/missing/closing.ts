import { setTimeout as sleep } from "node:timers/promises";
import { isInPart, partId } from "../../api/parts.ts";
import { describeDuration } from "../../base/words.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { askSlices, collect } from "../ask/collect.ts";
import { drawDifferent } from "../ask/queue.ts";
import type { Run } from "../run.ts";

/** The number of slices that are asked of each part that is closed for this run. */
const OF_A_CLOSED_PART = 2;

/**
 * Asks once more for missing slices, some time after the last failure, and for samples of each part that is closed for this run. If one of
 * such a part is answered, all of the part is asked, and the round is repeated.
 */
export async function askClosingRounds(run: Run): Promise<void> {
  const { options, tally, budget, stop, log } = run;
  for (let slices = listMissing(run); slices.length > 0 && budget?.left() !== 0; slices = listMissing(run)) {
    // A clock that was set back must not make it wait for longer.
    const { closingPauseMs } = options;
    const pauseMs = Math.min(closingPauseMs, Math.max(0, tally.lastFailureAt() + closingPauseMs - Date.now()));
    log("closing", { missing: slices.length, in: describeDuration(pauseMs / 1000) });
    await sleep(pauseMs, undefined, { signal: stop });
    await askSlices(run, slices, {
      purpose: "answer",
      attempts: options.attempts,
      isClosing: true,
      isOnNewConnection: true,
    });
    await collect(run, "answer");
    // Slices for which a day had no room are left.
    if (budget) return;
  }
}

/**
 * Lists failed slices with attempts left; of parts that are closed for this run only samples: if there are such, slices that differ from
 * those that have failed, lie in no other such part and were not asked before.
 */
function listMissing({ journal, options, tally, sampled }: Run): StoredSlice[] {
  const missing = journal
    .slices()
    .filter(({ id, state }) => state !== "captured" && tally.triesOf(id) < options.attempts);
  const closed = tally.closedParts();
  const samples = closed.flatMap(({ part, failed }) => {
    if (sampled.has(partId(part))) return [];
    sampled.add(partId(part));
    const isShared = ({ slice }: StoredSlice) => closed.some((one) => one.part !== part && isInPart(one.part, slice));
    const rank = (stored: StoredSlice) => 2 * Number(isShared(stored)) + Math.sign(tally.triesOf(stored.id));
    const members = missing.filter(({ slice }) => isInPart(part, slice)).toSorted((a, b) => rank(a) - rank(b));
    return drawDifferent(members, OF_A_CLOSED_PART, failed);
  });
  const failed = missing.filter(({ id, slice }) => tally.triesOf(id) > 0 && !tally.isClosed(slice));
  return [...new Set([...failed, ...samples])];
}
