import pLimit from "p-limit";
import type { Purpose } from "../journal/schema.ts";
import { captureSlice } from "./capture.ts";
import { refuseIncomplete } from "./endings.ts";
import type { Run } from "./run.ts";

/** Asks for everything in the plan that is not in the journal yet; what cannot be captured stays missing. */
export async function collect(run: Run, purpose: Purpose): Promise<void> {
  const { journal, progress, options } = run;
  const slices = journal.slices(purpose);
  const missing = slices.filter(({ state }) => state !== "captured");
  if (missing.length === 0) return;
  run.factsMemory.set(journal.remembered());
  progress.begin(slices.length, slices.length - missing.length);
  const limit = pLimit(options.concurrency);
  const tasks = missing.map((stored) =>
    limit(async () => {
      if (run.retryBudget.exhausted()) return;
      progress.advance(!(await captureSlice(stored, run)));
    }),
  );
  // A stop rejects the waiting tasks; those in flight end by themselves and are kept.
  await Promise.allSettled(tasks);
  progress.end();
  run.stop.throwIfAborted();
  await Promise.all(tasks);
}

/** The same, and a Failure where slices are missing, unless the options allow it. */
export async function collectAll(run: Run, purpose: Purpose): Promise<void> {
  await collect(run, purpose);
  refuseIncomplete(run, purpose);
}
