import { setTimeout as sleep } from "node:timers/promises";
import { describeDuration } from "../../base/words.ts";
import { collect } from "../collect.ts";
import type { Run } from "../run.ts";

/**
 * Asks once more what was refused, no sooner than the time of `--confirm-after` after its first refusal. Returns whether anything
 * has answered: then there may be more to ask. Where a day has no requests left, nothing is asked.
 */
export async function closeRefusals(run: Run): Promise<boolean> {
  const { refusals, journal, stop, log } = run;
  const waiting = refusals.waiting();
  if (waiting.length === 0 || run.budget?.left() === 0) return false;
  const firstAt = Math.max(...waiting.map(({ id }) => refusals.evidence.refusedOf(id)?.firstAt ?? 0));
  // A clock that was set back must not make it wait for longer.
  const pauseMs = Math.min(refusals.confirmAfterMs, Math.max(0, firstAt + refusals.confirmAfterMs - Date.now()));
  log("closing", { refused: waiting.length, in: describeDuration(pauseMs / 1000) });
  await sleep(pauseMs, undefined, { signal: stop });
  refusals.close(true);
  try {
    await collect(run, "answer");
  } finally {
    refusals.close(false);
  }
  const ids = new Set(waiting.map(({ id }) => id));
  return journal.slices().some(({ id, state }) => ids.has(id) && state === "captured");
}
