import { setTimeout as sleep } from "node:timers/promises";
import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointPart } from "../../api/refusals.ts";
import { describeDuration } from "../../base/words.ts";
import { plannedIds } from "../../journal/journal.ts";
import { ask, collect } from "../collect.ts";
import type { Run } from "../run.ts";
import { ENOUGH } from "./evidence.ts";
import { drawDifferent } from "./known.ts";

/**
 * Asks once more what was refused, no sooner than the time of `--confirm-after` after its first refusal. Returns whether anything
 * has answered: then there may be more to ask. If the day has no requests left, nothing is asked.
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

/**
 * Asks for a few slices of other parts of an endpoint, to tell whether the endpoint is withdrawn: if a night asks only for one
 * part, and the upstream has refused slices of that part and answered none.
 */
export async function probeDoubtful(run: Run): Promise<void> {
  const { refusals, journal } = run;
  const { evidence, expected } = refusals;
  const planned = plannedIds(journal);
  const datasets = [...new Set(expected.map(({ dataset }) => dataset))];
  const probes = datasets.flatMap((dataset): Slice[] => {
    const refused = evidence.refusedIn(dataset);
    const part = endpointPart(dataset);
    if (refused.length === 0 || evidence.capturedIn(part) > 0 || evidence.isPartClosed(part)) return [];
    const others = expected.filter((slice) => slice.dataset === dataset && !refusals.isWithheld(slice));
    const drawn = drawDifferent(others, refused.length + ENOUGH, journal.header().began_at, refused);
    return drawn.filter((slice) => !planned.has(sliceId(slice)));
  });
  await ask(run, probes);
}
